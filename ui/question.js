// One question: its text, its control, its error and its note.

/** @import { QuestionSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element, safeHtml, setPhrase } from './element.js';
import { Cards } from './cards.js';
import { Note } from './note.js';
import { AnswerBox } from './text-box.js';

export class Question {
  /**
   * @param {QuestionSheet} sheet
   * @param {number} index
   * @param {boolean} inTabs
   * @param {Say} say
   */
  constructor(sheet, index, inTabs, say) {
    this.say = say;
    this.index = index;
    const ids = { text: `text-${index}`, error: `error-${index}`, details: `details-${index}`, about: `details-${index} error-${index}` };
    this.control = sheet.control === 'cards' ? new Cards(sheet, index, ids, say) : new AnswerBox(sheet, index, ids, say);
    this.note = sheet.notes ? new Note(index, say) : null;
    this.error = element('p', { class: 'error', id: ids.error, role: 'alert' });
    this.root = element(
      'section',
      {
        class: sheet.control === 'cards' && sheet.cards.some((card) => card.preview) ? 'panel wide' : 'panel',
        id: `panel-${index}`,
        ...(inTabs && { role: 'tabpanel', 'aria-labelledby': `tab-${index}` }),
      },
      !inTabs && sheet.header && element('p', { class: 'header', title: sheet.header }, sheet.header),
      safeHtml('div', { class: 'question prose', id: ids.text }, sheet.text),
      sheet.details && safeHtml('div', { class: 'details prose', id: ids.details }, sheet.details),
      sheet.hint && element('p', { class: 'hint' }, sheet.hint),
      this.control.root,
      this.error,
      this.note?.root,
    );
  }

  /**
   * @param {View} view
   * @param {boolean} current
   */
  draw(view, current) {
    const question = view.questions[this.index];
    this.root.classList.toggle('current', current);
    this.control.draw(view, question, current);
    this.note?.draw(view, question);
    setPhrase(this.error, question.error, this.say);
  }
}
