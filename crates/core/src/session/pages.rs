//! The pages of a dialog: one question each, or several fields of a form.

use std::ops::Range;

use super::{Direction, Session};
use crate::dialog::Layout;

impl Session {
    pub(super) fn is_form(&self) -> bool {
        self.layout == Layout::Fill
    }

    /// The questions on the page of this one; none on the review.
    pub(super) fn page_of(&self, step: usize) -> Range<usize> {
        let page = self.pages.iter().find(|page| page.contains(&step));
        page.cloned().unwrap_or(step..step)
    }

    /// One page needs no review.
    pub(super) fn has_review(&self) -> bool {
        self.pages.len() > 1
    }

    pub(super) fn last_step(&self) -> usize {
        self.dialog.questions.len() - usize::from(!self.has_review())
    }

    /// To the neighbouring page.
    pub(super) fn turn(&mut self, direction: Direction) {
        let page = self.page_of(self.step);
        match direction {
            Direction::Forward => self.go(page.end),
            Direction::Backward => self.go(self.page_of(page.start.saturating_sub(1)).start),
        }
    }

    /// The person uses another field of the page that they see.
    pub(super) fn enter_field(&mut self, question: usize) {
        if self.page_of(self.step).contains(&question) && self.aside.is_none() {
            let is_other = self.step != question;
            self.step = question;
            if is_other {
                self.answer_focus = self.answer_start();
            }
        }
    }

    /// From a field of a form to the next one, if it is filled in well enough.
    pub(super) fn next_field(&mut self) {
        self.drafts[self.step].tried = true;
        if self.error_of(self.step).is_some() {
            self.focus_on_answer();
        } else if self.step + 1 < self.page_of(self.step).end {
            self.enter_step(self.step + 1);
        } else {
            self.leave_page();
        }
    }

    /// To the next page of a form; from its last one, sends.
    pub(super) fn leave_page(&mut self) {
        let page = self.page_of(self.step);
        page.clone().for_each(|step| self.drafts[step].tried = true);
        if let Some(step) = page.clone().find(|&step| self.error_of(step).is_some()) {
            self.enter_step(step);
        } else if self.has_review() {
            self.enter_step(page.end);
        } else {
            self.send();
        }
    }
}
