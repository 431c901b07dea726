// What crosses between the app and its pages. Made of the types in Rust:
// `UPDATE=1 cargo test --lib types` writes it anew.

import type { Channel } from './tauri';

/** A key into the words. */
export type Word = keyof typeof import('../../crates/core/src/words/en.json');

export type Action = { "name": "choose", card: number }
  | { "name": "choose_and_go_on", card: number }
  | { "name": "move_to", card: number }
  | { "name": "move", direction: Direction }
  | { "name": "choose_here_and_go_on" }
  | { "name": "go", step: number }
  | { "name": "turn", direction: Direction }
  | { "name": "go_on" }
  | { "name": "next_field" }
  | { "name": "send_now" }
  | { "name": "leave_text" }
  | { "name": "open_note" }
  | { "name": "open_aside", aside: AsideKind }
  | { "name": "close_aside" }
  | { "name": "send_aside" }
  | { "name": "undo" }
  | { "name": "keep_answering" }
  | { "name": "close" };

export type AnswerKind = "answer" | "note" | "secret" | "said";

export type AsideKind = "decline" | "clarify";

export type AsideView = { kind: AsideKind, title: Phrase, text: string, error: Phrase | null };

export type Button = {
  card: number | null,
  action: Action,
  word: Word,
  values: { [key in string]: string },
};

export type Card = {
  label: string,
  description: string | null,
  preview: string | null,
  recommended: boolean,
  refuses: boolean,
};

export type Choice = { value: string, shown: string };

export type CountdownView = { text: Phrase, soon: boolean };

export type DayStats = { day: string, agent: string, count: number, median_wait_ms: number | null };

export type Deleted = {
  deleted: number,
  undelivered: Array<string>,
  still_open: Array<string>,
  unknown: Array<string>,
};

export type DialogSheet = {
  asks: string,
  host: string | null,
  title: string | null,
  message: string | null,
  layout: Layout,
  pages: Array<Page>,
  questions: Array<QuestionSheet>,
  no_reason: boolean,
};

export type Direction = "forward" | "backward";

export type Event = { "type": "shown" }
  | { "type": "window_focused" }
  | { "type": "press" }
  | { "type": "key" } & Key
  | { "type": "do", action: Action, pointer: boolean }
  | { "type": "text", question: number, field: TextField, text: string }
  | { "type": "moved", focus: Focus }
  | { "type": "field", question: number }
  | { "type": "stirred" };

export type Fate = "sent" | "unfinished" | "not_sent";

export type Filter = { search?: string, agent?: string, project?: string, since?: number, before?: number };

export type Focus = { "at": "card", index: number }
  | { "at": "other" }
  | { "at": "text" }
  | { "at": "note" }
  | { "at": "filter" }
  | { "at": "aside" }
  | { "at": "tab", step: number }
  | { "at": "row", index: number }
  | { "at": "primary" }
  | { "at": "keep" }
  | { "at": "button" }
  | { "at": "panel" };

export type Folder = { short: string, full: string };

export type Found = { entries: Array<HistoryEntry>, more: boolean };

export type Hint = { keys: string, word: Word };

export type HistoryAnswer = { kind: AnswerKind, fate: Fate, texts: Array<string> };

export type HistoryEntry = {
  ticket: string,
  agent: string,
  folder: Folder | null,
  host: string | null,
  title: string | null,
  ended_at: number,
  outcome: string,
  by_program: boolean,
  reused: boolean,
  undelivered: boolean,
  questions: Array<HistoryQuestion>,
  said: Array<HistoryAnswer>,
};

export type HistoryQuestion = { text_html: string, given: Array<HistoryAnswer> };

export type Key = {
  key: string,
  ctrl: boolean,
  shift: boolean,
  repeat: boolean,
  composing: boolean,
  age_ms: number,
};

export type Layout = "decide" | "choose" | "fill";

export type Line = { mark: Mark, text: string };

export type Mark = "same" | "removed" | "added" | "gap";

export type Newest = {
  limit: number,
  search?: string,
  agent?: string,
  project?: string,
  since?: number,
  before?: number,
};

