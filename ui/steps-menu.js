// In the place of tabs where there are too many of them: how far one is, and a menu of all questions.

/** @import { DialogSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setState, setText } from './element.js';
import { pageOf, progressOf, stepOf } from './page-state.js';

/** What an open menu leaves of the window below it. */
const MARGIN = 12;

export class StepsMenu {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.say = say;
    this.pages = sheet.pages;
    this.names = [...sheet.pages.map((page) => page.name), say('review')];
    this.position = element('span', { class: 'position' });
    this.name = element('span', { class: 'name', dir: 'auto' });
    this.button = element(
      'button',
      {
        type: 'button',
        class: 'where',
        'data-focus': 'button',
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
        click: () => this.toggle(),
      },
      this.position,
      this.name,
    );
    this.items = this.names.map((name, page) => this.item(name, page));
    this.menu = element('div', { class: 'steps-menu', role: 'menu', 'aria-label': say('questions'), hidden: true, keydown: (event) => this.move(event) }, ...this.items);
    this.root = element('nav', { class: 'steps many-steps', focusout: (event) => this.left(event) }, this.button, this.menu);
  }

  /**
   * @param {string} name
   * @param {number} page
   */
  item(name, page) {
    return element(
      'button',
      {
        type: 'button',
        role: 'menuitemradio',
        class: 'steps-item',
        id: `tab-${page}`,
        tabindex: '-1',
        'data-focus': 'button',
        click: () => this.go(page),
      },
      element('span', { class: 'check', 'aria-hidden': 'true' }),
      element('span', { class: 'name', dir: 'auto' }, this.pages[page]?.numbered === false ? `${page + 1}. ${name}` : name),
      element('span', { class: 'state' }),
    );
  }

  /** @param {View} view */
  draw(view) {
    const current = pageOf(this.pages, view.step);
    const { length: total } = this.pages;
    const isNamed = this.pages[current]?.numbered === false;
    setText(this.position, isNamed ? this.say('step_of', { n: current + 1, total }) : this.names[current]);
    setText(this.name, isNamed ? this.names[current] : '');
    this.items.forEach((item, page) => {
      const progress = progressOf(view, page);
      setState(item, 'aria-checked', page === current);
      setState(item, 'data-progress', progress);
      setText(item.children[2], progress === 'open' ? '' : this.say(progress));
    });
    this.current = current;
  }

  /** @param {number} page */
  go(page) {
    this.close();
    // Where one is already, nothing moves the keyboard.
    if (page === this.current) this.button.focus();
    act({ name: 'go', step: stepOf(this.pages, page) });
  }

  toggle() {
    if (!this.menu.hidden) return this.close();
    this.menu.hidden = false;
    setState(this.button, 'aria-expanded', true);
    this.menu.style.maxHeight = `${innerHeight - this.menu.getBoundingClientRect().top - MARGIN}px`;
    this.items[this.current ?? 0].focus();
  }

  close() {
    this.menu.hidden = true;
    setState(this.button, 'aria-expanded', false);
  }

  /**
   * Keys in the open menu are its own.
   * @param {KeyboardEvent} event
   */
  move(event) {
    const here = this.items.findIndex((item) => item === document.activeElement);
    const { length } = this.items;
    /** @type {Record<string, number>} */
    const places = { ArrowDown: (here + 1) % length, ArrowUp: (here + length - 1) % length, Home: 0, End: length - 1 };
    if (event.key === 'Escape') {
      this.close();
      this.button.focus();
    } else if (event.key in places) {
      document.documentElement.dataset.by = 'keys';
      this.items[places[event.key]].focus();
    } else if (event.key.length > 1 || event.ctrlKey || event.altKey || event.key === ' ') {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  left({ relatedTarget }) {
    if (!(relatedTarget instanceof Node && this.root.contains(relatedTarget))) this.close();
  }
}
