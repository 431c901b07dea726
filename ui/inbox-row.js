// An open dialog in the list.

/** @import { OpenState, Piece, Row, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { jump, mute } from './bridge.js';
import { element, setState, setText } from './element.js';

/**
 * A new one has a dot, and what was only seen needs no word.
 * @type {Record<OpenState, Word | null>}
 */
const STATES = { waiting: 'state_waiting', shown: null, set_aside: 'state_set_aside', caller_left: 'state_caller_left' };

export class InboxRow {
  /**
   * @param {string} ticket
   * @param {Say} say
   */
  constructor(ticket, say) {
    this.say = say;
    this.agent = element('span', { class: 'inbox-agent' });
    this.folder = element('span', { class: 'inbox-folder' });
    this.time = element('span', { class: 'inbox-time' });
    this.about = element('span', { class: 'inbox-about', dir: 'auto' });
    this.subject = element('code', { class: 'inbox-subject', dir: 'ltr' });
    this.state = element('span', { class: 'inbox-state' });
    this.jump = element(
      'button',
      { type: 'button', class: 'inbox-jump', 'data-focus': 'button', 'data-ticket': ticket, click: () => this.current || jump(ticket) },
      element('span', { class: 'inbox-who' }, this.agent, this.folder, this.time),
      this.about,
      this.subject,
      this.state,
    );
    this.mute = element('button', {
      type: 'button',
      class: 'inbox-mute',
      'data-focus': 'button',
      click: () => mute(ticket, !this.muted),
    });
    this.root = element('div', { class: 'inbox-row', role: 'listitem' }, this.jump, this.mute);
  }

  /**
   * @param {Row} row
   * @param {boolean} current
   */
  draw(row, current) {
    const { say } = this;
    this.current = current;
    this.muted = row.muted;
    setText(this.agent, row.agent);
    const where = [row.folder, row.host && say('from_host', { host: row.host })];
    setText(this.folder, where.filter(Boolean).join(' · '));
    setText(this.time, this.waited(row.asked_at));
    this.drawAbout(row.about);
    setText(this.subject, row.subject ?? '');
    const state = row.muted ? 'state_muted' : STATES[row.state];
    setText(this.state, state ? say(state) : '');
    this.root.dataset.state = row.muted ? 'muted' : row.state;
    setState(this.jump, 'aria-current', current);
    setState(this.mute, 'aria-pressed', row.muted);
    const title = say(row.mute.word, row.mute.values);
    setState(this.mute, 'title', title);
    setState(this.mute, 'aria-label', title);
  }

  /** @param {Piece[]} pieces */
  drawAbout(pieces) {
    if (this.about.textContent === pieces.map(({ text }) => text).join('')) return;
    this.about.replaceChildren(...pieces.map(({ text, is_code: isCode }) => (isCode ? element('code', {}, text) : text)));
  }

  focus() {
    this.jump.focus();
  }

  /** @param {number} since */
  waited(since) {
    const minutes = Math.floor((Date.now() - since) / 60_000);
    if (minutes < 1) return this.say('now');
    if (minutes < 60) return this.say('minutes', { n: minutes });
    return minutes < 24 * 60 ? this.say('hours', { n: Math.floor(minutes / 60) }) : this.say('days', { n: Math.floor(minutes / 1440) });
  }
}
