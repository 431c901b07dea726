// A note to the answer of one question: a button until it is wanted.

/** @import { QuestionView, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element } from './element.js';
import { TextBox } from './text-box.js';

export class Note {
  /**
   * @param {number} question
   * @param {Say} say
   */
  constructor(question, say) {
    this.button = element(
      'button',
      { type: 'button', class: 'quiet add-note', 'data-focus': 'button', click: () => act({ name: 'open_note' }) },
      say('add_note'),
    );
    this.box = new TextBox({
      box: { question, field: 'note' },
      label: say('note'),
      placeholder: say('note_placeholder'),
      multiline: true,
    });
    this.root = element('div', { class: 'note' }, this.button, this.box.root);
  }

  /**
   * @param {View} view
   * @param {QuestionView} question
   */
  draw(view, question) {
    this.button.hidden = question.note_open;
    this.box.root.hidden = !question.note_open;
    this.box.draw(view, question.note);
  }
}
