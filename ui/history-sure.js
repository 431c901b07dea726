// Asks once before something is deleted, in the place where it stands.

/** @import { Say } from './element.js' */

import { element } from './element.js';

let asked = 0;

/**
 * `remove` and `keep` are what its two buttons do; the keyboard is at neither until the person moves it.
 * @param {Say} say
 * @param {string} question
 * @param {() => void} remove
 * @param {() => void} keep
 */
export function sure(say, question, remove, keep) {
  const id = `sure-${(asked += 1)}`;
  return element(
    'div',
    { class: 'sure', role: 'group', tabindex: '-1', 'aria-labelledby': id },
    element('p', { id }, question),
    element('button', { type: 'button', class: 'remove', click: remove }, say('past_delete')),
    element('button', { type: 'button', class: 'keep', click: keep }, say('past_keep')),
  );
}
