// The open dialogs, when there is more than one: who asks, from where, since when.

import { jump, mute, widen } from './bridge.js';
import { element, setState, setText, speaker } from './element.js';

/** How wide the list is beside a dialog. */
const WIDTH = 260;
/** How often it is worth looking how long each has waited. */
const LOOK_AGAIN = 30_000;
const STATES = { waiting: 'state_waiting', shown: 'state_shown', set_aside: 'state_set_aside', caller_left: 'state_caller_left' };

export class Inbox {
  constructor() {
    this.rows = [];
    this.dialog = null;
    this.entries = new Map();
    this.title = element('h2', {});
    this.list = element('div', { class: 'inbox-list', role: 'list' });
    this.warning = null;
    this.root = element('nav', { class: 'inbox', hidden: true }, this.title, this.list);
    this.timer = null;
    this.beside = false;
  }

  /** The dialog on the stage: its row is marked, and it says how many others wait. */
  select(dialog) {
    this.dialog = dialog;
    this.say = dialog?.say ?? this.say;
    // What is under the pointer must not move while a dialog is there.
    document.documentElement.style.removeProperty('--dialog-width');
    this.root.classList.remove('open');
    this.update();
  }

  draw({ rows, warning }) {
    this.rows = rows;
    this.warning = warning;
    this.update();
  }

  update() {
    const { dialog, rows, say } = this;
    if (!say) return;
    const several = rows.length > 1 && dialog !== null;
    if (several && this.root.hidden) this.appear();
    this.root.hidden = !several;
    if (!several) document.documentElement.style.removeProperty('--dialog-width');
    dialog?.caller.drawOthers(rows.length - 1, this.beside ? null : () => this.toggle());
    dialog?.warn(this.warning);
    setText(this.title, say('inbox_title', { count: rows.length }));
    setState(this.root, 'aria-label', say('inbox_title', { count: rows.length }));
    this.list.replaceChildren(...rows.map((row) => this.entry(row)));
    clearInterval(this.timer);
    this.timer = several ? setInterval(() => this.update(), LOOK_AGAIN) : null;
  }

  /** Comes beside the dialog if the window can grow, and over it otherwise. */
  async appear() {
    const width = this.dialog.root.offsetWidth;
    document.documentElement.style.setProperty('--dialog-width', `${width}px`);
    this.beside = innerWidth >= width + WIDTH || (await widen(WIDTH));
    this.root.classList.toggle('over', !this.beside);
    this.update();
  }

  toggle() {
    this.root.classList.toggle('open');
  }

  entry(row) {
    const { say } = this;
    const current = row.ticket === this.dialog?.ticket;
    const waits = say('waits', { time: this.time(row.asked_at) });
    return element(
      'div',
      { class: 'inbox-row', role: 'listitem' },
      element(
        'button',
        {
          type: 'button',
          class: 'inbox-jump',
          'data-place': 'button',
          'data-ticket': row.ticket,
          'aria-current': current ? 'true' : null,
          click: () => !current && jump(row.ticket),
        },
        element('span', { class: 'inbox-who' }, [row.agent, row.folder].filter(Boolean).join(' · ')),
        element('span', { class: 'inbox-about', dir: 'auto' }, row.about),
        element('span', { class: 'inbox-state' }, [say(STATES[row.state]), waits].join(' · ')),
      ),
      element(
        'button',
        { type: 'button', class: 'inbox-mute', 'data-place': 'button', title: say('mute'), 'aria-label': say('mute'), click: () => mute(row.ticket) },
        '⏾',
      ),
    );
  }

  time(since) {
    const minutes = Math.floor((Date.now() - since) / 60_000);
    if (minutes < 1) return this.say('less_than_a_minute');
    return minutes < 60 ? this.say('minutes', { n: minutes }) : this.say('hours', { n: Math.floor(minutes / 60) });
  }

  /** The ticket next to the one on the stage. */
  neighbour(step) {
    const here = this.rows.findIndex((row) => row.ticket === this.dialog?.ticket);
    return this.rows[(here + step + this.rows.length) % this.rows.length]?.ticket;
  }

  jumpTo(step) {
    const ticket = this.rows.length > 1 && this.neighbour(step);
    if (ticket) jump(ticket);
  }
}
