// The brief last state, when the answer is on its way.

import { act } from './bridge.js';
import { element, setText } from './element.js';

/** The phases in which there is something to say: the words have their names. */
const ENDINGS = ['sent', 'declined', 'asked_back', 'timed_out', 'withdrawn', 'answered_elsewhere', 'ended_elsewhere'];

export class Farewell {
  constructor(say) {
    this.say = say;
    this.words = element('p', {});
    this.mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
    const button = (className, word, name) =>
      element('button', { type: 'button', class: className, 'data-place': 'button', click: () => act({ name }) }, say(word));
    this.choices = element('div', { class: 'buttons', hidden: true }, button('plain', 'undo', 'undo'), button('primary', 'done', 'close'));
    this.root = element('div', { class: 'farewell', role: 'status', hidden: true }, this.mark, this.words, this.choices);
  }

  draw({ phase, undo }) {
    this.choices.hidden = !undo;
    this.root.hidden = !ENDINGS.includes(phase);
    if (!this.root.hidden) setText(this.words, this.say(phase));
  }
}
