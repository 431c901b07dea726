// Something else than answering: declining, or a question to the agent. It is written below the
// question, which stays in sight.

/** @import { AsideKind, DialogSheet, View, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element, setPhrase } from './element.js';
import { TextBox } from './text-box.js';

/** @type {Record<AsideKind, Word>} */
const PLACEHOLDERS = { decline: 'decline_text', clarify: 'clarify_text' };

/** The place of the one that is open, if any. */
export class Composer {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.asides = { decline: new Aside('decline', sheet, say), clarify: new Aside('clarify', sheet, say) };
    this.root = element('div', { class: 'composer', hidden: true });
  }

  /** @param {View} view */
  draw(view) {
    const { aside } = view;
    this.root.hidden = aside === null;
    if (!aside) return;
    const open = this.asides[aside.kind];
    if (open.root.parentNode !== this.root) this.root.replaceChildren(open.root);
    open.draw(view, aside);
  }
}

class Aside {
  /**
   * @param {AsideKind} kind
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(kind, sheet, say) {
    this.say = say;
    const ids = { title: `${kind}-title`, error: `${kind}-error` };
    this.box = new TextBox({
      box: { question: 0, field: kind },
      labelledBy: ids.title,
      describedBy: ids.error,
      placeholder: say(PLACEHOLDERS[kind]),
      multiline: true,
    });
    this.title = element('h2', { class: 'composer-title', id: ids.title });
    this.error = element('p', { class: 'error', id: ids.error, role: 'alert' });
    this.root = element(
      'section',
      { 'aria-labelledby': ids.title },
      this.title,
      sheet.no_reason ? element('p', { class: 'hint' }, say('decline_no_reason')) : this.box.root,
      this.error,
    );
  }

  /**
   * @param {View} view
   * @param {NonNullable<View['aside']>} aside
   */
  draw(view, aside) {
    setPhrase(this.title, aside.title, this.say);
    this.box.draw(view, aside.text);
    setPhrase(this.error, aside.error, this.say);
  }
}
