// The option cards of a question, the Other box among them, and the preview beside them.

/** @import { Card, QuestionSheet, QuestionView, View } from '../tests/types/page' */
/** @import { Attributes, Say } from './element.js' */

import { act } from './bridge.js';
import { element, setState } from './element.js';
import { Reading } from './reading.js';
import { TextBox } from './text-box.js';

export class Cards {
  /**
   * @param {Extract<QuestionSheet, { control: 'cards' }>} sheet
   * @param {number} question
   * @param {{ text: string, about: string }} ids
   * @param {Say} say
   */
  constructor(sheet, question, ids, say) {
    this.sheet = sheet;
    this.question = question;
    this.say = say;
    this.total = sheet.cards.length + (sheet.other ? 1 : 0);
    const cards = sheet.cards.map((card, index) => this.card(card, index));
    if (sheet.other) cards.push(this.otherCard(sheet.cards.length));
    this.inputs = cards.map((card) => /** @type {HTMLInputElement} */ (card.querySelector('input')));
    this.group = element(
      'div',
      {
        class: 'cards',
        // Radio buttons tell their places in their group; for check boxes only a list does.
        role: sheet.multi ? 'list' : 'radiogroup',
        'aria-labelledby': ids.text,
        'aria-describedby': ids.about,
        // Where the cursor starts on no card, the keyboard is here.
        tabindex: '-1',
        'data-focus': 'panel',
      },
      ...cards,
    );
    const withPreview = sheet.cards.some((card) => card.preview);
    this.reading = withPreview ? new Reading('', { say, label: say('preview') }) : null;
    this.reading?.root.classList.add('preview');
    /**
     * The card of the preview.
     * @type {number | undefined}
     */
    this.previewed = undefined;
    /** @type {number | null} */
    this.hovered = null;
    this.root = element(
      'div',
      {
        class: `answer${withPreview ? ' with-preview' : ''}${sheet.filter ? ' many' : ''}`,
        ...(sheet.multi && { role: 'group', 'aria-labelledby': ids.text, 'aria-describedby': ids.about }),
      },
      sheet.filter && this.filterBox(),
      this.group,
      this.reading?.root,
    );
  }

  /**
   * @param {Card} card
   * @param {number} index
   */
  card(card, index) {
    const id = `card-${this.question}-${index}`;
    return this.frame(
      card.description ? 'card described' : 'card',
      index,
      {
        pointermove: (event) => this.point(index, event),
        pointerleave: () => this.hovered !== null && this.point(null, null),
        dblclick: () => !this.sheet.multi && act({ name: 'choose_and_go_on', card: index }),
      },
      element(
        'label',
        { class: 'choice' },
        this.input(index, { 'aria-labelledby': `${id}-label`, 'aria-describedby': card.description && `${id}-description` }),
        element(
          'span',
          { class: 'words' },
          element(
            'span',
            { class: 'label', id: `${id}-label`, dir: 'auto' },
            card.label,
            card.recommended && ' ',
            card.recommended && element('span', { class: 'badge' }, this.say('recommended')),
          ),
          card.description && element('span', { class: 'description', id: `${id}-description`, dir: 'auto' }, card.description),
        ),
      ),
    );
  }

  /** @param {number} index */
  otherCard(index) {
    const name = this.say('other');
    this.other = new TextBox({
      box: { question: this.question, field: 'other' },
      label: name,
      placeholder: this.say('other_placeholder'),
      multiline: true,
    });
    const input = this.input(index, { 'aria-label': name });
    // Its box is the stop for the keyboard.
    input.tabIndex = -1;
    return this.frame('card other', index, {}, element('label', { class: 'choice' }, input), this.other.root);
  }

  /** The box in which a few letters find an option among many. */
  filterBox() {
    const label = this.say('filter');
    this.filter = new TextBox({ box: { question: this.question, field: 'filter' }, label, placeholder: label });
    this.filter.root.classList.add('filter');
    return this.filter.root;
  }

  /**
   * What all cards have. All of a card is as good as its input.
   * @param {string} className
   * @param {number} index
   * @param {Attributes} listeners
   * @param {...Node} content
   * @returns {HTMLElement}
   */
  frame(className, index, listeners, ...content) {
    return element(
      'div',
      {
        class: className,
        ...(this.sheet.multi && { role: 'listitem', 'aria-posinset': index + 1, 'aria-setsize': this.total }),
        click: ({ target }) => target.matches('.card, .number') && this.inputs[index].click(),
        ...listeners,
      },
      number(index),
      ...content,
    );
  }

  /**
   * @param {number} index
   * @param {Attributes} names
   */
  input(index, names) {
    return element('input', {
      type: this.sheet.multi ? 'checkbox' : 'radio',
      name: `question-${this.question}`,
      ...(!this.sheet.multi && { 'aria-posinset': index + 1, 'aria-setsize': this.total }),
      'data-focus': 'card',
      'data-index': index,
      ...names,
      click: (event) => {
        // The session decides what a click means; the next view shows it.
        event.preventDefault();
        act({ name: 'choose', card: index });
      },
    });
  }

  /**
   * @param {View} view
   * @param {QuestionView} question
   * @param {boolean} current
   */
  draw(view, question, current) {
    this.inputs.forEach((input, index) => {
      const chosen = question.chosen.includes(index);
      input.checked = chosen;
      input.closest('.card')?.classList.toggle('chosen', chosen);
      if (this.sheet.multi && !input.closest('.other')) setState(input, 'tabindex', 0);
      const card = input.closest('.card');
      if (card instanceof HTMLElement) card.hidden = question.hidden.includes(index);
    });
    this.other?.draw(view, question.other);
    this.filter?.draw(view, question.filter);
    const { previewed } = view;
    if (!current || previewed === null || previewed === this.previewed) return;
    this.previewed = previewed;
    this.showPreview(previewed);
  }

  /**
   * Previews what is pointed at; a card that has come under a resting pointer is not.
   * @param {number | null} index
   * @param {PointerEvent | null} moved
   */
  point(index, moved) {
    if (index === this.hovered || (moved && !moved.movementX && !moved.movementY)) return;
    this.hovered = index;
    this.showPreview(index ?? this.previewed ?? 0);
  }

  /** @param {number} index */
  showPreview(index) {
    const html = this.sheet.cards[index]?.preview;
    this.reading?.show(html ?? element('p', { class: 'hint' }, this.say('no_preview')));
  }
}

/**
 * The key that chooses the card; beyond nine there is none.
 * @param {number} index
 */
function number(index) {
  return index < 9 ? element('kbd', { class: 'number', 'aria-hidden': 'true' }, String(index + 1)) : null;
}
