// Draws what is on the stage, and sends what the person does.

import { bind, fit, listed, shown, speakFor, wiped } from './bridge.js';
import { Dialog } from './dialog.js';
import { speaker } from './element.js';
import { Inbox } from './inbox.js';
import { listen } from './input.js';

/** How long the page has for other things before it can draw another list, which may be long. */
const BETWEEN_LISTS = 50;

/** Says the interface's words. */
let say = null;
/** The dialog on the stage. */
let dialog = null;
/** How far each open dialog was scrolled, by ticket. */
const scrolls = new Map();
const inbox = new Inbox();
document.body.append(inbox.root);

function stage(staged, open) {
  // It is there already, and may know of text that the session has not heard of yet.
  if (staged && staged.ticket === dialog?.ticket) {
    dialog.draw(staged.view);
    return show();
  }
  if (dialog) {
    scrolls.set(dialog.ticket, dialog.scrolled());
    dialog.root.remove();
  }
  dialog = staged && new Dialog(staged, say);
  speakFor(dialog?.ticket);
  if (dialog) enter(staged.view);
  inbox.select(dialog, open);
  if (dialog) show();
  // A window that is not to be seen has no frames. In one that is, two frames later nothing of the
  // dialog is left, and it can go.
  else if (document.hidden) wiped();
  else afterTwoFrames(() => !dialog && wiped());
}

function enter(view) {
  document.body.prepend(dialog.root);
  dialog.fill(view);
}

async function show() {
  const shownNow = dialog;
  // It is laid out once to be measured, and once as it will be seen; then nothing is left to do
  // while the window is on its way.
  const size = dialog.size();
  dialog.focus();
  dialog.scrollTo(scrolls.get(dialog.ticket));
  await fit(inbox.around(size));
  // The window is mapped now; two frames later its pixels are there.
  afterTwoFrames(() => {
    if (shownNow !== dialog) return;
    inbox.settle();
    shown();
  });
}

/** Lays out a dialog that nobody sees: the first one takes a page three times as long as the next. */
function rehearse(staged) {
  if (dialog) return;
  const rehearsed = new Dialog(staged, say);
  document.body.prepend(rehearsed.root);
  rehearsed.fill(staged.view);
  rehearsed.size();
  rehearsed.root.remove();
}

function afterTwoFrames(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

bind({
  words: ({ language, words }) => {
    document.documentElement.lang = language;
    say = inbox.say = speaker(words);
  },
  rehearsal: rehearse,
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
listen(() => dialog, inbox);
