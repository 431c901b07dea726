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
    this.pages = sheet.pages;
    this.total = sheet.pages.length;
    const names = [...sheet.pages.map((page) => page.name), say('review')];
    this.tabs = names.map((name, page) => this.tab(name, page));
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
   * @param {number} page
   */
  tab(name, page) {
    return element(
      'button',
      {
        type: 'button',
        role: 'tab',
        class: page === this.total ? 'tab review-tab' : 'tab',
        id: `tab-${page}`,
        title: name,
        'aria-controls': `panel-${page}`,
        'data-focus': 'tab',
        'data-index': this.stepOf(page),
        click: () => act({ name: 'go', step: this.stepOf(page) }),
      },
      page < this.total && element('span', { class: 'check', role: 'img', 'aria-label': this.say('answered') }),
      element('span', { class: 'name', dir: 'auto' }, name),
    );
  }

  /**
   * The first question of a page; the review comes after the last one.
   * @param {number} page
   */
  stepOf(page) {
    return this.pages[page]?.start ?? this.pages[this.total - 1].end;
  }

  /** @param {View} view */
  draw(view) {
    const here = this.pages.findIndex(({ start, end }) => start <= view.step && view.step < end);
    const current = here < 0 ? this.total : here;
    this.tabs.forEach((tab, page) => {
      const entered = page === current && tab.ariaSelected !== 'true';
      setState(tab, 'aria-selected', page === current);
      setState(tab, 'tabindex', page === current ? 0 : -1);
      const { start = 0, end = 0 } = this.pages[page] ?? {};
      const answered = page < this.total && view.questions.slice(start, end).every((question) => question.answered);
      tab.classList.toggle('answered', answered);
      if (page < this.total) setState(tab.children[0], 'aria-hidden', !answered);
      if (entered) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    const position = { n: current + 1, total: this.total };
    setText(this.progress, current < this.total ? this.say('question_of', position) : '');
  }
}