export type Notice = { tone: Tone, buttons: Array<Button>, word: Word, values: { [key in string]: string } };

export type OpenState = "waiting" | "shown" | "set_aside" | "caller_left";

export type Overview = { agents: Array<Choice>, projects: Array<Choice>, days: Array<DayStats> };

export type Page = { name: string, numbered: boolean, start: number, end: number };

export type PageDialog = { ticket: string, folder: Folder | null, sheet: DialogSheet, view: View };

export type PageLanguage = { language: string, words: { [key in string]: string } };

export type PageMessage = { "type": "words" } & PageLanguage
  | { "type": "warm_up" } & PageDialog
  | { "type": "stage", staged: PageDialog | null, open: number }
  | { "type": "view", ticket: string, view: View }
  | { "type": "list", rows: Array<Row>, warning: Warning | null };

export type Phase = "asking" | "sent" | "declined" | "clarify_sent" | "timed_out" | "withdrawn" | "answered_elsewhere" | "ended_elsewhere" | "over";

export type Phrase = { word: Word, values: { [key in string]: string } };

export type Piece = { text: string, is_code: boolean };

export type Progress = "open" | "answered" | "skipped";

export type QuestionSheet = { name: string, header: string | null, text: string, details: string | null, hint: string | null, notes: boolean, words_box: WordsBox | null } & ({ "control": "cards", multi: boolean, cards: Array<Card>, other: boolean, filter: boolean }
  | { "control": "box", takes: Takes, multiline: boolean, placeholder: string | null });

export type QuestionView = {
  progress: Progress,
  chosen: Array<number>,
  other: string,
  text: string,
  note: string,
  note_open: boolean,
  filter: string,
  hidden: Array<number>,
  error: Phrase | null,
  summary: Array<SummaryLine>,
  fullness: Phrase | null,
};

export type Row = {
  ticket: string,
  agent: string,
  folder: string | null,
  host: string | null,
  about: Array<Piece>,
  subject: string | null,
  asked_at: number,
  state: OpenState,
  muted: boolean,
  mute: Phrase,
};

export type Selection = { "tickets": Array<string> } | { "matching": Filter };

export type SummaryLine = { "kind": "card", index: number }
  | { "kind": "text", text: string }
  | { "kind": "changes", lines: Array<Line> }
  | { "kind": "secret" }
  | { "kind": "not_answered" }
  | { "kind": "skipped" }
  | { "kind": "note", text: string };

export type Takes = "text" | "number" | "json" | "secret";

export type TextField = "other" | "text" | "note" | "decline" | "clarify" | "filter";

export type Tone = "information" | "warning";

export type View = {
  turn: number,
  phase: Phase,
  farewell: Word | null,
  armed: boolean,
  open: boolean,
  step: number,
  questions: Array<QuestionView>,
  pages: Array<Progress>,
  undo: boolean,
  buttons: Array<Button>,
  primary: Button | null,
  ready: boolean,
  enter: boolean,
  focus: Focus,
  focus_turn: number,
  text_turn: number,
  aside: AsideView | null,
  previewed: number | null,
  notice: Notice | null,
  countdown: CountdownView | null,
  hints: Array<Hint>,
};

export type Warning = { word: Word, values: { [key in string]: string } };

export type WordsBox = { field: TextField, placeholder: string };

export interface Commands {
  bind(args: { page: Channel<PageMessage> }): void;
  apply(args: { ticket: string, event: Event }): View | null;
  fit(args: { width: number, height: number }): void;
  highlight(args: { language: string, lines: string[], diff: boolean }): number[][];
  widen(args: { by: number }): boolean;
  listed(): void;
  wiped(): void;
  jump(args: { ticket: string }): void;
  mute(args: { ticket: string, muted: boolean }): void;
  open_link(args: { address: string }): void;
  words(): PageLanguage;
  drawn(): void;
  search(args: { newest: Newest }): Found;
  overview(args: { since: number, until: number }): Overview;
  delete(args: { which: Selection, preview: boolean }): Deleted;
  copy(args: { text: string }): void;
  close(): void;
}
