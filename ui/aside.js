// Something else than answering: declining, or asking back.

import { act } from './bridge.js';
import { element, setText } from './element.js';
import { TextBox } from './text-box.js';

const WORDS = {
  decline: { title: 'decline_title', text: 'decline_text' },
  clarify: { title: 'ask_back_title', text: 'ask_back_text' },
};

export class Aside {
  constructor(say) {
    this.say = say;
    this.title = element('h2', { class: 'question', id: 'aside-title' });
    this.box = new TextBox({
      box: { question: 0, place: 'aside' },
      labelledBy: 'aside-title',
      describedBy: 'aside-trouble',
      multiline: true,
    });
    this.box.root.classList.add('answer-box');
    this.trouble = element('p', { class: 'trouble', id: 'aside-trouble', role: 'alert' });
    this.root = element(
      'section',
      { class: 'panel', 'aria-labelledby': 'aside-title' },
      this.title,
      this.box.root,
      this.trouble,
    );
  }

  draw(view) {
    const { aside } = view;
    this.root.classList.toggle('current', aside !== null);
    if (!aside) return;
    const words = WORDS[aside.kind];
    setText(this.title, this.say(words.title));
    this.box.root.placeholder = this.say(words.text);
    this.box.draw(view, aside.text);
    setText(this.trouble, aside.trouble ? this.say(aside.trouble.word, aside.trouble.values) : '');
  }
}
