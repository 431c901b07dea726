// The open dialogs, when there is more than one: who asks, from where, about what, since when.

/** @import { PageMessage, Row, Warning } from '../tests/types/page' */
/** @import { Dialog } from './dialog.js' */
/** @import { Say } from './element.js' */

import { jump, widen } from './bridge.js';
import { element, setState, setText } from './element.js';
import { InboxRow } from './inbox-row.js';

/** How wide the list is beside a dialog. */
const WIDTH = 260;
/** What it must leave to the dialog there. */
const LEAST = 480;
/** More rows than these take longer to lay out than a dialog may wait for them. */
const FEW = 20;
/** How long a window takes at most to move, if it does. */
const MOVED = 300;
/** How often it is worth looking how long each has waited. */
const LOOK_AGAIN = 30_000;

export class Inbox {
  constructor() {
    /**
     * The words come before anything is drawn.
     * @type {Say}
     */
    this.say = (key) => key;
    /** @type {Dialog | null} */
    this.dialog = null;
    /** How many dialogs are open; known before the list of them. */
    this.open = 0;
    /** @type {Row[]} */
    this.rows = [];
    /**
     * What is drawn of each row, by ticket.
     * @type {Map<string, InboxRow>}
     */
    this.drawn = new Map();
    /** @type {Warning | null} */
    this.warning = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.title = element('h2', {});
    this.list = element('div', { class: 'inbox-list', role: 'list' });
    this.keys = element('p', { class: 'inbox-keys', 'aria-hidden': 'true' });
    this.root = element(
      'nav',
      { class: 'inbox', hidden: true, keydown: (event) => this.leave(event), focusout: (event) => this.left(event) },
      this.title,
      this.list,
      this.keys,
    );
    /** Whether it stands beside the dialog; otherwise it opens over it. */
    this.beside = false;
    /** Whether the dialog has been painted, so that nothing in it may move any more. */
    this.settled = false;
    /** Whether the row of the dialog has to be brought in sight. */
    this.sought = false;
    /** The width that the window shall have once it has made room. */
    this.awaited = Infinity;
    addEventListener('resize', () => this.resized());
  }

  /**
   * The dialog that has just come on the stage, if any, as one of so many. Its list comes next.
   * @param {Dialog | null} dialog
   * @param {number} open
   */
  select(dialog, open) {
    this.dialog = dialog;
    this.open = open;
    this.settled = false;
    this.sought = true;
    // They come back with the list, which a dialog that is one of many gets only once it is painted.
    if (this.root.hidden) this.list.hidden = this.drawn.size > FEW;
    this.root.hidden = true;
    this.root.classList.remove('open');
    this.awaited = Infinity;
    this.resized();
    this.arrange();
  }

  /** From now on what is under the pointer stays there. */
  settle() {
    this.settled = true;
    this.seek();
  }

  /**
   * The size of the window in which the list has its place beside the dialog.
   * @param {{ width: number, height: number }} size
   */
  around({ width, height }) {
    if (this.root.hidden) return { width, height };
    this.awaited = width + WIDTH;
    return { width: this.awaited, height };
  }

  /** @param {Extract<PageMessage, { type: 'list' }>} list */
  draw({ rows, warning }) {
    this.rows = rows;
    this.open = rows.length;
    this.warning = warning;
    this.arrange();
    this.drawRows();
  }

  arrange() {
    const { dialog, say } = this;
    // Once there it stays as long as the dialog does: were it to go, the dialog would move.
    const listed = dialog !== null && (this.open > 1 || !this.root.hidden);
    if (listed && this.root.hidden && this.settled) this.arrive(dialog);
    this.root.hidden = !listed;
    this.place();
    dialog?.warn(this.warning);
    const title = this.open === 1 ? say('inbox_one') : say('inbox_title', { count: this.open });
    setText(this.title, title);
    setState(this.root, 'aria-label', title);
    if (!this.keys.firstChild) this.keys.append(element('kbd', {}, 'Alt+↑'), ' ', element('kbd', {}, 'Alt+↓'), ` ${say('key_jump')}`);
    clearInterval(this.timer);
    this.timer = listed ? setInterval(() => this.drawRows(), LOOK_AGAIN) : undefined;
  }

