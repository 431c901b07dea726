// A page of a form: several fields, each with its label above and its help below.

/** @import { Page, QuestionSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element, safeHtml, setPhrase } from './element.js';
import { Cards } from './cards.js';
import { Note } from './note.js';
import { AnswerBox } from './text-box.js';

export class FormPage {
  /**
   * @param {QuestionSheet[]} questions
   * @param {Page} page
   * @param {number} index
   * @param {boolean} inTabs
   * @param {Say} say
   */
  constructor(questions, page, index, inTabs, say) {
    this.page = page;
    this.fields = questions.slice(page.start, page.end).map((sheet, at) => new Field(sheet, page.start + at, say));
    this.root = element(
      'section',
      {
        class: 'panel form',
        id: `panel-${index}`,
        ...(inTabs && { role: 'tabpanel', 'aria-labelledby': `tab-${index}` }),
      },
      ...this.fields.map((field) => field.root),
    );
  }

  /**
   * @param {View} view
   * @param {boolean} current
   */
  draw(view, current) {
    this.root.classList.toggle('current', current);
    this.fields.forEach((field) => field.draw(view, current));
  }

  /**
   * The field of a question on this page.
   * @param {number} question
   */
  part(question) {
    return this.fields[question - this.page.start].root;
  }
}

class Field {
  /**
   * @param {QuestionSheet} sheet
   * @param {number} index
   * @param {Say} say
   */
  constructor(sheet, index, say) {
    this.say = say;
    this.index = index;
    const ids = { text: `text-${index}`, error: `error-${index}`, help: `help-${index}`, about: `help-${index} error-${index}` };
    this.control = sheet.control === 'cards' ? new Cards(sheet, index, ids, say) : new AnswerBox(sheet, index, ids, say);
    this.note = sheet.notes ? new Note(index, say) : null;
    this.error = element('p', { class: 'error', id: ids.error, role: 'alert' });
    this.root = element(
      'div',
      { class: 'field', 'data-question': index },
      element(
        'div',
        { class: 'field-name' },
        sheet.header
          ? element('span', { id: ids.text, dir: 'auto' }, sheet.header)
          : safeHtml('span', { class: 'prose', id: ids.text }, sheet.text),
        sheet.hint && element('span', { class: 'field-hint' }, sheet.hint),
      ),
      this.control.root,
      element('div', { id: ids.help }, ...helpOf(sheet)),
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
    this.control.draw(view, question, current && view.step === this.index);
    this.note?.draw(view, question);
    setPhrase(this.error, question.error, this.say);
  }
}

/**
 * What is said about a field beside its name.
 * @param {QuestionSheet} sheet
 */
function helpOf({ header, text, details }) {
  const asked = header ? safeHtml('div', { class: 'help prose' }, text) : null;
  const says = asked?.textContent.trim() !== header && asked;
  return [says, details && safeHtml('div', { class: 'help prose' }, details)];
}
