//! A dialog on a terminal: the session, and what of it is the terminal's own. Those are the text box
//! that is being edited, the button that has the keyboard, and how far the text is scrolled.

use std::{ops::Range, time::Instant};

use askdeck_core::{
    protocol::Warning,
    session::{
        Action, AsideKind, Button, Direction, Event, Focus, Phase, Session, TextField, Update, View,
    },
    sheet::Control,
    text,
    words::{self, Phrase, Words},
};
use askdeck_desk::folder::Folder;

use super::{
    editor::Editor,
    keys::{Input, Press},
    markdown,
    palette::Palette,
    sheet::DialogSheet,
};

pub(super) struct TerminalView {
    session: Session,
    words: &'static Words,
    pub(super) palette: Palette,
    /// Who asks, and from where.
    pub(super) caller: Vec<String>,
    pub(super) sheet: DialogSheet,
    /// The text of each question on one line.
    pub(super) headlines: Vec<String>,
    pub(super) view: View,
    /// Over the text box that has the keyboard.
    pub(super) editor: Editor,
    edited: Option<(usize, TextField)>,
    /// Which button has the keyboard, if one has: what it does.
    pub(super) button: Action,
    /// The width of the box that has the keyboard, as it was last drawn.
    pub(super) box_width: usize,
    /// The first row of the question that is in sight.
    pub(super) scroll: usize,
    /// How many rows of it are in sight.
    pub(super) page: usize,
    /// What of the question must be in sight.
    pub(super) sight: Sight,
    /// The terminal is too small to show the question.
    pub(super) hidden: bool,
    /// What the person should know about how their answers are kept.
    pub(super) warning: Option<String>,
}

/// What of a question must be in sight when not all of it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// It was just entered, and is read from its top, as far as the cursor allows.
    Beginning,
    /// All of what has the keyboard.
    Keyboard,
    /// The person scrolls.
    Anything,
}

/// Where Tab stops: at a button beside the main one, or at a part of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stop {
    button: Option<Action>,
    focus: Focus,
    step: usize,
}

impl TerminalView {
    pub(super) fn new(mut session: Session, words: &'static Words, now: Instant) -> Self {
        let view = session.view(now);
        let palette = Palette::of_terminal();
        let dialog = session.dialog();
        let sheet = DialogSheet::new(dialog, words, &palette);
        let host = sheet.host.clone();
        let caller = [
            Some(sheet.asks.clone()),
            Folder::of(&dialog.caller).map(|folder| folder.short),
            host.map(|host| words::say(words, "from_host", [("host", host)])),
        ];
        let headlines = dialog.questions.iter().map(|it| markdown::headline(&it.text)).collect();
        let mut terminal = Self {
            session,
            words,
            palette,
            caller: caller.into_iter().flatten().collect(),
            sheet,
            headlines,
            view,
            editor: Editor::default(),
            edited: None,
            button: Action::OpenAside { aside: AsideKind::Decline },
            box_width: 1,
            scroll: 0,
            page: 1,
            sight: Sight::Beginning,
            hidden: false,
            warning: None,
        };
        terminal.open_editor();
        terminal
    }

    /// The words of `key`.
    pub(super) fn say(&self, key: &str) -> String {
        self.say_with(key, [])
    }

    pub(super) fn say_phrase(&self, phrase: &Phrase) -> String {
        text::clean_line(&phrase.say(self.words))
    }

    pub(super) fn label_of(&self, button: &Button) -> String {
        let said = self.say_phrase(&button.label);
        match (button.card, self.sheet.questions.get(self.view.step)) {
            (Some(card), Some(question)) => said.replace("{answer}", question.label(card)),
            _ => said,
        }
    }

    pub(super) fn say_warning(&self, Warning { word, values }: &Warning) -> String {
        self.say_with(word, values.iter().map(|(name, value)| (name.as_str(), value.clone())))
    }

