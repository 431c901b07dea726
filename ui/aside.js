// Something else than answering: declining, or asking back.

/** @import { AsideKind, Sheet, View, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element, setText } from './element.js';
import { TextBox } from './text-box.js';

/** @type {Record<AsideKind, { title: Word, text: Word }>} */
const WORDS = {
  decline: { title: 'decline_title', text: 'decline_text' },
  clarify: { title: 'ask_back_title', text: 'ask_back_text' },
};

/** The panel for one of them. */
export class Aside {
  /**
   * @param {AsideKind} kind
   * @param {Sheet} sheet
   * @param {Say} say
   */
  constructor(kind, sheet, say) {
    this.say = say;
    this.kind = kind;
    const ids = { title: `${kind}-title`, trouble: `${kind}-trouble` };
    this.box = new TextBox({
      box: { question: 0, place: kind },
      labelledBy: ids.title,
      describedBy: ids.trouble,
      placeholder: say(WORDS[kind].text),
      multiline: true,
    });
    this.box.root.classList.add('answer-box');
    this.trouble = element('p', { class: 'trouble', id: ids.trouble, role: 'alert' });
    this.root = element(
      'section',
      // Not laid out before it is wanted: every dialog would take longer for it.
      { class: 'panel', 'aria-labelledby': ids.title, hidden: true },
      element('h2', { class: 'question', id: ids.title }, say(WORDS[kind].title)),
      sheet.wordless ? element('p', { class: 'hint' }, say('decline_wordless')) : this.box.root,
      this.trouble,
    );
  }

  /** @param {View} view */
  draw(view) {
    const aside = view.aside?.kind === this.kind ? view.aside : null;
    this.root.hidden = aside === null;
    this.root.classList.toggle('current', aside !== null);
    if (!aside) return;
    this.box.draw(view, aside.text);
    setText(this.trouble, aside.trouble ? this.say(aside.trouble.word, aside.trouble.values) : '');
  }
}
