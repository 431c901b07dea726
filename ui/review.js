// The last step of several questions: all answers, each one click or key from being changed.

/** @import { DialogSheet, Line, QuestionSheet, SummaryLine, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, safeHtml } from './element.js';

export class Review {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.say = say;
    this.questions = sheet.questions;
    /** @type {string[]} */
    this.drawn = [];
    this.answers = sheet.questions.map(() => element('span', { class: 'given' }));
    const rows = sheet.questions.map((question, step) => this.row(question, step));
    const page = sheet.pages.length;
    this.root = element(
      'section',
      { class: 'panel review', id: `panel-${page}`, role: 'tabpanel', 'aria-labelledby': `tab-${page}` },
      element('h2', { class: 'question' }, say('review_title')),
      element('div', { class: 'rows' }, ...rows),
    );
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  /** The questions stand below their answers only if all rows are in sight with them. */
  fit() {
    if (!this.root.classList.contains('current')) return;
    this.root.classList.remove('compact');
    // A short window scrolls as a whole.
    const scrollers = [this.root, this.root.closest('.dialog') ?? this.root];
    this.root.classList.toggle('compact', scrollers.some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight));
  }

  /**
   * @param {QuestionSheet} question
   * @param {number} step
   */
  row(question, step) {
    return element(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-focus': 'row',
        'data-index': step,
        click: () => act({ name: 'go', step }),
      },
      element('kbd', { class: 'number', 'aria-hidden': 'true' }, step < 9 && String(step + 1)),
      element('span', { class: 'chip', title: question.name }, question.name),
      element('span', { class: 'asked' }, this.answers[step], asked(question)),
      element('span', { class: 'change' }, this.say('change')),
    );
  }

  /**
   * @param {SummaryLine} given
   * @param {number} step
   */
  line(given, step) {
    if (given.kind === 'changes') return changes(given.lines);
    return element('span', { class: 'line', 'data-kind': given.kind, dir: 'auto' }, this.words(given, step));
  }

  /**
   * @param {Exclude<SummaryLine, { kind: 'changes' }>} given
   * @param {number} step
   */
  words(given, step) {
    const question = this.questions[step];
    switch (given.kind) {
      case 'card':
        return question.control === 'cards' && question.cards[given.index].label;
      case 'text':
        return given.text;
      case 'secret':
        return '••••••••';
      case 'note':
        return `${this.say('note')}: ${given.text}`;
      default:
        return this.say(given.kind);
    }
  }

  /**
   * @param {View} view
   * @param {boolean} current
   */
  draw(view, current) {
    this.root.classList.toggle('current', current);
    if (!current) return;
    view.questions.forEach((question, step) => {
      // A line that was replaced between the press of a mouse button and its release gets no click.
      const given = JSON.stringify(question.summary);
      if (given === this.drawn[step]) return;
      this.drawn[step] = given;
      this.answers[step].replaceChildren(...question.summary.map((given) => this.line(given, step)));
    });
    this.fit();
  }
}

const SIGNS = { same: '  ', removed: '- ', added: '+ ', gap: '  ' };

/**
 * How a text that stood in the box was changed; all of it, since it is about to be sent.
 * @param {Line[]} lines
 */
function changes(lines) {
  const line = (/** @type {Line} */ { mark, text }) => element('span', { class: mark }, SIGNS[mark] + text);
  return element('span', { class: 'changes' }, ...lines.map(line));
}

/**
 * A question's text without its markup, unless its name says the same.
 * @param {QuestionSheet} question
 */
function asked({ text: html, header }) {
  const text = safeHtml('span', {}, html).textContent.trim();
  return text !== header && element('span', { class: 'text', dir: 'auto' }, text);
}
