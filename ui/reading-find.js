// The search inside of a text.

/** @import { Say } from './element.js' */

import { element, setText } from './element.js';

/** More matches than these are only counted. */
const MOST = 2000;
/** Text in different ones of these does not belong together. */
const BLOCKS = 'p, li, div, pre, td, th, h2, h3, h4, h5, h6, summary, blockquote';
const UNSEEN = '.head, [aria-hidden="true"]';

export class Find {
  /**
   * @param {HTMLElement} text
   * @param {Say} say
   */
  constructor(text, say) {
    this.text = text;
    this.say = say;
    /**
     * Opens what a match is hidden in.
     * @type {(at: Element) => void}
     */
    this.reveals = () => {};
    /** @type {Range[]} */
    this.matches = [];
    this.at = 0;
    /**
     * All of the text, and where each of its nodes begins in it.
     * @type {{ whole: string, nodes: Text[], starts: number[] } | null}
     */
    this.index = null;
    this.box = element('input', {
      type: 'text',
      class: 'reading-box',
      'aria-label': say('reading_find'),
      placeholder: say('reading_find'),
      spellcheck: 'false',
      input: () => this.look(),
    });
    this.count = element('span', { class: 'reading-count', role: 'status' });
    /** @type {HTMLElement} */
    this.root = element(
      'search',
      { class: 'reading-find', hidden: true },
      this.box,
      this.count,
      this.button('reading_find_previous', '↑', () => this.go(-1)),
      this.button('reading_find_next', '↓', () => this.go(1)),
      this.button('reading_find_close', '×', () => this.close()),
    );
    /** @type {Element | null} */
    this.before = null;
  }

  /**
   * @param {Parameters<Say>[0]} word
   * @param {string} sign
   * @param {() => void} press
   */
  button(word, sign, press) {
    const name = this.say(word);
    return element('button', { type: 'button', class: 'reading-tool', 'aria-label': name, title: name, click: press }, sign);
  }

  open() {
    if (this.root.hidden) this.before = document.activeElement;
    this.root.hidden = false;
    this.box.focus();
    this.box.select();
    if (this.box.value) this.look();
    return true;
  }

  close() {
    if (this.root.hidden) return;
    const hadKeyboard = this.root.contains(document.activeElement);
    this.root.hidden = true;
    this.matches = [];
    this.mark();
    if (hadKeyboard && this.before instanceof HTMLElement) this.before.focus({ preventScroll: true });
  }

  /** The text has changed, though not in what it says. */
  forget() {
    this.index = null;
    if (this.root.hidden || !this.box.value) return;
    const { at } = this;
    this.collect();
    this.at = Math.min(at, Math.max(0, this.matches.length - 1));
    this.mark();
  }

  /**
   * All keys are its own while it has the keyboard.
   * @param {KeyboardEvent} event
   */
  takes(event) {
    if (!this.root.contains(document.activeElement)) return false;
    if (event.isComposing || event.keyCode === 229) return true;
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && document.activeElement === this.box) this.go(event.shiftKey ? -1 : 1);
    else return event.key !== 'Tab' && !event.altKey && !(event.ctrlKey && /^[f+=-]$/i.test(event.key));
    event.preventDefault();
    return true;
  }

  /** Looks for what is in the box, from what is in sight on. */
  look() {
    this.collect();
    const { top } = this.text.getBoundingClientRect();
    const inSight = this.matches.findIndex((match) => match.getBoundingClientRect().bottom > top);
    this.at = Math.max(0, inSight);
    this.mark();
    this.scroll();
  }

  /** @param {number} by */
  go(by) {
    const { length } = this.matches;
    if (!length) return;
    this.at = (this.at + by + length) % length;
    this.mark();
    this.scroll();
  }

  collect() {
    this.matches = [];
    this.index ??= read(this.text);
    const { whole, nodes, starts } = this.index;
    const sought = lower(this.box.value);
    if (!sought) return;
    for (let at = whole.indexOf(sought), node = 0; at >= 0 && this.matches.length < MOST; at = whole.indexOf(sought, at + sought.length)) {
      while (node + 1 < starts.length && starts[node + 1] <= at) node += 1;
      let last = node;
      while (last + 1 < starts.length && starts[last + 1] < at + sought.length) last += 1;
      const range = new Range();
      range.setStart(nodes[node], at - starts[node]);
      range.setEnd(nodes[last], Math.min(at + sought.length - starts[last], nodes[last].length));
      this.matches.push(range);
    }
  }

  /** Marks all matches, and the one at which the search is. */
  mark() {
    const now = this.matches[this.at];
    show('found', this.matches.filter((match) => match !== now));
    show('found-now', now ? [now] : []);
    const total = this.matches.length < MOST ? this.matches.length : `${MOST}+`;
    const said = now ? this.say('reading_found', { n: this.at + 1, total }) : this.say('reading_found_none');
    setText(this.count, this.box.value ? said : '');
  }

  scroll() {
    const match = this.matches[this.at];
    if (!match?.startContainer.parentElement) return;
    this.reveals(match.startContainer.parentElement);
    match.startContainer.parentElement.scrollIntoView({ block: 'nearest' });
    const { top, bottom } = this.text.getBoundingClientRect();
    const there = match.getBoundingClientRect();
    // Half of the window around it tells more than its edge.
    if (there.top < top + 40 || there.bottom > bottom - 40) this.text.scrollTop += there.top - (top + bottom) / 2;
  }
}

/**
 * Marks these ranges, and no others. What a new highlight has in place of an old one WebKit does not paint
 * before something else does.
 * @param {string} name
 * @param {Range[]} ranges
 */
function show(name, ranges) {
  const marked = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, marked);
  marked.clear();
  for (const range of ranges) marked.add(range);
}

/** @param {Element} text */
function read(text) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const nodes = [];
  /** @type {number[]} */
  const starts = [];
  let whole = '';
  /** @type {Element | null | undefined} */
  let block = null;
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (!node.data || node.parentElement?.closest(UNSEEN)) continue;
    const around = node.parentElement?.closest(BLOCKS);
    if (around !== block) whole += '\n';
    block = around;
    starts.push(whole.length);
    nodes.push(node);
    whole += node.data;
  }
  return { whole: lower(whole), nodes, starts };
}

/**
 * In small letters, unless that would take another number of them.
 * @param {string} text
 */
function lower(text) {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}
