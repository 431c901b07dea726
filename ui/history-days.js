// The past dialogs by day: a heading before the first of each.

/** @import { Say } from './element.js' */

import { element } from './element.js';
import { dayOf } from './history-time.js';

/**
 * @param {HTMLElement} list
 * @returns {HTMLElement[]}
 */
export const entriesIn = (list) => [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('.entry'))];

/**
 * Puts the headings where they belong, after entries have come or gone.
 * @param {HTMLElement} list
 * @param {Say} say
 */
export function headDays(list, say) {
  for (const heading of list.querySelectorAll('.past-day')) heading.remove();
  let last = '';
  for (const made of entriesIn(list)) {
    const day = dayOf(say, Number(made.dataset.ended));
    if (day !== last) made.before(element('h2', { class: 'past-day' }, day));
    last = day;
  }
}
