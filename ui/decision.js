// A decision: what it is about, large, and a bar of verbs that answer at once.

/** @import { Card, DialogSheet, QuestionSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, safeHtml, setPhrase } from './element.js';
import { TextBox } from './text-box.js';

export class Decision {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.say = say;
    const question = /** @type {Extract<QuestionSheet, { control: 'cards' }>} */ (sheet.questions[0]);
    const { words_box: words } = question;
    this.error = element('p', { class: 'error', id: 'error-0', role: 'alert' });
    this.root = element(
      'section',
      { class: 'panel decision', id: 'panel-0' },
      question.header && element('p', { class: 'header', title: question.header }, question.header),
      safeHtml('div', { class: 'question prose', id: 'text-0' }, question.text),
      this.error,
    );
    this.box = words
      ? new TextBox({ box: { question: 0, field: words.field }, label: words.placeholder, placeholder: words.placeholder, multiline: true })
      : null;
    this.field = words?.field;
    // Unlike words for the verb that refuses, a note is not expected: it is a button until it is wanted.
    this.note =
      words?.field === 'note'
        ? element('button', { type: 'button', class: 'quiet add-note', 'data-focus': 'button', click: () => act({ name: 'open_note' }) }, say('add_note'))
        : null;
    /** Whether it is no more than two words to choose from, which always find room. */
    this.isPlain = words?.field !== 'other' && question.cards.length <= 2 && question.cards.every(({ description }) => !description);
    const verbs = question.cards.map((card, index) => this.verb(card, index, question.cards.length));
    this.bar = element(
      'div',
      {
        class: words?.field === 'other' ? 'verbs with-words' : 'verbs',
        role: 'group',
        'aria-labelledby': 'text-0',
        'aria-describedby': 'error-0',
        // Where the cursor starts on no verb, the keyboard is here.
        tabindex: '-1',
        'data-focus': 'panel',
      },
      ...verbs,
      this.note,
      this.box?.root,
    );
  }

  /**
   * @param {Card} card
   * @param {number} index
   * @param {number} total
   */
  verb(card, index, total) {
    const id = `verb-${index}-description`;
    // Yes and no need no number to be told apart.
    const numbered = total > 2;
    const kind = [card.refuses && 'refuses', !numbered && 'unnumbered'].filter(Boolean);
    return element(
      'button',
      {
        type: 'button',
        class: ['verb', ...kind].join(' '),
        'data-focus': 'card',
        'data-index': index,
        'aria-describedby': card.description && id,
        click: () => act({ name: 'choose', card: index }),
      },
      numbered && element('kbd', { class: 'number', 'aria-hidden': 'true' }, String(index + 1)),
      element(
        'span',
        { class: 'words' },
        element('span', { class: 'label', dir: 'auto' }, card.label),
        card.description && element('span', { class: 'description', id, dir: 'auto' }, card.description),
      ),
    );
  }

  /**
   * @param {View} view
   * @param {boolean} current
   */
  draw(view, current) {
    const [question] = view.questions;
    this.root.classList.toggle('current', current);
    this.bar.hidden = view.aside !== null;
    this.box?.draw(view, this.field === 'note' ? question.note : question.other);
    if (this.note && this.box) {
      this.note.hidden = question.note_open;
      this.box.root.hidden = !question.note_open;
    }
    setPhrase(this.error, question.error, this.say);
  }
}