  /** Draws each row where it was, since the keyboard or the pointer may be on it. */
  drawRows() {
    this.list.hidden = false;
    const before = this.drawn;
    const rows = this.rows.map(({ ticket }) => before.get(ticket) ?? new InboxRow(ticket, this.say));
    this.drawn = new Map(this.rows.map(({ ticket }, index) => [ticket, rows[index]]));
    for (const [ticket, row] of before) if (!this.drawn.has(ticket)) row.root.remove();
    this.rows.forEach((row, index) => {
      const drawn = rows[index];
      drawn.draw(row, row.ticket === this.dialog?.ticket);
      if (this.list.children[index] !== drawn.root) this.list.insertBefore(drawn.root, this.list.children[index] ?? null);
    });
    this.seek();
  }

  /** Once it stands there, the list is the person's to scroll. */
  seek() {
    const row = this.dialog && this.drawn.get(this.dialog.ticket);
    if (!row || !this.sought || this.list.hidden) return;
    const bring = () => row.root.scrollIntoView({ block: 'nearest' });
    bring();
    // Those that have come in sight by this may be taller than they were taken for.
    requestAnimationFrame(() => requestAnimationFrame(bring));
    this.sought = !this.settled;
  }

  /**
   * Comes to a dialog that is being answered: beside it if the window can grow, over it otherwise.
   * @param {Dialog} dialog
   */
  arrive(dialog) {
    this.beside = false;
    const { width } = dialog.size();
    // A window that is wide enough for both would have to make the dialog narrower.
    if (innerWidth >= width + WIDTH) return;
    this.awaited = innerWidth + WIDTH;
    const { style } = document.documentElement;
    style.setProperty('--dialog-width', `${innerWidth}px`);
    // The window moves before the page is drawn anew, and a click in between would hit something else.
    style.pointerEvents = 'none';
    setTimeout(() => (style.pointerEvents = ''), MOVED);
    widen(WIDTH).then((grows) => {
      if (grows) return;
      this.awaited = Infinity;
      this.resized();
    });
  }

  resized() {
    const hasRoom = innerWidth >= LEAST + WIDTH;
    const grown = innerWidth >= this.awaited;
    this.beside = hasRoom && (!this.settled || this.beside || grown);
    // A window may take its size in several steps.
    if (grown) this.awaited = Infinity;
    const { style } = document.documentElement;
    style.removeProperty('--dialog-width');
    style.pointerEvents = '';
    this.place();
  }

  place() {
    this.root.classList.toggle('over', !this.beside);
    this.dialog?.caller.drawOthers(this.open - 1, this.beside ? null : () => this.toggle());
  }

  toggle() {
    const open = this.root.classList.toggle('open');
    if (!this.dialog) return;
    setState(this.dialog.caller.others, 'aria-expanded', open);
    if (open) this.drawn.get(this.dialog.ticket)?.focus();
  }

  close() {
    if (this.root.classList.contains('open')) this.toggle();
  }

  /**
   * Esc leaves the list, not the dialog.
   * @param {KeyboardEvent} event
   */
  leave(event) {
    if (event.key !== 'Escape' || this.beside) return;
    event.stopPropagation();
    this.close();
    this.dialog?.caller.others.focus();
  }

  /** @param {FocusEvent} event */
  left({ relatedTarget }) {
    const goes = relatedTarget instanceof Node && !this.root.contains(relatedTarget) && relatedTarget !== this.dialog?.caller.others;
    if (goes) this.close();
  }

  /**
   * To the dialog that is so many rows further on; behind the last comes the first.
   * @param {number} step
   */
  jumpTo(step) {
    const { length } = this.rows;
    const here = this.rows.findIndex((row) => row.ticket === this.dialog?.ticket);
    const from = here < 0 && step < 0 ? 0 : here;
    const next = this.rows[(from + step + length) % length];
    if (next && next.ticket !== this.dialog?.ticket) jump(next.ticket);
  }
}
