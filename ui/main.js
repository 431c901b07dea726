// Opens the dialog, draws every view of it, and sends what the person does.

import { fit, onView, opening, shown } from './bridge.js';
import { Deck } from './deck.js';
import { listen } from './input.js';

const dialog = await opening;
if (dialog) {
  const deck = new Deck(dialog.sheet);
  document.body.replaceWith(deck.body);
  deck.draw(dialog.view);
  onView((view) => deck.draw(view));
  listen(deck);
  await fit(deck.size());
  // The window is mapped now; two frames later its pixels are there.
  requestAnimationFrame(() => requestAnimationFrame(shown));
}
