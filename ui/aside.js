// Something else than answering: declining, or a question to the agent.

/** @import { AsideKind, DialogSheet, View, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element, setPhrase } from './element.js';
import { TextBox } from './text-box.js';

/** @type {Record<AsideKind, { title: Word, text: Word }>} */
const WORDS = {
  decline: { title: 'decline_title', text: 'decline_text' },
  clarify: { title: 'clarify_title', text: 'clarify_text' },
};

/** The panel for one of them. */
export class Aside {
  /**
   * @param {AsideKind} kind
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(kind, sheet, say) {
    this.say = say;
    this.kind = kind;
    const ids = { title: `${kind}-title`, error: `${kind}-error` };
    this.box = new TextBox({
      box: { question: 0, field: kind },
      labelledBy: ids.title,
      describedBy: ids.error,
      placeholder: say(WORDS[kind].text),
      multiline: true,
    });
    this.box.root.classList.add('answer-box');
    this.error = element('p', { class: 'error', id: ids.error, role: 'alert' });
    this.root = element(
      'section',
      // Not laid out before it is wanted: every dialog would take longer for it.
      { class: 'panel', 'aria-labelledby': ids.title, hidden: true },
      element('h2', { class: 'question', id: ids.title }, say(WORDS[kind].title)),
      sheet.no_reason ? element('p', { class: 'hint' }, say('decline_no_reason')) : this.box.root,
      this.error,
    );
  }

  /** @param {View} view */
  draw(view) {
    const aside = view.aside?.kind === this.kind ? view.aside : null;
    this.root.hidden = aside === null;
    this.root.classList.toggle('current', aside !== null);
    if (!aside) return;
    this.box.draw(view, aside.text);
    setPhrase(this.error, aside.error, this.say);
  }
}
