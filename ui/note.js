// A note to the answer of one question: a button until it is wanted.

import { act } from './bridge.js';
import { element } from './element.js';
import { TextBox } from './text-box.js';

export class Note {
  constructor(question, say) {
    this.button = element(
      'button',
      { type: 'button', class: 'quiet add-note', 'data-place': 'button', click: () => act({ name: 'open_note' }) },
      say('add_note'),
    );
    this.box = new TextBox({
      box: { question, place: 'note' },
      label: say('note'),
      placeholder: say('note_placeholder'),
      multiline: true,
    });
    this.root = element('div', { class: 'note' }, this.button, this.box.root);
  }

  draw(view, question) {
    this.button.hidden = question.note_open;
    this.box.root.hidden = !question.note_open;
    this.box.draw(view, question.note);
  }
}
