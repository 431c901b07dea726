// The buttons, and the keys that work now.

import { act } from './bridge.js';
import { element, setText } from './element.js';

export class Footer {
  constructor(sheet, say) {
    this.say = say;
    this.sheet = sheet;
    const button = (className, place, action) =>
      element('button', { type: 'button', class: className, 'data-place': place, click: () => act(action()) });
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
    const answering = !view.aside && view.phase === 'asking';
    this.decline.hidden = !answering;
    this.clarify.hidden = !answering || this.sheet.wordless;
    this.back.hidden = view.step === 0 && !view.aside;
    setText(this.back, say(view.aside ? 'go_back' : 'back'));
    setText(this.primary, this.primaryText(view));
    this.primary.classList.toggle('declines', view.aside?.kind === 'decline');
    setText(this.limit, this.limitText(view));
    this.drawKeys(view);
  }

  primaryText({ aside, primary }) {
    if (aside) return this.say(aside.kind === 'decline' ? 'decline' : 'send').replace('…', '');
    return this.say(primary);
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
    const { at } = view.place;
    if (view.aside) return asideHints(view.aside, at);
    const question = this.sheet.questions[view.step];
    const goesOn = ['Enter', GOES_ON[view.primary]];
    if (['other', 'text', 'note'].includes(at)) {
      const multiline = at !== 'text' || question?.multiline;
      return [goesOn, ...(multiline ? [['Shift+Enter', 'key_line']] : []), ['Esc', 'key_leave']];
    }
    const tabs = this.sheet.questions.length > 1 ? [['← →', 'key_tabs']] : [];
    const send = view.complete && view.primary !== 'send' ? [['Ctrl+Enter', 'key_send']] : [];
    const rest = [...tabs, ...send, ['Esc', view.sets_aside ? 'key_set_aside' : 'key_close']];
    if (at === 'button') return [['Enter', 'key_press'], ...rest];
    if (at === 'row') return [['↑ ↓', 'key_move'], ['Enter', 'change'], ...rest];
    if (question?.control !== 'cards') return [goesOn, ...rest];
    const count = Math.min(question.cards.length + (question.other ? 1 : 0), 9);
    const digits = count > 1 ? `1–${count}` : '1';
    const choose = [[digits, 'key_choose'], ...(question.multi ? [[this.say('key_space'), 'key_toggle']] : [])];
    return [['↑ ↓', 'key_move'], ...choose, goesOn, ...rest];
  }
}

const GOES_ON = { next: 'key_next', review: 'key_next', send: 'key_send' };

function asideHints({ kind }, at) {
  if (at === 'button') return [['Enter', 'key_press'], ['Esc', 'key_back']];
  const sends = ['Enter', kind === 'decline' ? 'key_decline' : 'key_send'];
  return [sends, ...(at === 'aside' ? [['Shift+Enter', 'key_line']] : []), ['Esc', 'key_back']];
}
