// The tabs: one for each question, with its header and a check once answered, and the review.

/** @import { DialogSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setState, setText } from './element.js';

export class Tabs {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.say = say;
    this.total = sheet.questions.length;
    const names = [...sheet.questions.map((question) => question.name), say('review')];
    this.tabs = names.map((name, step) => this.tab(name, step));
    this.progress = element('span', { class: 'progress', 'aria-live': 'polite' });
    /** @type {HTMLElement} */
    const list = element(
      'div',
      {
        class: 'tabs',
        role: 'tablist',
        'aria-label': say('questions'),
        // A mouse has only one wheel, and there is nothing to scroll downwards here.
        wheel: (event) => (list.scrollLeft += event.deltaX || event.deltaY),
      },
      ...this.tabs,
    );
    this.root = element('nav', { class: 'steps' }, list, this.progress);
  }

  /**
   * @param {string} name
   * @param {number} step
   */
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
        'data-focus': 'tab',
        'data-index': step,
        click: () => act({ name: 'go', step }),
      },
      step < this.total && element('span', { class: 'check', role: 'img', 'aria-label': this.say('answered') }),
      element('span', { class: 'name', dir: 'auto' }, name),
    );
  }

  /** @param {View} view */
  draw(view) {
    this.tabs.forEach((tab, step) => {
      const current = step === view.step;
      const entered = current && tab.ariaSelected !== 'true';
      setState(tab, 'aria-selected', current);
      setState(tab, 'tabindex', current ? 0 : -1);
      const answered = view.questions[step]?.answered ?? false;
      tab.classList.toggle('answered', answered);
      if (step < this.total) setState(tab.children[0], 'aria-hidden', !answered);
      if (entered) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    const position = { n: view.step + 1, total: this.total };
    setText(this.progress, view.step < this.total ? this.say('question_of', position) : '');
  }
}
