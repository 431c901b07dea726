// Opens the dialog, draws every view of it, and sends what the person does.

import { fit, onView, open, shown } from './bridge.js';
import { Deck } from './deck.js';
import { listen } from './input.js';

const opening = await open();
if (opening) {
  const deck = new Deck(opening.sheet);
  document.body.replaceWith(deck.body);
  deck.draw(opening.view);
  onView((view) => deck.draw(view));
  listen(deck);
  await fit(deck.size());
  // The window is mapped now; two frames later its pixels are there.
  requestAnimationFrame(() => requestAnimationFrame(shown));
}
