// Draws what is on the stage, and sends what the person does.

/** @import { PageDialog } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { bind, fit, listed, shown, speakFor, wiped } from './bridge.js';
import { Dialog } from './dialog.js';
import { speaker } from './element.js';
import { Inbox } from './inbox.js';
import { listen } from './input.js';

/** How long the page has for other things before it can draw another list, which may be long. */
const BETWEEN_LISTS = 50;

/**
 * Says the interface's words, which come before anything is drawn.
 * @type {Say}
 */
let say = (key) => key;
/**
 * The dialog on the stage.
 * @type {Dialog | null}
 */
let dialog = null;
/**
 * How far each open dialog was scrolled, by ticket.
 * @type {Map<string, number[]>}
 */
const scrolls = new Map();
const inbox = new Inbox();
document.body.append(inbox.root);

/**
 * @param {PageDialog | null} staged
 * @param {number} open
 */
function stage(staged, open) {
  // It is there already, and may know of text that the session has not heard of yet.
  if (dialog && staged?.ticket === dialog.ticket) {
    dialog.draw(staged.view);
    return show(dialog);
  }
  if (dialog) {
    scrolls.set(dialog.ticket, dialog.scrolled());
    dialog.root.remove();
  }
  delete document.body.dataset.painted;
  dialog = staged && new Dialog(staged, say);
  speakFor(dialog?.ticket);
  if (dialog) enter(dialog);
  inbox.select(dialog, open);
  if (dialog) show(dialog);
  // A window that is not to be seen has no frames. In one that is, two frames later nothing of the
  // dialog is left, and it can go.
  else if (document.hidden) wiped();
  else afterTwoFrames(() => !dialog && wiped());
}

/** @param {Dialog} entering */
function enter(entering) {
  document.body.prepend(entering.root);
  entering.fill(entering.view);
}

/** @param {Dialog} shownNow */
async function show(shownNow) {
  // It is laid out once to be measured, and once as it will be seen; then nothing is left to do
  // while the window is on its way.
  const size = shownNow.size();
  shownNow.focus();
  shownNow.scrollTo(scrolls.get(shownNow.ticket));
  await fit(inbox.around(size));
  // The window is mapped now; two frames later its pixels are there.
  afterTwoFrames(() => {
    if (shownNow !== dialog) return;
    inbox.settle();
    shown();
    document.body.dataset.painted = 'true';
    document.dispatchEvent(new Event('painted'));
  });
}

/**
 * Lays out a dialog that nobody sees: the first one takes a page three times as long as the next.
 * @param {PageDialog} staged
 */
function warmUp(staged) {
  if (dialog) return;
  const warmed = new Dialog(staged, say);
  enter(warmed);
  warmed.size();
  warmed.root.remove();
}

/** @param {() => void} then */
function afterTwoFrames(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

bind({
  words: ({ language, words }) => {
    document.documentElement.lang = language;
    say = inbox.say = speaker(words);
  },
  warm_up: warmUp,
  stage: ({ staged, open }) => stage(staged, open),
  view: ({ ticket, view }) => ticket === dialog?.ticket && dialog.draw(view),
  list: (list) => {
    // Whatever becomes of this list, the next one may come.
    setTimeout(listed, BETWEEN_LISTS);
    inbox.draw(list);
    const open = new Set(list.rows.map((row) => row.ticket));
    for (const ticket of scrolls.keys()) if (!open.has(ticket)) scrolls.delete(ticket);
  },
});
addEventListener('resize', () => dialog?.resized());
listen(() => dialog, inbox);
