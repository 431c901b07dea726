// What the person should read before they answer: it scrolls by itself, has an outline and a search, and
// takes the whole window if they want.

/** @import { Say } from './element.js' */

import { element, safeHtml } from './element.js';
import { Code } from './reading-code.js';
import { Find } from './reading-find.js';
import { Outline } from './reading-outline.js';

/** Shorter texts need no tools. */
const LONG = 2000;
/** From here on there is room for the outline at the side. */
const WIDE = 760;
/** What a page leaves in sight of the one before, and what an arrow moves. */
const OVERLAP = 48;
const STEP = 56;

export class Reading {
  /**
   * @param {string} html that Rust has made safe
   * @param {{ say: Say, label: string }} options
   */
  constructor(html, { say, label }) {
    this.say = say;
    this.text = element('section', { class: 'reading-text prose', 'aria-label': label, scroll: () => this.settle() });
    this.find = new Find(this.text, say);
    this.outline = new Outline(this.text, say);
    this.code = new Code(this.text, say);
    this.code.changed = () => this.find.forget();
    this.find.reveals = (at) => this.code.reveal(at);

    this.listing = this.tool('reading_contents', () => this.root.classList.toggle('listing'));
    this.listing.classList.add('reading-listing');
    this.siding = this.tool('reading_side_by_side', () => this.turnDiffs());
    this.wholeTool = this.tool('reading_whole', () => this.turnWhole(), 'F11');
    this.tools = element(
      'div',
      { class: 'reading-tools' },
      this.listing,
      this.siding,
      this.tool('reading_find', () => this.find.open(), 'Ctrl+F'),
      this.wholeTool,
    );
    /** @type {HTMLElement} */
    this.root = element(
      'div',
      { class: 'reading', 'data-focus': 'button' },
      this.tools,
      this.find.root,
      element('div', { class: 'reading-body' }, this.outline.root, this.text),
    );
    /**
     * What had the keyboard before the text took the whole window.
     * @type {Element | null}
     */
    this.before = null;
    this.show(html);
    const sizes = new ResizeObserver(() => this.settle());
    sizes.observe(this.root);
    sizes.observe(this.text);
    // Colours come once the text itself has been seen.
    if (document.body.dataset.painted) this.code.colour();
    else document.addEventListener('painted', () => this.code.colour(), { once: true });
  }

  /**
   * Shows another text.
   * @param {string | Node} content HTML that Rust has made safe, or an element
   */
  show(content) {
    this.find.close();
    this.text.replaceChildren(...(typeof content === 'string' ? safeHtml('div', {}, content).childNodes : [content]));
    this.find.forget();
    this.code.take();
    this.outline.draw();
    const { length } = this.text.textContent ?? '';
    this.isLong = length > LONG || this.code.hasDiff || this.outline.isUseful;
    this.root.classList.toggle('long', this.isLong);
    this.root.classList.toggle('outlined', this.outline.isUseful);
    this.listing.hidden = !this.outline.isUseful;
    this.text.scrollTop = 0;
  }

  /**
   * @param {Parameters<Say>[0]} word
   * @param {() => void} press
   * @param {string} [key]
   */
  tool(word, press, key) {
    return element(
      'button',
      { type: 'button', class: 'reading-tool', 'aria-keyshortcuts': key?.replace('Ctrl', 'Control'), title: key, click: press },
      this.say(word),
    );
  }

  /** Knows by its size and place what there is to scroll to. */
  settle() {
    this.root.classList.toggle('wide', this.root.clientWidth >= WIDE);
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = this.text;
    this.scrolls = scrollHeight > clientHeight + 1;
    this.root.classList.toggle('cut', this.scrolls && scrollTop + clientHeight < scrollHeight - 2);
    if (this.scrolls) this.text.tabIndex = 0;
    else this.text.removeAttribute('tabindex');
    this.siding.hidden = !this.code.fits(clientWidth);
    this.siding.textContent = this.say(this.code.isTurned ? 'reading_inline' : 'reading_side_by_side');
  }

  turnDiffs() {
    this.code.turn();
    this.settle();
  }

  get isWhole() {
    return this.root.classList.contains('whole');
  }

  /** Takes the whole window, or gives it back. */
  turnWhole() {
    const whole = this.root.classList.toggle('whole');
    this.wholeTool.textContent = this.say(whole ? 'reading_whole_end' : 'reading_whole');
    if (whole) {
      this.before = document.activeElement;
      this.settle();
      this.text.focus({ preventScroll: true });
    } else {
      this.find.close();
      if (this.before instanceof HTMLElement) this.before.focus({ preventScroll: true });
    }
  }

  /**
   * Whether the key is for what is read: then it has been done, and must answer nothing.
   * @param {KeyboardEvent} event
   */
  takes(event) {
    if (this.find.takes(event)) return true;
    const done = this.act(event);
    if (done) event.preventDefault();
    // What lies behind the whole window cannot be seen, so it cannot be answered.
    else if (this.isWhole && this.pressesElsewhere(event)) event.preventDefault();
    return done || (this.isWhole && !event.altKey);
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  act({ key, ctrlKey, shiftKey, altKey, metaKey }) {
    if (altKey || metaKey || !(this.isLong || this.scrolls)) return false;
    if (ctrlKey) return !shiftKey && key.toLowerCase() === 'f' && this.find.open();
    if (key === 'F11' || (key === 'Escape' && this.isWhole)) {
      this.turnWhole();
      return true;
    }
    return this.scrollBy(key, shiftKey);
  }

  /**
   * @param {string} key
   * @param {boolean} back
   */
  scrollBy(key, back) {
    const focused = document.activeElement;
    if (!this.scrolls || focused?.matches('input:not([type=radio], [type=checkbox]), textarea')) return false;
    if (this.outline.root.contains(focused) && this.outline.moves(key)) return true;
    const page = this.text.clientHeight - OVERLAP;
    /** @type {Record<string, number>} */
    const anywhere = { PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    /** @type {Record<string, number>} */
    const here = { ArrowDown: STEP, ArrowUp: -STEP, ...(focused === this.text && { ' ': back ? -page : page }) };
    const by = anywhere[key] ?? (this.root.contains(focused) ? here[key] : undefined);
    if (by === undefined) return false;
    this.text.scrollTop = Math.min(Math.max(0, this.text.scrollTop + by), this.text.scrollHeight);
    return true;
  }

  /** @param {KeyboardEvent} event */
  pressesElsewhere({ key }) {
    return (key === 'Enter' || key === ' ') && !this.root.contains(document.activeElement);
  }
}
