// The code, commands and diffs of a text: folding, copying, two columns, colours.

/** @import { Say } from './element.js' */

import { copy, highlight } from './bridge.js';
import { element } from './element.js';

/** What the parts of code are, in the order of `Kind` in `highlight.rs`. */
const KINDS = ['comment', 'string', 'number', 'keyword', 'function', 'type', 'attribute'];
/** Narrower than this, two columns would be mostly line breaks. */
const TWO_COLUMNS = 860;
/** Milliseconds of a frame that colours may take. */
const SLICE = 6;
/** How long a button says that it has copied. */
const COPIED = 1500;
/** What is this near to the text in sight gets its colours. */
const NEAR = '800px';
const ROWS = '.same, .removed, .added';

export class Code {
  /**
   * @param {HTMLElement} text
   * @param {Say} say
   */
  constructor(text, say) {
    this.text = text;
    this.say = say;
    /** Says that the nodes of the text are others now. */
    this.changed = () => {};
    this.hasDiff = false;
    /** Diffs are shown in two columns. */
    this.isTurned = false;
    /** @type {IntersectionObserver | null} */
    this.observer = null;
    /**
     * The rows of each part of a diff, as they came.
     * @type {Map<Element, Element[]>}
     */
    this.parts = new Map();
  }

  /** Another text is there. */
  take() {
    this.isTurned = false;
    this.hasDiff = this.text.querySelector('.diff') !== null;
    this.parts = new Map();
    for (const block of this.text.querySelectorAll('pre, .file')) block.append(this.copyButton(block));
    for (const fold of this.text.querySelectorAll('.fold > summary')) {
      fold.textContent = this.say('reading_lines', { n: /** @type {HTMLElement} */ (fold).dataset.lines ?? '' });
    }
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (this.text.querySelectorAll('.diff .part'))) {
      this.parts.set(part, [...part.children]);
      // As high as it will be, unless lines are broken: so the scrollbar tells how long the text is.
      part.style.containIntrinsicHeight = `auto ${part.childElementCount}lh`;
    }
    for (const command of /** @type {NodeListOf<HTMLElement>} */ (this.text.querySelectorAll('.command[data-lines]'))) {
      this.fold(command);
    }
    if (this.observer) this.colour();
  }

  /**
   * Folds a long command, under a button that says so.
   * @param {HTMLElement} command
   */
  fold(command) {
    const all = this.say('reading_show_all', { n: command.dataset.lines ?? '' });
    const button = element('button', { type: 'button', class: 'reading-more', 'aria-expanded': 'false' }, all);
    button.addEventListener('click', () => {
      const folded = command.classList.toggle('folded');
      button.textContent = folded ? all : this.say('reading_show_less');
      button.setAttribute('aria-expanded', String(!folded));
    });
    command.classList.add('folded');
    command.after(button);
  }

  /**
   * Opens all that an element is folded in.
   * @param {Element} at
   */
  reveal(at) {
    for (let fold = at.closest('details:not([open])'); fold; fold = fold.parentElement?.closest('details:not([open])') ?? null) {
      fold.setAttribute('open', '');
    }
    const more = at.closest('.rest') && at.closest('.folded')?.nextElementSibling;
    if (more instanceof HTMLElement) more.click();
  }

  /** @param {Element} block */
  copyButton(block) {
    const name = this.say('reading_copy');
    const button = element('button', { type: 'button', class: 'reading-copy', 'aria-label': name, title: name });
    button.addEventListener('click', () => {
      copy(this.source(block));
      button.classList.add('done');
      button.setAttribute('aria-label', this.say('reading_copied'));
      setTimeout(() => {
        button.classList.remove('done');
        button.setAttribute('aria-label', name);
      }, COPIED);
    });
    return button;
  }

  /**
   * The source of a block.
   * @param {Element} block
   */
  source(block) {
    if (block.matches('pre')) return block.querySelector('code')?.textContent?.replace(/\n$/, '') ?? '';
    const parts = [...block.querySelectorAll('.part')].flatMap((part) => this.parts.get(part) ?? []);
    const rows = parts.flatMap((row) => (row.matches('.fold') ? [...row.querySelectorAll(ROWS)] : [row]));
    return rows.map((row) => row.textContent).join('\n');
  }

  /**
   * Whether there is a diff and room for two columns of it. Without the room there is one.
   * @param {number} width
   */
  fits(width) {
    const fits = this.hasDiff && width >= TWO_COLUMNS;
    if (!fits && this.isTurned) this.turn();
    return fits;
  }

  /** Shows diffs in two columns, or in one again. */
  turn() {
    this.isTurned = !this.isTurned;
    for (const [part, rows] of this.parts) this.lay(part, rows);
    this.text.classList.toggle('two-columns', this.isTurned);
    this.changed();
  }

  /**
   * @param {Element} part
   * @param {Element[]} rows
   */
  lay(part, rows) {
    for (const fold of rows.filter((row) => row.matches('.fold'))) {
      const folded = [...fold.querySelectorAll(`${ROWS}:not([aria-hidden])`)];
      fold.replaceChildren(fold.children[0], ...(this.isTurned ? paired(folded) : folded));
    }
    part.replaceChildren(...(this.isTurned ? paired(rows) : rows));
  }

  /** Colours what is in sight and near to it, from now on. */
  colour() {
    this.observer?.disconnect();
    const observer = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) {
          if (!isIntersecting) continue;
          observer.unobserve(target);
          this.colourBlock(/** @type {HTMLElement} */ (target));
        }
      },
      { root: this.text, rootMargin: NEAR },
    );
    this.observer = observer;
    for (const block of this.text.querySelectorAll('[data-language]')) observer.observe(block);
  }

  /** @param {HTMLElement} block */
  async colourBlock(block) {
    const language = block.dataset.language ?? '';
    if (block.matches('pre')) {
      const code = block.querySelector('code');
      if (!code) return;
      const lines = (code.textContent ?? '').split('\n');
      const coloured = await highlight(language, lines, false);
      paint(code, placed(lines, coloured));
    } else {
      const rows = /** @type {Element[]} */ ([...block.querySelectorAll(`:is(${ROWS}):not([aria-hidden]) > span`)]);
      const coloured = await highlight(language, rows.map((row) => row.textContent ?? ''), true);
      await inSlices(rows, (row, index) => paint(row, coloured[index] ?? []));
      if (this.isTurned) for (const [part, of] of this.parts) if (block.contains(part)) this.lay(part, of);
    }
    if (block.isConnected) this.changed();
  }
}

