// The tabs: one for each question, with its header and a check once answered, and the review.

import { act } from './bridge.js';
import { element, setState, setText } from './element.js';

export class Tabs {
  constructor(sheet, say) {
    this.say = say;
    this.total = sheet.questions.length;
    const names = [...sheet.questions.map(name), say('review')];
    this.tabs = names.map((name, step) => this.tab(name, step));
    this.progress = element('span', { class: 'progress', 'aria-live': 'polite' });
    const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': say('questions') }, ...this.tabs);
    this.root = element('nav', { class: 'steps' }, list, this.progress);
  }

  tab(name, step) {
    return element(
      'button',
      {
        type: 'button',
        role: 'tab',
        class: step === this.total ? 'tab review-tab' : 'tab',
        id: `tab-${step}`,
        title: name,
        'aria-controls': `panel-${step}`,
        'data-place': 'tab',
        'data-index': step,
        click: (event) => act({ name: 'go', step }, event),
      },
      element('span', { class: 'check', 'aria-hidden': 'true' }),
      element('span', { class: 'name' }, name),
    );
  }

  draw(view) {
    this.tabs.forEach((tab, step) => {
      const current = step === view.step;
      if (current && tab.ariaSelected !== 'true') tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      setState(tab, 'aria-selected', current);
      setState(tab, 'tabindex', current ? 0 : -1);
      const answered = view.questions[step]?.answered ?? false;
      tab.classList.toggle('answered', answered);
    });
    const position = { n: view.step + 1, total: this.total };
    setText(this.progress, view.step < this.total ? this.say('question_of', position) : '');
  }
}

/** The name of a question on its tab and in the review. */
export function name(question, index) {
  return question.header ?? `${index + 1}`;
}
