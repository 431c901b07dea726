// Who asks, from where, and how long there is.

/** @import { DialogSheet, Folder, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element, setPhrase, setText } from './element.js';

export class Caller {
  /**
   * @param {DialogSheet} sheet
   * @param {Folder | null} folder
   * @param {Say} say
   */
  constructor(sheet, folder, say) {
    this.say = say;
    /** @type {(() => void) | null} */
    this.toggle = null;
    this.countdown = element('span', { class: 'countdown', role: 'timer', hidden: true });
    this.others = element('button', { type: 'button', class: 'others', 'data-focus': 'button', 'aria-expanded': 'false', hidden: true, click: () => this.toggle?.() });
    this.root = element(
      'header',
      { class: 'caller' },
      element('h1', { class: 'agent', id: 'asks', title: sheet.asks }, sheet.asks),
      folder && element('span', { class: 'folder', title: folder.full }, folder.short),
      sheet.host && element('span', { class: 'host' }, say('from_host', { host: sheet.host })),
      // The countdown stays where it is when there are others.
      element('span', { class: 'caller-end' }, this.others, this.countdown),
    );
  }

  /**
   * How many other dialogs are open; `toggle` shows them, if they are not to be seen already.
   * @param {number} count
   * @param {(() => void) | null} toggle
   */
  drawOthers(count, toggle) {
    this.others.hidden = count < 1 || toggle === null;
    this.toggle = toggle;
    if (count > 0) setText(this.others, this.say('others', { count }));
  }

  /** @param {View} view */
  draw({ countdown }) {
    this.countdown.hidden = !countdown;
    this.countdown.classList.toggle('soon', countdown?.soon ?? false);
    setPhrase(this.countdown, countdown && countdown.text, this.say);
  }
}
