// The buttons, and the keys that work now.

import { act } from './bridge.js';
import { element, setText } from './element.js';

export class Footer {
  constructor(sheet, say) {
    this.say = say;
    this.sheet = sheet;
    const button = (className, place, action) =>
      element('button', { type: 'button', class: className, 'data-place': place, click: (event) => act(action(), event) });
    this.decline = button('quiet', 'button', () => ({ name: 'open_aside', aside: 'decline' }));
    this.clarify = button('quiet', 'button', () => ({ name: 'open_aside', aside: 'clarify' }));
    this.back = button('plain', 'button', () =>
      this.view.aside ? { name: 'close_aside' } : { name: 'turn', direction: 'backward' },
    );
    this.primary = button('primary', 'primary', () => ({ name: 'go_on' }));
    setText(this.decline, say('decline'));
    setText(this.clarify, say('ask_back'));
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

  draw(view) {
    this.view = view;
    const { say } = this;
    this.decline.hidden = this.clarify.hidden = view.aside !== null;
    this.back.hidden = view.step === 0 && !view.aside;
    setText(this.back, say(view.aside ? 'go_back' : 'back'));
    setText(this.primary, view.aside ? say(view.aside.kind === 'decline' ? 'decline' : 'send').replace('…', '') : say(view.primary));
    const sends = view.aside || view.primary === 'send';
    this.primary.classList.toggle('sends', Boolean(sends));
    setText(this.limit, this.limitText(view));
    this.drawKeys(view);
  }

  limitText(view) {
    const fullness = view.questions[view.step]?.fullness;
    if (fullness == null) return '';
    const limit = this.sheet.max_text / 1024;
    return this.say('limit', { used: (fullness / 1024).toFixed(1), limit });
  }

  drawKeys(view) {
    const hints = this.hints(view).map(([keys, word]) =>
      element('span', { class: 'hint-key' }, element('kbd', {}, keys), ` ${this.say(word)}`),
    );
    this.keys.replaceChildren(...hints);
  }

  /** The keys that do something here and now. */
  hints(view) {
    const question = this.sheet.questions[view.step];
    const goesOn = ['Enter', view.primary === 'send' || view.aside ? 'key_send' : 'key_next'];
    if (['other', 'text', 'note', 'aside'].includes(view.place.at)) {
      const multiline = view.place.at !== 'text' || question?.multiline;
      return [goesOn, ...(multiline ? [['Shift+Enter', 'key_line']] : []), ['Esc', 'key_leave']];
    }
    const tabs = this.sheet.questions.length > 1 ? [['← →', 'key_tabs']] : [];
    const send = view.complete && view.primary !== 'send' ? [['Ctrl+Enter', 'key_send']] : [];
    if (question?.control !== 'cards') return [goesOn, ...tabs, ...send, ['Esc', 'key_close']];
    const count = Math.min(question.cards.length + (question.other ? 1 : 0), 9);
    const choose = question.multi ? ['Space', 'key_toggle'] : [count > 1 ? `1–${count}` : '1', 'key_choose'];
    return [['↑ ↓', 'key_move'], choose, goesOn, ...tabs, ...send, ['Esc', 'key_close']];
  }
}
