// What crosses between the app and its pages. Made of the types in Rust:
// `UPDATE=1 cargo test --lib types` writes it anew.

import type { Channel } from './tauri';

/** A key into the words. */
export type Word = keyof typeof import('../../crates/core/src/words/en.json');

export type Action = { "name": "choose", card: number }
  | { "name": "move", direction: Direction }
  | { "name": "choose_here_and_go_on" }
  | { "name": "go", step: number }
  | { "name": "turn", direction: Direction }
  | { "name": "go_on" }
  | { "name": "send_now" }
  | { "name": "leave_text" }
  | { "name": "open_note" }
  | { "name": "open_aside", aside: AsideKind }
  | { "name": "close_aside" }
  | { "name": "send_aside" }
  | { "name": "undo" }
  | { "name": "close" };

export type AsideKind = "decline" | "clarify";

export type AsideView = { kind: AsideKind, text: string, trouble: Trouble | null };

export type Card = {
  label: string,
  description: string | null,
  preview_html: string | null,
  recommended: boolean,
};

export type Choice = { value: string, shown: string };

export type CountdownView = { seconds: number, paused: boolean };

export type DayStats = { day: string, agent: string, count: number, median_wait_ms: number | null };

export type Deleted = {
  deleted: number,
  undelivered: Array<string>,
  still_open: Array<string>,
  unknown: Array<string>,
};

export type Direction = "forward" | "backward";

export type Event = { "type": "shown" }
  | { "type": "window_focused" }
  | { "type": "press" }
  | { "type": "key" } & Key
  | { "type": "do", action: Action, pointer: boolean }
  | { "type": "text", question: number, place: TextPlace, text: string }
  | { "type": "moved", place: Place }
  | { "type": "stirred" };

export type Fate = "sent" | "unfinished" | "not_sent";

export type Filter = { search?: string, agent?: string, project?: string, since?: number, before?: number };

export type Folder = { short: string, full: string };

export type Found = { past: Array<Past>, more: boolean };

export type Given = { "given": "card", index: number }
  | { "given": "text", text: string }
  | { "given": "changes", lines: Array<Line> }
  | { "given": "secret" };

export type Hint = { keys: string, word: Word };

export type Key = {
  key: string,
  ctrl: boolean,
  shift: boolean,
  repeat: boolean,
  composing: boolean,
  age_ms: number,
};

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

export type OpenState = "waiting" | "shown" | "set_aside" | "caller_left";

export type Overview = { agents: Array<Choice>, projects: Array<Choice>, days: Array<DayStats> };

export type PageMessage = { "type": "words" } & Spoken
  | { "type": "rehearsal" } & Staging
  | { "type": "stage", staged: Staging | null, open: number }
  | { "type": "view", ticket: string, view: View }
  | { "type": "list", rows: Array<Row>, warning: Warning | null };

export type Past = {
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
  questions: Array<PastQuestion>,
  said: Array<PastGiven>,
};

export type PastGiven = { what: What, fate: Fate, texts: Array<string> };

export type PastQuestion = { text_html: string, given: Array<PastGiven> };

export type Phase = "asking" | "sent" | "declined" | "asked_back" | "timed_out" | "withdrawn" | "answered_elsewhere" | "ended_elsewhere" | "over";

export type Place = { "at": "card", index: number }
  | { "at": "other" }
  | { "at": "text" }
  | { "at": "note" }
  | { "at": "aside" }
  | { "at": "tab", step: number }
  | { "at": "row", index: number }
  | { "at": "primary" }
  | { "at": "button" }
  | { "at": "panel" };

export type Primary = "next" | "review" | "send";

export type QuestionSheet = { header: string | null, text_html: string, details_html: string | null, required: boolean, notes: boolean } & ({ "control": "cards", multi: boolean, cards: Array<Card>, other: boolean }
  | { "control": "box", takes: Takes, multiline: boolean, placeholder: string | null });

export type QuestionView = {
  answered: boolean,
  chosen: Array<number>,
  other: string,
  text: string,
  note: string,
  note_open: boolean,
  trouble: Trouble | null,
  summary: Array<Given>,
  fullness: number | null,
};

export type Row = {
  ticket: string,
  agent: string,
  folder: string | null,
  host: string | null,
  about: string,
  asked_at: number,
  state: OpenState,
  muted: boolean,
};

export type Selection = { "tickets": Array<string> } | { "matching": Filter };

export type Sheet = {
  title: string | null,
  message_html: string | null,
  agent: string,
  folder: Folder | null,
  host: string | null,
  questions: Array<QuestionSheet>,
  wordless: boolean,
  max_text: number,
};

export type Spoken = { language: string, words: { [key in string]: string } };

export type Staging = { ticket: string, sheet: Sheet, view: View };

export type Takes = "text" | "number" | "json" | "secret";

export type TextPlace = "other" | "text" | "note" | "decline" | "clarify";

export type Trouble = { word: Word, values: { [key in string]: string } };

export type View = {
  turn: number,
  phase: Phase,
  armed: boolean,
  open: boolean,
  step: number,
  questions: Array<QuestionView>,
  complete: boolean,
  caller_left: boolean,
  sets_aside: boolean,
  undo: boolean,
  primary: Primary,
  place: Place,
  place_turn: number,
  text_turn: number,
  aside: AsideView | null,
  closing: boolean,
  trouble: Trouble | null,
  countdown: CountdownView | null,
  hints: Array<Hint>,
};

export type Warning = { word: Word, values: { [key in string]: string } };

export type What = "answer" | "note" | "secret" | "said";

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
  words(): Spoken;
  drawn(): void;
  search(args: { newest: Newest }): Found;
  overview(args: { since: number, until: number }): Overview;
  delete(args: { which: Selection, preview: boolean }): Deleted;
  copy(args: { text: string }): void;
  close(): void;
}
