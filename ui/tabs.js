// The tabs: one for each question, with its header and whether it is answered, and the review.

/** @import { DialogSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setState, setText } from './element.js';
import { pageOf, progressOf, stepOf } from './page-state.js';

/** What is scrolled to stands clear of the fade. */
const FADE = 64;

export class Tabs {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.say = say;
    this.pages = sheet.pages;
    this.current = -1;
    const names = [...sheet.pages.map((page) => page.name), say('review')];
    this.tabs = names.map((name, page) => this.tab(name, page));
    /** @type {HTMLElement} */
    this.list = element(
      'div',
      {
        class: 'tabs',
        role: 'tablist',
        'aria-label': say('questions'),
        // A mouse has only one wheel, and there is nothing to scroll downwards here.
        wheel: (event) => (this.list.scrollLeft += event.deltaX || event.deltaY),
        scroll: () => this.countHidden(),
      },
      ...this.tabs,
    );
    // The keyboard has the tabs themselves.
    this.more = element('button', { type: 'button', class: 'tabs-more', tabindex: '-1', 'aria-hidden': 'true', hidden: true, click: () => this.scrollOn() });
    this.root = element('nav', { class: 'steps' }, this.list, this.more);
    new ResizeObserver(() => this.resized()).observe(this.list);
  }

  /**
   * @param {string} name
   * @param {number} page
   */
  tab(name, page) {
    const step = stepOf(this.pages, page);
    const isReview = page === this.pages.length;
    return element(
      'button',
      {
        type: 'button',
        role: 'tab',
        class: isReview ? 'tab review-tab' : 'tab',
        id: `tab-${page}`,
        title: name,
        'aria-controls': `panel-${page}`,
        'data-focus': 'tab',
        'data-index': step,
        click: () => act({ name: 'go', step }),
      },
      !isReview && element('span', { class: 'check', role: 'img' }),
      element('span', { class: 'name', dir: 'auto' }, name),
    );
  }

  /** @param {View} view */
  draw(view) {
    const current = pageOf(this.pages, view.step);
    this.tabs.forEach((tab, page) => {
      setState(tab, 'aria-selected', page === current);
      setState(tab, 'tabindex', page === current ? 0 : -1);
      const progress = progressOf(view, page);
      setState(tab, 'data-progress', progress);
      if (page === this.pages.length) return;
      setState(tab.children[0], 'aria-hidden', progress === 'open');
      setState(tab.children[0], 'aria-label', progress === 'open' ? '' : this.say(progress));
    });
    const isFirst = this.current < 0;
    const entered = current !== this.current;
    this.current = current;
    // At first it is brought in sight once it is laid out.
    if (entered && !isFirst) this.showCurrent();
  }

  resized() {
    this.showCurrent();
    this.countHidden();
  }

  /** Only sideways: a short window, which scrolls as a whole, shows the question's box. */
  showCurrent() {
    const tab = this.tabs[this.current].getBoundingClientRect();
    const { left, right } = this.list.getBoundingClientRect();
    const before = tab.left - (left + FADE);
    const after = tab.right - (right - FADE);
    if (before < 0) this.list.scrollLeft += before;
    else if (after > 0) this.list.scrollLeft += after;
  }

  /** Tells how many tabs are out of sight, and on which sides. */
  countHidden() {
    const { left, right } = this.list.getBoundingClientRect();
    const sides = this.tabs.map((tab) => tab.getBoundingClientRect()).map((tab) => (tab.right > right + 1 ? 1 : tab.left < left - 1 ? -1 : 0));
    const count = sides.filter((side) => side !== 0).length;
    this.list.classList.toggle('more-before', sides.includes(-1));
    this.list.classList.toggle('more-after', sides.includes(1));
    this.more.hidden = !sides.includes(1);
    setText(this.more, `+${count}`);
  }

  scrollOn() {
    this.list.scrollLeft += this.list.clientWidth / 2;
  }
}
