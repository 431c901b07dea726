// The buttons, and the keys that work now.

/** @import { Button, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setPhrase, setText } from './element.js';

export class Footer {
  /**
   * @param {HTMLElement | null} verbs those of a decision
   * @param {Say} say
   */
  constructor(verbs, say) {
    this.say = say;
    /** @type {View | null} */
    this.view = null;
    this.drawn = '';
    this.away = element('span', { class: 'away' });
    this.back = element('span', { class: 'back' });
    this.primary = element('button', {
      type: 'button',
      class: 'primary',
      'data-focus': 'primary',
      click: () => this.view?.primary && act(this.view.primary.action),
    });
    this.keys = element('p', { class: 'keys', 'aria-hidden': 'true' });
    this.limit = element('p', { class: 'limit', role: 'status' });
    this.buttons = element('div', { class: 'buttons' }, this.away, element('span', { class: 'onward' }, this.limit, this.back, this.primary));
    this.root = element(
      'footer',
      { class: 'footer' },
      verbs,
      this.buttons,
      this.keys,
    );
  }

  /** @param {View} view */
  draw(view) {
    this.view = view;
    this.drawButtons(view.buttons);
    this.primary.hidden = !view.primary;
    if (view.primary) setText(this.primary, this.say(view.primary.word));
    this.buttons.hidden = !view.primary && view.buttons.length === 0;
    this.primary.classList.toggle('declines', view.aside?.kind === 'decline');
    setPhrase(this.limit, view.questions[view.step]?.fullness ?? null, this.say);
    this.drawKeys(view);
  }

  /**
   * All but the one for a note, which is beside the answer.
   * @param {Button[]} buttons
   */
  drawButtons(buttons) {
    // One that was replaced between the press of a mouse button and its release gets no click.
    const drawn = JSON.stringify(buttons);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const button = (/** @type {string} */ className) => (/** @type {Button} */ { word, action }) =>
      element('button', { type: 'button', class: className, 'data-focus': 'button', click: () => act(action) }, this.say(word));
    const beside = buttons.filter(({ action }) => action.name !== 'open_note');
    const leadsAway = (/** @type {Button} */ { action }) => action.name === 'open_aside';
    this.away.replaceChildren(...beside.filter(leadsAway).map(button('quiet')));
    this.back.replaceChildren(...beside.filter((one) => !leadsAway(one)).map(button('plain')));
  }

  /** @param {View} view */
  drawKeys({ hints }) {
    const named = (/** @type {string} */ keys) => (keys === 'Space' ? this.say('key_space') : keys);
    const drawn = hints.map(({ keys, word }) =>
      element('span', { class: 'hint-key' }, element('kbd', {}, named(keys)), ` ${this.say(word)}`),
    );
    this.keys.replaceChildren(...drawn);
  }
}
