// What is to be said about the dialog as a whole: a line, or a question with its answers.

/** @import { Button, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setPhrase } from './element.js';

export class Notice {
  /** @param {Say} say */
  constructor(say) {
    this.say = say;
    this.drawn = '[]';
    this.words = element('p', {});
    this.buttons = element('span', { class: 'notice-buttons' });
    this.root = element('div', { class: 'notice', role: 'status', hidden: true }, this.words, this.buttons);
  }

  /** @param {View} view */
  draw({ notice }) {
    this.root.hidden = notice === null;
    this.root.dataset.tone = notice?.tone ?? '';
    setPhrase(this.words, notice, this.say);
    // One that was replaced between the press of a mouse button and its release gets no click.
    const drawn = JSON.stringify(notice?.buttons ?? []);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.buttons.replaceChildren(...(notice?.buttons ?? []).map((button) => this.button(button)));
  }

  /** @param {Button} button */
  button({ word, values, action }) {
    const focus = action.name === 'keep_answering' ? 'keep' : 'button';
    return element('button', { type: 'button', class: 'plain', 'data-focus': focus, click: () => act(action) }, this.say(word, values));
  }
}
