// Draws what is on the stage, and sends what the person does.

import { bind, fit, listed, shown, speakFor, wiped } from './bridge.js';
import { Dialog } from './dialog.js';
import { Inbox } from './inbox.js';
import { listen } from './input.js';

/** The dialog on the stage. */
let dialog = null;
/** How far each open dialog was scrolled, by ticket. */
const scrolls = new Map();
const inbox = new Inbox();
document.body.append(inbox.root);

function stage(staged) {
  if (dialog) {
    scrolls.set(dialog.ticket, dialog.scrolled());
    dialog.root.remove();
  }
  dialog = staged && new Dialog(staged);
  speakFor(dialog?.ticket);
  inbox.select(dialog);
  if (dialog) show(staged.view);
  // A window that is not to be seen has no frames. In one that is, two frames later nothing of the
  // dialog is left, and it can go.
  else if (document.hidden) wiped();
  else afterTwoFrames(() => !dialog && wiped());
}

async function show(view) {
  const shownNow = dialog;
  document.body.prepend(dialog.root);
  dialog.draw(view);
  dialog.scrollTo(scrolls.get(dialog.ticket));
  await fit(dialog.size());
  // The window is mapped now; two frames later its pixels are there.
  afterTwoFrames(() => shownNow === dialog && shown());
}

function afterTwoFrames(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

bind({
  stage: ({ staged }) => stage(staged),
  view: ({ ticket, view }) => ticket === dialog?.ticket && dialog.draw(view),
  list: (list) => {
    inbox.draw(list);
    const open = new Set(list.rows.map((row) => row.ticket));
    for (const ticket of scrolls.keys()) if (!open.has(ticket)) scrolls.delete(ticket);
    listed();
  },
});
listen(() => dialog, inbox);
