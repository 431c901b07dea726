// The buttons, and the keys that work now.

/** @import { Action, Focus, DialogSheet, View } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { act } from './bridge.js';
import { element, setText } from './element.js';

export class Footer {
  /**
   * @param {DialogSheet} sheet
   * @param {Say} say
   */
  constructor(sheet, say) {
    this.say = say;
    this.sheet = sheet;
    /** @type {(className: string, at: Focus['at'], action: () => Action) => HTMLElement} */
    const button = (className, at, action) =>
      element('button', { type: 'button', class: className, 'data-focus': at, click: () => act(action()) });
    this.decline = button('quiet', 'button', () => ({ name: 'open_aside', aside: 'decline' }));
    this.clarify = button('quiet', 'button', () => ({ name: 'open_aside', aside: 'clarify' }));
    this.back = button('plain', 'button', () =>
      this.view?.aside ? { name: 'close_aside' } : { name: 'turn', direction: 'backward' },
    );
    this.primary = button('primary', 'primary', () => ({ name: 'go_on' }));
    setText(this.decline, say('decline'));
    setText(this.clarify, say('clarify'));
    this.keys = element('p', { class: 'keys', 'aria-hidden': 'true' });
    this.limit = element('p', { class: 'limit', role: 'status' });
    this.root = element(
      'footer',
      { class: 'footer' },
      element(
        'div',
        { class: 'buttons' },
        element('span', { class: 'away' }, this.decline, this.clarify),
        element('span', { class: 'onward' }, this.limit, this.back, this.primary),
      ),
      this.keys,
    );
  }

  /** @param {View} view */
  draw(view) {
    this.view = view;
    const { say } = this;
    const answering = !view.aside && view.phase === 'asking';
    this.decline.hidden = !answering;
    this.clarify.hidden = !answering || this.sheet.no_reason;
    this.back.hidden = view.step === 0 && !view.aside;
    setText(this.back, say(view.aside ? 'go_back' : 'back'));
    setText(this.primary, this.primaryText(view));
    this.primary.classList.toggle('declines', view.aside?.kind === 'decline');
    setText(this.limit, this.limitText(view));
    this.drawKeys(view);
  }

  /** @param {View} view */
  primaryText({ aside, primary }) {
    if (aside) return this.say(aside.kind === 'decline' ? 'decline' : 'send').replace('…', '');
    return this.say(primary);
  }

  /** @param {View} view */
  limitText(view) {
    const fullness = view.questions[view.step]?.fullness;
    if (fullness == null) return '';
    const limit = this.sheet.max_text / 1024;
    return this.say('limit', { used: (fullness / 1024).toFixed(1), limit });
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
