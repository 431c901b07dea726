// The keys of the history: to the search, to the statistics, from entry to entry, and out.

/** @import { Finder } from './history-finder.js' */

import { linkAround } from './element.js';
import { close, openLink } from './history-bridge.js';
import { entriesIn } from './history-days.js';

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/**
 * @param {Element | null} around
 * @param {string} selector of a button in it
 */
function press(around, selector) {
  /** @type {HTMLElement | null | undefined} */
  const button = around?.querySelector(selector);
  button?.click();
}

/**
 * @param {Finder} finder
 * @param {HTMLElement} list holds the entries
 * @param {HTMLElement} statistics shows the chart
 */
export function listen(finder, list, statistics) {
  const step = (/** @type {number} */ by) => {
    const entries = entriesIn(list);
    const here = entries.findIndex((entry) => entry.contains(document.activeElement));
    const next = here + by;
    if (here === 0 && by < 0) return finder.box.focus();
    entries[Math.min(next, entries.length - 1)]?.focus();
  };

  addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey } = event;
    const target = /** @type {Element} */ (event.target);
    document.documentElement.dataset.by = 'keys';
    // While an input method composes, all keys are its own.
    if (event.isComposing || event.keyCode === 229 || metaKey) return;
    const act = () => {
      if (altKey) return key === 's' && !ctrlKey && !statistics.hidden && (() => statistics.click());
      if (ctrlKey) return key === 'f' && (() => finder.box.select());
      if (key === '/' && target !== finder.box) return () => finder.box.select();
      const sure = document.querySelector('.sure');
      if (key === 'Escape' && sure) return () => press(sure, '.keep');
      if (key === 'Delete' && list.contains(target)) return () => press(target.closest('.entry'), '.trash');
      if (key === 'Escape') return target === finder.box && finder.box.value ? () => finder.clear() : close;
      const inList = list.contains(target) || (target === finder.box && key === 'ArrowDown');
      return STEPS[key] && inList && (() => step(STEPS[key]));
    };
    const does = act();
    if (!does) return;
    event.preventDefault();
    does();
  });

  addEventListener('pointerdown', () => (document.documentElement.dataset.by = 'pointer'));

  addEventListener('click', (event) => {
    const link = linkAround(event.target);
    if (!link) return;
    event.preventDefault();
    openLink(link.href);
  });
}