/**
 * The rows side by side: what was removed beside what was added for it, and what is the same twice.
 * @param {Element[]} rows
 */
function paired(rows) {
  /** @type {Element[]} */
  const pairs = [];
  /** @type {Element[]} */
  let removed = [];
  /** @type {Element[]} */
  let added = [];
  const pair = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      pairs.push(element('div', { class: 'pair' }, removed[at] ?? nothing(), added[at] ?? nothing()));
    }
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.matches('.removed')) {
      if (added.length) pair();
      removed.push(row);
    } else if (row.matches('.added')) {
      added.push(row);
    } else {
      pair();
      pairs.push(row.matches('.same') ? twice(row) : row);
    }
  }
  pair();
  return pairs;
}

/** @param {Element} row */
function twice(row) {
  const old = /** @type {Element} */ (row.cloneNode(true));
  old.setAttribute('aria-hidden', 'true');
  return element('div', { class: 'pair' }, old, row);
}

const nothing = () => element('div', { class: 'nothing' });

/**
 * The parts of all lines, counted from the beginning of the block.
 * @param {string[]} lines
 * @param {number[][]} coloured
 */
function placed(lines, coloured) {
  let start = 0;
  return lines.flatMap((line, index) => {
    const parts = (coloured[index] ?? []).map((value, at) => (at % 3 === 2 ? value : value + start));
    start += line.length + 1;
    return parts;
  });
}

/**
 * Puts the parts of a text into elements of their kind. Whatever they are, the text stays text.
 * @param {Element} holder
 * @param {number[]} parts start, end and kind of each
 */
function paint(holder, parts) {
  if (!parts.length) return;
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const nodes = [];
  while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
  let start = 0;
  let next = 0;
  for (const node of nodes) {
    const { data } = node;
    const end = start + data.length;
    /** @type {(string | Node)[]} */
    const pieces = [];
    let at = start;
    for (; next < parts.length && parts[next] < end; next += 3) {
      const [from, to] = [Math.max(parts[next], start), Math.min(parts[next + 1], end)];
      if (from > at) pieces.push(data.slice(at - start, from - start));
      pieces.push(element('span', { class: `code-${KINDS[parts[next + 2]]}` }, data.slice(from - start, to - start)));
      at = to;
      // The rest of it is in the next node.
      if (parts[next + 1] > end) break;
    }
    if (pieces.length) node.replaceWith(...pieces, data.slice(at - start));
    start = end;
  }
}

/**
 * Does something with each item, a little in every frame.
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item, index: number) => void} act
 */
async function inSlices(items, act) {
  let began = performance.now();
  for (const [index, item] of items.entries()) {
    act(item, index);
    if (performance.now() - began < SLICE) continue;
    await new Promise(requestAnimationFrame);
    began = performance.now();
  }
}
