// The headings of a text, or the files of a diff, as a list that leads there.

/** @import { Say } from './element.js' */

import { element, setState } from './element.js';

/** Fewer headings are found without a list; more are no help. */
const FEWEST = 4;
const FEWEST_FILES = 2;
const MOST = 300;

export class Outline {
  /**
   * @param {HTMLElement} text
   * @param {Say} say
   */
  constructor(text, say) {
    this.text = text;
    this.list = element('ol');
    this.root = element('nav', { class: 'reading-outline', 'aria-label': say('reading_contents') });
    /** @type {{ target: Element, button: HTMLElement }[]} */
    this.entries = [];
    /** @type {Set<Element>} */
    this.inSight = new Set();
    this.current = 0;
    this.observer = new IntersectionObserver((changes) => this.follow(changes), { root: text, rootMargin: '0px 0px -70% 0px' });
  }

  draw() {
    this.observer.disconnect();
    this.inSight.clear();
    const found = [...this.text.querySelectorAll('h2, h3, h4, .file > summary')].slice(0, MOST);
    const files = found.filter((target) => target.matches('summary')).length;
    this.isUseful = found.length >= FEWEST || files >= FEWEST_FILES;
    const names = shortNames(found.map(pathOf));
    this.entries = this.isUseful ? found.map((target, at) => ({ target, button: this.entry(target, names[at]) })) : [];
    this.root.replaceChildren(...(this.isUseful ? [this.list] : []));
    this.list.replaceChildren(...this.entries.map(({ button }) => element('li', {}, button)));
    for (const { target } of this.entries) this.observer.observe(target);
    this.mark(0);
  }

  /**
   * @param {Element} target
   * @param {string} name
   */
  entry(target, name) {
    const isFile = target.matches('summary');
    const counts = [...target.querySelectorAll('.plus, .minus')].map((count) => count.cloneNode(true));
    return element(
      'button',
      {
        type: 'button',
        class: `reading-entry ${isFile ? 'of-file' : target.localName}`,
        title: isFile ? pathOf(target) : null,
        click: () => this.go(target),
      },
      element('span', { dir: 'auto' }, isFile ? name || '…' : (target.textContent ?? '')),
      ...(isFile ? counts : []),
    );
  }

  /** @param {Element} target */
  go(target) {
    target.scrollIntoView({ block: 'start' });
    this.mark(this.entries.findIndex((entry) => entry.target === target));
  }

  /**
   * Marks the first that is in sight, or else the one before those that are still to come.
   * @param {IntersectionObserverEntry[]} changes
   */
  follow(changes) {
    for (const { target, isIntersecting, boundingClientRect, rootBounds } of changes) {
      if (isIntersecting) this.inSight.add(target);
      else this.inSight.delete(target);
      if (this.inSight.size > 0 || !rootBounds || boundingClientRect.top < rootBounds.bottom) continue;
      const left = this.entries.findIndex((entry) => entry.target === target);
      if (left <= this.current) this.mark(Math.max(0, left - 1));
    }
    const first = this.entries.findIndex(({ target }) => this.inSight.has(target));
    if (first >= 0) this.mark(first);
  }

  /** @param {number} index */
  mark(index) {
    this.current = index;
    this.entries.forEach(({ button }, at) => {
      setState(button, 'aria-current', at === index);
      button.tabIndex = at === index ? 0 : -1;
    });
  }

  /**
   * Moves the keyboard in the list; whether the key does.
   * @param {string} key
   */
  moves(key) {
    const at = this.entries.findIndex(({ button }) => button === document.activeElement);
    const last = this.entries.length - 1;
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last };
    this.entries[moves[key]]?.button.focus();
    return key in moves;
  }
}

/** @param {Element} target */
const pathOf = (target) => target.querySelector('.path')?.textContent ?? '';

/**
 * The last part of each path, with its parent where another file is called the same.
 * @param {string[]} paths
 */
export function shortNames(paths) {
  const parts = paths.map((path) => path.split('/'));
  const lasts = parts.map((part) => part.at(-1) ?? '');
  return parts.map((part, at) => {
    const isAlone = lasts.filter((last) => last === lasts[at]).length === 1;
    return isAlone ? lasts[at] : part.slice(-2).join('/');
  });
}
