// One row: the buttons, and between them the keys that work now, as far as there is room.

/** @import { Button, QuestionSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setPhrase, setState, setText } from './element.js';

export class Footer {
  /**
   * @param {QuestionSheet[]} questions
   * @param {HTMLElement | null} verbs those of a decision
   * @param {Say} say
   */
  constructor(questions, verbs, say) {
    this.questions = questions;
    this.say = say;
    /** @type {View | null} */
    this.view = null;
    this.drawn = '';
    this.away = element('span', { class: 'away' });
    this.back = element('span', { class: 'back' });
    this.label = element('span', { class: 'says', dir: 'auto' });
    this.primary = element(
      'button',
      {
        type: 'button',
        class: 'primary',
        'data-focus': 'primary',
        click: () => this.view?.primary && act(this.view.primary.action),
      },
      this.label,
    );
    this.keys = element('p', { class: 'keys', 'aria-hidden': 'true' });
    this.limit = element('p', { class: 'limit', role: 'status' });
    this.buttons = element('div', { class: 'buttons' }, this.away, this.keys, element('span', { class: 'onward' }, this.limit, this.back, this.primary));
    this.root = element('footer', { class: 'footer' }, verbs, this.buttons);
  }

  /** @param {View} view */
  draw(view) {
    const { primary, buttons, aside } = view;
    this.view = view;
    this.drawButtons(buttons);
    this.primary.hidden = !primary;
    if (primary) {
      const label = this.labelOf(primary, view.step);
      setText(this.label, label);
      // The label may be cut, and the sign for Enter is no part of the name.
      setState(this.primary, 'title', label);
      setState(this.primary, 'aria-label', label);
    }
    this.buttons.classList.toggle('only-keys', !primary && buttons.every(isBesideTheAnswer));
    this.primary.classList.toggle('waits', !view.ready);
    this.primary.classList.toggle('by-enter', view.enter);
    this.primary.classList.toggle('declines', aside?.kind === 'decline');
    setPhrase(this.limit, view.questions[view.step]?.fullness ?? null, this.say);
    this.drawKeys(view);
  }

  /**
   * @param {Button} button
   * @param {number} step
   */
  labelOf({ word, values, card }, step) {
    const question = this.questions[step];
    const answer = card !== null && question?.control === 'cards' ? question.cards[card].label : '';
    return this.say(word, { ...values, answer });
  }

  /** @param {Button[]} buttons */
  drawButtons(buttons) {
    // One that was replaced between the press of a mouse button and its release gets no click.
    const drawn = JSON.stringify(buttons);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const button = (/** @type {string} */ className) => (/** @type {Button} */ { word, values, action }) =>
      element('button', { type: 'button', class: className, 'data-focus': 'button', click: () => act(action) }, this.say(word, values));
    const beside = buttons.filter((one) => !isBesideTheAnswer(one));
    const leadsAway = (/** @type {Button} */ { action }) => action.name === 'open_aside';
    this.away.replaceChildren(...beside.filter(leadsAway).map(button('quiet')));
    this.back.replaceChildren(...beside.filter((one) => !leadsAway(one)).map(button('plain')));
  }

  /** @param {View} view */
  drawKeys({ hints, enter }) {
    const named = (/** @type {string} */ keys) => (keys === 'Space' ? this.say('key_space') : keys);
    // The main button has the sign for Enter on it.
    const drawn = hints
      .filter(({ keys }) => !(enter && keys === 'Enter'))
      .map(({ keys, word }) => element('span', { class: 'hint-key' }, element('kbd', {}, named(keys)), ` ${this.say(word)}`));
    this.keys.replaceChildren(...drawn);
  }
}

/**
 * The one for a note is not in the footer.
 * @param {Button} button
 */
const isBesideTheAnswer = ({ action }) => action.name === 'open_note';