    pub(super) fn say_with<'a>(
        &self,
        key: &str,
        values: impl IntoIterator<Item = (&'a str, String)>,
    ) -> String {
        text::clean_line(&words::say(self.words, key, values))
    }

    pub(super) fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Something happens to the session.
    pub(super) fn apply(&mut self, event: Event, now: Instant) {
        let step = self.view.step;
        let applied = self.session.apply(event, now);
        // Here they hold up nobody.
        self.view = self.session.settle(now).unwrap_or(applied);
        if self.view.step != step {
            self.scroll = 0;
            self.sight = Sight::Beginning;
        }
        self.open_editor();
    }

    /// Takes over what was changed elsewhere.
    pub(super) fn adopt(&mut self, update: &Update, now: Instant) {
        self.session.adopt(update);
        self.apply(Event::Stirred, now);
    }

    /// The person does something.
    pub(super) fn input(&mut self, input: Input, now: Instant) {
        if input.is_interrupt() {
            return self.apply(Event::Interrupt, now);
        }
        // What comes too early was meant for something else, and so is all that follows it without a
        // pause: a terminal does not say when a key that is held down is let go.
        if !self.session.is_armed(now) {
            return match input {
                Input::Press(press) => self.apply(Event::Key(press.key), now),
                Input::Paste(_) => self.apply(Event::WindowFocused, now),
            };
        }
        self.sight = Sight::Keyboard;
        match input {
            Input::Paste(text) => self.paste(&text, now),
            Input::Press(press) => self.press(&press, now),
        }
    }

    fn press(&mut self, press: &Press, now: Instant) {
        let Press { key, alt } = press;
        let moves_in_box = self.edited.is_some() && self.editor.can_move(&key.key, self.box_width);
        if !alt && !moves_in_box {
            let takes = self.session.takes(key);
            // The session hears of every key. A letter outside of a text box may open one, for itself.
            self.apply(Event::Key(key.clone()), now);
            if takes {
                return;
            }
        }
        match key.key.as_str() {
            "Tab" if self.view.phase == Phase::Asking => {
                let way = if key.shift { Direction::Backward } else { Direction::Forward };
                let Stop { button, focus, step } = self.neighbour(way);
                self.button = button.unwrap_or(self.button);
                if step != self.view.step {
                    self.apply(Event::Field { question: step }, now);
                }
                self.apply(Event::Moved { focus }, now);
            }
            "PageUp" => self.turn_page(Direction::Backward, now),
            "PageDown" => self.turn_page(Direction::Forward, now),
            _ if self.edited.is_some() => {
                let lines = self.session.takes_lines();
                if self.editor.press(press, self.box_width, lines) {
                    self.tell_text(now);
                }
            }
            "Enter" | " " if self.view.focus == Focus::Button => {
                self.apply(Event::Do { action: self.button, pointer: false }, now);
            }
            _ => self.apply(Event::Stirred, now),
        }
    }

    fn paste(&mut self, text: &str, now: Instant) {
        if self.edited.is_some() {
            self.editor.insert(text, self.session.takes_lines());
            self.tell_text(now);
        }
    }

    fn turn_page(&mut self, direction: Direction, now: Instant) {
        let rows = self.page.saturating_sub(1).max(1);
        self.scroll = match direction {
            Direction::Forward => self.scroll + rows,
            Direction::Backward => self.scroll.saturating_sub(rows),
        };
        self.sight = Sight::Anything;
        self.apply(Event::Stirred, now);
    }

    fn tell_text(&mut self, now: Instant) {
        let Some((question, field)) = self.edited else { return };
        let text = self.editor.text().to_owned();
        self.apply(Event::Text { question, field, text }, now);
    }

