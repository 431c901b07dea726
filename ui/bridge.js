// The only file that calls Rust.

/** @import { Action, Event, Key, PageMessage, TextField } from '../tests/types/page' */

/**
 * What draws each message of the app.
 * @typedef {{ [Message in PageMessage as Message['type']]: (message: Message) => void }} Drawing
 */
/**
 * A key, and when it went down by the clock of the page.
 * @typedef {Omit<Key, 'age_ms'> & { code: string, pressed: number }} PressedKey
 */
/** @typedef {Exclude<Event, { type: 'key' }> | ({ type: 'key' } & PressedKey)} Happening */
/** @typedef {{ question: number, field: TextField }} Box */

/** How long a text may wait before the session hears of it. */
const TEXT_DELAY = 150;

const { invoke, Channel } = window.__TAURI__.core;

/** @type {InstanceType<typeof Channel<PageMessage>>} */
const page = new Channel();
/**
 * What has come before anybody was there to draw it.
 * @type {PageMessage[]}
 */
const early = [];
/** @type {Drawing | null} */
let draw = null;
page.onmessage = take;
// Asked for at once, while the rest of the page is still being loaded.
invoke('bind', { page });

/**
 * The dialog that events are about.
 * @type {string | undefined}
 */
let ticket;
/** Events go one after the other, so that none overtakes the text it depends on. */
let queue = Promise.resolve();
/** How many of them the session has not answered yet. */
let unanswered = 0;
/**
 * Texts that the session has not heard of yet, by box.
 * @type {Map<string, Happening>}
 */
const texts = new Map();
/** @type {number | undefined} */
let timer;

/**
 * Hands every message to the function of its name.
 * @param {Drawing} functions
 */
export function bind(functions) {
  draw = functions;
  early.forEach(take);
}

/** @param {PageMessage} message */
function take(message) {
  if (!draw) return early.push(message);
  // Its function takes exactly this message, which the compiler cannot know.
  const drawIt = /** @type {(message: PageMessage) => void} */ (draw[message.type]);
  drawIt(message);
}

/**
 * From now on events are about this dialog.
 * @param {string | undefined} nextTicket
 */
export function speakFor(nextTicket) {
  flush();
  ticket = nextTicket;
}

/** @param {{ width: number, height: number }} size */
export const fit = (size) => invoke('fit', size);
export const listed = () => invoke('listed');
export const wiped = () => invoke('wiped');
/** @type {(of: string, muted: boolean) => Promise<void>} */
export const mute = (of, muted) => invoke('mute', { ticket: of, muted });
/** @param {number} by */
export const widen = (by) => invoke('widen', { by });
/** @param {string} address */
export const openLink = (address) => invoke('open_link', { address });
/** @param {string} text */
export const copy = (text) => invoke('copy', { text });
/**
 * What the parts of code are, for each line: start, end and kind of each.
 * @type {(language: string, lines: string[], diff: boolean) => Promise<number[][]>}
 */
export const highlight = (language, lines, diff) => invoke('highlight', { language, lines, diff });
export const shown = () => send({ type: 'shown' });

/**
 * Goes to another dialog, once all that was typed in this one is known.
 * @param {string} to
 */
export function jump(to) {
  flush();
  enqueue(() => invoke('jump', { ticket: to }));
}

/**
 * Tells the session what happened. An event that was `pressed` is of that time, however long it waits here.
 * @param {Happening} event
 */
export function send(event) {
  flush();
  tell(event);
}

/**
 * A control was used, by the mouse or otherwise.
 * @param {Action} action
 */
export function act(action) {
  // Not the click's own word for it: the click that a label passes on to its input has none.
  send({ type: 'do', action, pointer: document.documentElement.dataset.by === 'pointer' });
}

/**
 * Tells the session the text of a box: the first at once, what follows in steps.
 * @param {Box} box
 * @param {string} text
 */
export function sendText(box, text) {
  texts.set(`${box.question} ${box.field}`, { type: 'text', ...box, text });
  if (timer) return;
  flush();
  timer = setTimeout(flush, TEXT_DELAY);
}

/** Tells the session all texts that it has not heard of, now. */
export function flush() {
  clearTimeout(timer);
  timer = undefined;
  for (const event of texts.values()) tell(event);
  texts.clear();
}

/** Whether the person has done something that the last view does not know of. */
export const isAhead = () => unanswered > 0 || texts.size > 0;

/** @param {Happening} event */
function tell(event) {
  const about = ticket;
  if (about === undefined) return;
  unanswered += 1;
  enqueue(async () => {
    const view = await invoke('apply', { ticket: about, event: aged(event) }).finally(() => (unanswered -= 1));
    if (view) take({ type: 'view', ticket: about, view });
  });
}

/**
 * The same event, with how long ago it was pressed.
 * @param {Happening} event
 * @returns {Event}
 */
function aged(event) {
  if (event.type !== 'key') return event;
  const { pressed, ...key } = event;
  return { ...key, age_ms: Math.max(0, Math.round(performance.now() - pressed)) };
}

/** @param {() => Promise<void>} act */
function enqueue(act) {
  // One that fails must not keep the next ones from being done.
  queue = queue.then(act).catch((error) => console.error(error));
}
