//! What the page has been sent, and when it can take more.

use std::{mem, sync::Arc};

use askdeck_core::{deck::Staged, dialog::Dialog, session::View};
use tauri::ipc::Channel;

use super::{
    page::{PageDialog, PageLanguage, PageMessage},
    warm_up, window,
};

/// More open dialogs than these take longer to list than a question may wait for them.
const FEW: usize = 20;

/// How far the page is with drawing the open dialogs. A thousand of them take it a while, and it
/// must not be sent more lists than it can draw.
#[derive(Default, PartialEq)]
enum List {
    #[default]
    Drawn,
    BeingDrawn,
    /// It is drawing one that is not the last any more.
    Outdated,
    /// It is long, and the dialog on the stage is not painted yet.
    AwaitsPaint,
}

#[derive(Default)]
pub(super) struct Canvas {
    page: Option<Channel<PageMessage>>,
    /// The dialog on the stage.
    staged: Option<Arc<Dialog>>,
    list: List,
    /// The page has been sent a dialog, and has not said that it is painted.
    is_painting: bool,
    /// What the window's title says.
    title: String,
    /// It has drawn nothing yet.
    is_new: bool,
}

impl Canvas {
    /// The page is loaded and draws from now on.
    pub(super) fn bind(&mut self, page: Channel<PageMessage>) {
        self.page = Some(page);
        self.list = List::Drawn;
        self.is_new = true;
        self.send(PageMessage::Words(PageLanguage::to_the_person()));
    }

    pub(super) fn is_bound(&self) -> bool {
        self.page.is_some()
    }

    pub(super) fn staged(&self) -> Option<&Arc<Dialog>> {
        self.staged.as_ref()
    }

    pub(super) fn send(&self, message: PageMessage) {
        if let Some(page) = &self.page {
            // A page that is being reloaded binds anew, and is then told everything.
            let _ = page.send(message);
        }
    }

    pub(super) fn send_stage(&mut self, staged: Option<Staged>, open: usize) {
        self.staged = staged.as_ref().map(|staged| Arc::clone(&staged.dialog));
        self.is_painting = staged.is_some();
        let staged = staged.map(PageDialog::new).map(Box::new);
        self.send(PageMessage::Stage { staged, open });
        let has_time = mem::take(&mut self.is_new) && self.staged.is_none();
        if let Some(question) = has_time.then(warm_up::question).flatten() {
            self.send(PageMessage::WarmUp(Box::new(question)));
        }
    }

    /// What the window's title should say now, if that is something else than it says. Once the dialog
    /// has ended, or the person went on to another, the title is that one's.
    pub(super) fn retitle(&mut self, ticket: &str, view: &View) -> Option<String> {
        let dialog = self.staged.as_ref().filter(|staged| staged.id == ticket)?;
        let title = window::title(dialog, view);
        if title == self.title {
            return None;
        }
        self.title.clone_from(&title);
        Some(title)
    }

    /// Whether the page can draw a list of so many now. If it cannot, the list is outdated.
    pub(super) fn takes_list(&mut self, open: usize) -> bool {
        if self.page.is_none() {
            return false;
        }
        self.list = match self.list {
            List::BeingDrawn | List::Outdated => List::Outdated,
            List::Drawn | List::AwaitsPaint if self.is_painting && open > FEW => List::AwaitsPaint,
            List::Drawn | List::AwaitsPaint => List::BeingDrawn,
        };
        self.list == List::BeingDrawn
    }

    /// The page has drawn the open dialogs. Whether it should draw them again.
    pub(super) fn listed(&mut self) -> bool {
        mem::take(&mut self.list) == List::Outdated
    }

    /// The page has painted a dialog. If that is the one on the stage, there is time for a list that
    /// waited: whether there is one.
    pub(super) fn painted(&mut self, ticket: &str) -> bool {
        if self.staged.as_ref().is_none_or(|staged| staged.id != ticket) {
            return false;
        }
        self.is_painting = false;
        self.list == List::AwaitsPaint
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use askdeck_core::{
        asking,
        deck::Deck,
        dialog::Caller,
        key::QuestionKey,
        protocol::{Ask, Ui},
    };

    use super::*;

    /// A canvas with a page, on which a dialog with the ticket `0` was drawn.
    fn canvas() -> Canvas {
        let mut canvas = Canvas::default();
        canvas.bind(Channel::new(|_| Ok(())));
        stage(&mut canvas);
        canvas
    }

    fn stage(canvas: &mut Canvas) {
        let payload = serde_json::json!({ "question": "Which?" });
        let ask = Ask { payload, ..Ask::default() };
        let asked = asking::check(&ask, "0".into(), |_, _| Caller::default()).unwrap();
        let mut deck = Deck::new(Duration::ZERO);
        let (key, now) = (QuestionKey::given("0"), Instant::now());
        deck.ask(asked.dialog, key, Ui::Window, None, 1, now).unwrap();
        canvas.send_stage(deck.staged(now), 1);
    }

    #[test]
    fn a_short_list_comes_with_the_question() {
        assert!(canvas().takes_list(FEW));
    }

    #[test]
    fn a_long_list_comes_once_the_question_is_painted() {
        let mut canvas = canvas();
        assert!(!canvas.takes_list(FEW + 1));
        assert!(!canvas.takes_list(FEW + 1));
        assert!(!canvas.painted("another"));
        assert!(canvas.painted("0"));
        assert!(canvas.takes_list(FEW + 1));
    }

    #[test]
    fn a_list_that_is_being_drawn_does_not_bring_another_before_the_paint() {
        let mut canvas = canvas();
        assert!(!canvas.takes_list(FEW + 1));
        assert!(canvas.painted("0"));
        assert!(canvas.takes_list(FEW + 1));
        stage(&mut canvas);
        assert!(!canvas.takes_list(FEW + 1), "the one before is not drawn yet");
        assert!(canvas.listed());
        assert!(!canvas.takes_list(FEW + 1), "the question is not painted yet");
        assert!(canvas.painted("0"));
        assert!(canvas.takes_list(FEW + 1));
    }

    #[test]
    fn canvas_without_a_page_lists_nothing() {
        assert!(!Canvas::default().takes_list(1));
    }
}
