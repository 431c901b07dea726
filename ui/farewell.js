// The brief last state, when the answer is on its way; or the longer one, in which a decline can be
// taken back.

/** @import { View, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setText } from './element.js';

export class Farewell {
  /** @param {Say} say */
  constructor(say) {
    this.say = say;
    this.words = element('p', {});
    this.mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
    /** @type {(className: string, word: Word, name: 'undo' | 'close') => HTMLElement} */
    const button = (className, word, name) =>
      element('button', { type: 'button', class: className, 'data-focus': 'button', click: () => act({ name }) }, say(word));
    /** @type {(keys: string, word: Word) => HTMLElement} */
    const key = (keys, word) => element('span', { class: 'hint-key' }, element('kbd', {}, keys), ` ${say(word)}`);
    this.undo = element(
      'div',
      { class: 'undo', hidden: true },
      element('p', {}, say('declined_undo')),
      element('div', { class: 'buttons' }, button('plain', 'undo', 'undo'), button('primary', 'done', 'close')),
      element('p', { class: 'keys', 'aria-hidden': 'true' }, key('Ctrl+Z', 'key_undo'), key('Enter', 'key_done')),
    );
    this.root = element('div', { class: 'farewell', role: 'status', tabindex: '-1', hidden: true }, this.mark, this.words, this.undo);
  }

  /** @param {View} view */
  draw({ farewell, undo }) {
    const came = undo && this.undo.hidden;
    this.undo.hidden = !undo;
    this.root.hidden = farewell === null;
    if (farewell !== null) setText(this.words, this.say(farewell));
    // Away from the box in which the reason was typed: from here its keys mean something else.
    if (came) this.root.focus();
  }

  /** Whether it covers all else. */
  covers() {
    return !this.root.hidden;
  }
}
