// The only file that calls Rust.

/** How long a text may wait before the session hears of it. */
const TEXT_DELAY = 150;

const { invoke, Channel } = window.__TAURI__.core;

let draw = () => {};
/** Events go one after the other, so that none overtakes the text it depends on. */
let queue = Promise.resolve();
/** Texts that the session has not heard of yet, by box. */
const texts = new Map();
let timer = null;

const page = new Channel();
page.onmessage = (view) => draw(view);

/**
 * What to draw: the sheet and the first view; nothing if there is no dialog. Asked for at once,
 * while the rest of the page is still being loaded.
 */
export const opening = invoke('open', { page });

/** Calls `listener` with every new view. */
export function onView(listener) {
  draw = listener;
}

export const fit = (size) => invoke('fit', size);
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
  queue = queue
    .then(() => invoke('apply', { event }))
    .then((view) => view && draw(view))
    // One event that fails must not keep the next ones from being sent.
    .catch((error) => console.error(error));
}
