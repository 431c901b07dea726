// The only file that calls Rust.

/** How long a text may wait before the session hears of it. */
const TEXT_DELAY = 150;

const { invoke, Channel } = window.__TAURI__.core;

const page = new Channel();
/** What has come before anybody was there to draw it. */
const early = [];
let draw = null;
page.onmessage = (message) => (draw ? draw[message.type](message) : early.push(message));
// Asked for at once, while the rest of the page is still being loaded.
invoke('bind', { page });

/** The dialog that events are about. */
let ticket = null;
/** Events go one after the other, so that none overtakes the text it depends on. */
let queue = Promise.resolve();
/** Texts that the session has not heard of yet, by box. */
const texts = new Map();
let timer = null;

/** Hands every message to the function of its name: `stage`, `view` or `list`. */
export function bind(functions) {
  draw = functions;
  for (const message of early) draw[message.type](message);
}

/** From now on events are about this dialog. */
export function speakFor(nextTicket) {
  flush();
  ticket = nextTicket;
}

export const fit = (size) => invoke('fit', size);
export const listed = () => invoke('listed');
export const wiped = () => invoke('wiped');
export const jump = (to) => invoke('jump', { ticket: to });
export const mute = (of) => invoke('mute', { ticket: of });
export const widen = (by) => invoke('widen', { by });
export const openLink = (address) => invoke('open_link', { address });
export const shown = () => send({ type: 'shown' });

/** Tells the session what happened. */
export function send(event) {
  flush();
  enqueue(event);
}

/** A control was used, by the mouse or otherwise. */
export function act(action) {
  // Not the click's own word for it: the click that a label passes on to its input has none.
  send({ type: 'do', action, pointer: document.documentElement.dataset.by === 'pointer' });
}

/** Tells the session the text of a box: the first at once, what follows in steps. */
export function sendText(box, text) {
  texts.set(`${box.question} ${box.place}`, { type: 'text', ...box, text });
  if (timer) return;
  flush();
  timer = setTimeout(flush, TEXT_DELAY);
}

/** Tells the session all texts that it has not heard of, now. */
export function flush() {
  clearTimeout(timer);
  timer = null;
  for (const event of texts.values()) enqueue(event);
  texts.clear();
}

function enqueue(event) {
  const about = ticket;
  if (about == null) return;
  queue = queue
    .then(() => invoke('apply', { ticket: about, event }))
    .then((view) => view && draw.view({ ticket: about, view }))
    // One event that fails must not keep the next ones from being sent.
    .catch((error) => console.error(error));
}