    /// Puts the editor over the box that has the keyboard, with the text that the session has.
    fn open_editor(&mut self) {
        let field = match (self.view.focus, &self.view.aside) {
            (Focus::Other, _) => Some(TextField::Other),
            (Focus::Text, _) => Some(TextField::Text),
            (Focus::Note, _) => Some(TextField::Note),
            (Focus::Filter, _) => Some(TextField::Filter),
            (Focus::Aside, Some(aside)) => Some(match aside.kind {
                AsideKind::Decline => TextField::Decline,
                AsideKind::Clarify => TextField::Clarify,
            }),
            _ => None,
        };
        let edited = field.map(|field| (self.view.step, field));
        let text = match (edited, &self.view.aside) {
            (None, _) => "",
            (Some((_, TextField::Decline | TextField::Clarify)), aside) => {
                aside.as_ref().map_or("", |aside| &aside.text)
            }
            (Some((step, field)), _) => {
                self.view.questions.get(step).map_or("", |question| match field {
                    TextField::Other => &question.other,
                    TextField::Note => &question.note,
                    TextField::Filter => &question.filter,
                    _ => &question.text,
                })
            }
        };
        if edited != self.edited || (edited.is_some() && text != self.editor.text()) {
            self.editor = Editor::new(text);
            self.edited = edited;
        }
    }

    /// The questions on the page of the current one; on the review there are none.
    pub(super) fn page(&self) -> Range<usize> {
        let step = self.view.step;
        let mut pages = self.sheet.pages.iter().map(|page| page.start..page.end);
        pages.find(|page| page.contains(&step)).unwrap_or(step..step)
    }

    /// Where Tab goes, or Shift+Tab.
    fn neighbour(&self, way: Direction) -> Stop {
        let stops = self.stops();
        let count = stops.len();
        let here = Stop {
            button: (self.view.focus == Focus::Button).then_some(self.button),
            focus: match self.view.focus {
                // Within a group the arrows move.
                Focus::Card { .. } => Focus::Card { index: self.cursor(self.view.step) },
                Focus::Row { .. } => Focus::Row { index: 0 },
                focus => focus,
            },
            step: self.view.step,
        };
        match (stops.iter().position(|stop| *stop == here), way) {
            (Some(at), Direction::Backward) => stops[(at + count - 1) % count],
            (Some(at), Direction::Forward) => stops[(at + 1) % count],
            (None, _) => stops[0],
        }
    }

    /// All that Tab comes to, in its order.
    fn stops(&self) -> Vec<Stop> {
        let View { step, aside, .. } = &self.view;
        let at = |focus| Stop { button: None, focus, step: *step };
        let mut stops = Vec::new();
        match aside {
            Some(_) if self.sheet.no_reason => {}
            Some(_) => stops.push(at(Focus::Aside)),
            None if *step == self.sheet.questions.len() => stops.push(at(Focus::Row { index: 0 })),
            None => stops.extend(self.page().flat_map(|step| self.stops_of(step))),
        }
        let buttons = self.view.buttons.iter();
        let button = |action| Stop { button: Some(action), ..at(Focus::Button) };
        stops.extend(buttons.map(|beside| button(beside.action)));
        stops.extend(self.view.primary.as_ref().map(|_| at(Focus::Primary)));
        stops
    }

    /// Those of one question.
    fn stops_of(&self, step: usize) -> impl Iterator<Item = Stop> {
        let mut focuses = Vec::new();
        match self.sheet.questions[step].control {
            Control::Box { .. } => focuses.push(Focus::Text),
            Control::Cards { other, filter, .. } => {
                focuses.extend(filter.then_some(Focus::Filter));
                focuses.push(Focus::Card { index: self.cursor(step) });
                focuses.extend(other.then_some(Focus::Other));
            }
        }
        focuses.extend(self.view.questions[step].note_open.then_some(Focus::Note));
        focuses.into_iter().map(move |focus| Stop { button: None, focus, step })
    }

    /// The card to which Tab comes back: where the cursor was, or what is chosen.
    fn cursor(&self, step: usize) -> usize {
        let chosen = self.view.questions.get(step).and_then(|question| question.chosen.first());
        match self.view.focus {
            Focus::Card { index } if step == self.view.step => index,
            _ => chosen.copied().unwrap_or(0),
        }
    }
}
