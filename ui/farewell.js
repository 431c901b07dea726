// The brief last state, when the answer is on its way.

import { element, setText } from './element.js';

const WORDS = { sent: 'sent', declined: 'declined', asked_back: 'asked_back', timed_out: 'timed_out' };

export class Farewell {
  constructor(say) {
    this.say = say;
    this.words = element('p', {});
    this.mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
    this.root = element('div', { class: 'farewell', role: 'status', hidden: true }, this.mark, this.words);
  }

  draw({ phase }) {
    const word = WORDS[phase];
    this.root.hidden = !word;
    if (word) setText(this.words, this.say(word));
  }
}
