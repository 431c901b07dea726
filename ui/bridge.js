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
/** How many of them the session has not answered yet. */
let unanswered = 0;
/** Texts that the session has not heard of yet, by box. */
const texts = new Map();
let timer = null;

/** Hands every message to the function of its name: `words`, `rehearsal`, `stage`, `view` or `list`. */
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
export const mute = (of, muted) => invoke('mute', { ticket: of, muted });
export const widen = (by) => invoke('widen', { by });
export const openLink = (address) => invoke('open_link', { address });
export const shown = () => send({ type: 'shown' });

/** Goes to another dialog, once all that was typed in this one is known. */
export function jump(to) {
  flush();
  enqueue(() => invoke('jump', { ticket: to }));
}

/** Tells the session what happened. An event that was `pressed` is of that time, however long it waits here. */
export function send(event) {
  flush();
  tell(event);
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
  for (const event of texts.values()) tell(event);
  texts.clear();
}

/** Whether the person has done something that the last view does not know of. */
export const isAhead = () => unanswered > 0 || texts.size > 0;

function tell(event) {
  const about = ticket;
  if (about == null) return;
  unanswered += 1;
  enqueue(async () => {
    const view = await invoke('apply', { ticket: about, event: aged(event) }).finally(() => (unanswered -= 1));
    if (view) draw.view({ ticket: about, view });
  });
}

/** The same event, with how long ago it was pressed. */
function aged({ pressed, ...event }) {
  if (pressed === undefined) return event;
  return { ...event, age_ms: Math.max(0, Math.round(performance.now() - pressed)) };
}

function enqueue(act) {
  // One that fails must not keep the next ones from being done.
  queue = queue.then(act).catch((error) => console.error(error));
}
