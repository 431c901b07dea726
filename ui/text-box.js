// Text boxes. They stay native, because input methods need that, and tell the session their text.

/** @import { QuestionSheet, QuestionView, View } from '../tests/types/page' */
/** @import { Box } from './bridge.js' */
/** @import { Attributes, Say } from './element.js' */

import { isAhead, sendText } from './bridge.js';
import { element, setText } from './element.js';

/** A box that grows with its text. */
export class TextBox {
  /**
   * @param {{
   *   box: Box, label?: string, labelledBy?: string, describedBy?: string, placeholder?: string | null,
   *   multiline?: boolean, type?: 'text' | 'password', inputmode?: 'decimal' | null,
   * }} options
   */
  constructor({ box, label, labelledBy, describedBy, placeholder, multiline, type = 'text', inputmode }) {
    /** @type {Attributes} */
    const attributes = {
      'data-focus': box.field === 'decline' || box.field === 'clarify' ? 'aside' : box.field,
      'aria-label': label,
      'aria-labelledby': labelledBy,
      'aria-describedby': describedBy,
      placeholder,
      inputmode,
      autocomplete: 'off',
      dir: 'auto',
      spellcheck: type === 'text' ? null : 'false',
      input: () => {
        this.grow();
        sendText(box, this.root.value);
      },
    };
    /** @type {HTMLTextAreaElement | HTMLInputElement} */
    this.root = multiline
      ? element('textarea', { rows: 1, ...attributes })
      : element('input', { type, ...attributes });
  }

  /**
   * @param {View} view
   * @param {string} text
   */
  draw(view, text) {
    this.root.readOnly = !view.open;
    // What is being typed is newer than what the session knows. What was typed elsewhere is taken
    // over once the session knows of both. A new box has nothing of its own yet.
    const isNew = this.textTurn === undefined;
    if (!isNew && isAhead()) return;
    const elsewhere = view.text_turn !== this.textTurn;
    const newer = this.root === document.activeElement;
    this.textTurn = view.text_turn;
    if ((elsewhere || !newer) && this.root.value !== text) {
      this.root.value = text;
      this.grow();
    }
  }

  grow() {
    if (this.root.localName === 'textarea') grow(this.root);
  }
}

/** @param {HTMLElement} area */
function grow(area) {
  area.style.height = 'auto';
  const border = area.offsetHeight - area.clientHeight;
  area.style.height = `${area.scrollHeight + border}px`;
}

/**
 * Gives boxes that have grown the height of their text, whose lines a new width has changed.
 * @param {HTMLElement} root
 */
export function growAgain(root) {
  for (const area of root.querySelectorAll('textarea')) if (area.style.height && area.clientWidth > 0) grow(area);
}

/** The box of a question without options: text, number, JSON or secret. */
export class AnswerBox {
  /**
   * @param {Extract<QuestionSheet, { control: 'box' }>} sheet
   * @param {number} question
   * @param {{ text: string, about: string }} ids
   * @param {Say} say
   */
  constructor(sheet, question, ids, say) {
    this.say = say;
    const secret = sheet.takes === 'secret';
    this.box = new TextBox({
      box: { question, field: 'text' },
      labelledBy: ids.text,
      describedBy: ids.about,
      placeholder: sheet.placeholder,
      multiline: sheet.multiline,
      type: secret ? 'password' : 'text',
      inputmode: sheet.takes === 'number' ? 'decimal' : null,
    });
    this.box.root.classList.add('answer-box', sheet.takes);
    this.root = element('div', { class: 'answer boxed' }, this.box.root, secret && this.reveal());
  }

  reveal() {
    // A secret is one line.
    const input = /** @type {HTMLInputElement} */ (this.box.root);
    const button = element('button', {
      type: 'button',
      class: 'quiet',
      'data-focus': 'button',
      'aria-pressed': 'false',
      click: () => {
        const show = input.type === 'password';
        input.type = show ? 'text' : 'password';
        button.setAttribute('aria-pressed', String(show));
        setText(button, this.say(show ? 'secret_hide' : 'secret_show'));
      },
    });
    setText(button, this.say('secret_show'));
    return button;
  }

  /**
   * @param {View} view
   * @param {QuestionView} question
   */
  draw(view, question) {
    this.box.draw(view, question.text);
    this.box.root.setAttribute('aria-invalid', String(question.error !== null));
  }
}
