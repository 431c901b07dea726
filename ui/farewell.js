// The brief last state, when the answer is on its way.

import { act } from './bridge.js';
import { element, setText } from './element.js';

const WORDS = { sent: 'sent', declined: 'declined', asked_back: 'asked_back', timed_out: 'timed_out', withdrawn: 'withdrawn' };

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
    const word = WORDS[phase];
    this.root.hidden = !word;
    if (word) setText(this.words, this.say(word));
  }
}
