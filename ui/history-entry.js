// A past dialog: who asked, how it ended, and what was given.

/** @import { Fate, HistoryAnswer, HistoryEntry, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { copy } from './history-bridge.js';
import { element, safeHtml, setText } from './element.js';
import { sure } from './history-sure.js';
import { clock, wholeMoment } from './history-time.js';

/** @type {Partial<Record<Fate, Word>>} */
const FATES = { unfinished: 'past_unfinished', not_sent: 'past_not_sent' };

/** How an entry begins when it is read aloud, or when its button is. */
const BEGINNING = 60;

/**
 * `copied` is told which button has put its text on the clipboard; `remove` deletes the entry, once the
 * person is sure.
 * @param {HistoryEntry} past
 * @param {Say} say
 * @param {{ copied: (button: HTMLElement) => void, remove: (made: HTMLElement, past: HistoryEntry) => void }} does
 */
export function entry(past, say, { copied, remove }) {
  const { agent, folder, host, title, outcome, ended_at: endedAt } = past;
  const told = past.by_program ? 'answered_for' : outcome;
  const toldWord = /** @type {Word} */ (`past_${told}`);
  const asked = past.questions.map(({ text_html: html, given }) =>
    element(
      'div',
      { class: 'asked' },
      safeHtml('div', { class: 'asked-text prose long' }, html),
      ...given.map((one) => row(one, say, copied)),
      given.length === 0 && element('p', { class: 'nothing' }, say('not_answered')),
    ),
  );
  const text = asked[0].querySelector('.asked-text')?.textContent.slice(0, BEGINNING) ?? '';
  const trash = element('button', { type: 'button', class: 'trash', 'aria-label': say('past_delete_of', { text }), title: say('past_delete'), click: () => ask() });
  const whole = element('button', { type: 'button', class: 'whole', hidden: true, 'aria-expanded': 'false' }, say('past_whole'));
  const made = element(
    'article',
    { class: 'entry', tabindex: '-1', 'data-ticket': past.ticket, 'data-ended': endedAt },
    element(
      'header',
      {},
      element('span', { class: 'agent' }, agent),
      folder && element('span', { class: 'folder', title: folder.full }, folder.short),
      host && element('span', { class: 'host' }, say('from_host', { host })),
      element('span', { class: 'acts' }, whole, trash),
      element('span', { class: `outcome ${told}` }, say(toldWord)),
      past.reused && element('span', { class: 'reused' }, say('past_reused')),
      element('time', { datetime: new Date(endedAt).toISOString(), title: wholeMoment(endedAt) }, clock(endedAt)),
    ),
    title && element('h3', { dir: 'auto' }, title),
    ...asked,
    ...past.said.map((one) => row(one, say, copied)),
  );
  const ask = () => {
    const keep = () => {
      question.remove();
      made.focus();
    };
    const question = sure(say, say(past.undelivered ? 'past_delete_undelivered' : 'past_delete_entry'), () => remove(made, past), keep);
    made.querySelector('.sure')?.remove();
    made.append(question);
    question.focus();
    question.scrollIntoView({ block: 'nearest' });
  };
  widths.observe(made);
  whole.addEventListener('click', () => {
    const open = made.classList.toggle('open');
    whole.setAttribute('aria-expanded', String(open));
    setText(whole, say(open ? 'past_less' : 'past_whole'));
  });
  return made;
}

/** Offers the rest of the entries that are too long to be shown whole, at any width. */
const widths = new ResizeObserver((changes) => {
  const closed = changes.map(({ target }) => target).filter((made) => !made.classList.contains('open'));
  const texts = closed.flatMap((made) => [...made.querySelectorAll('.long')]);
  // All are looked at before any is changed, so that the page is laid out once.
  const cut = new Set(texts.filter((text) => text.scrollHeight > text.clientHeight + 1));
  for (const text of texts) text.classList.toggle('cut', cut.has(text));
  for (const made of closed) made.querySelector('.whole')?.toggleAttribute('hidden', !made.querySelector('.cut'));
});

/**
 * @param {HistoryAnswer} given
 * @param {Say} say
 * @param {(button: HTMLElement) => void} copied
 */
function row({ kind, fate, texts }, say, copied) {
  const text = texts.join('\n');
  const label = [kind === 'note' && say('note'), FATES[fate] && say(FATES[fate])].filter(Boolean).join(' · ');
  /** @type {HTMLElement} */
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': say('past_copy_of', { text: text.slice(0, BEGINNING) }), click: () => copy(text).then(() => copied(button)) },
    say('past_copy'),
  );
  return element(
    'div',
    { class: `given ${fate}` },
    element(
      'div',
      { class: 'given-body' },
      label && element('span', { class: 'given-label' }, label),
      kind === 'secret'
        ? element('span', { class: 'secret' }, say('past_secret'))
        : element('div', { class: 'given-texts long' }, ...texts.map((one) => element('p', { dir: 'auto' }, one))),
    ),
    kind !== 'secret' && button,
  );
}
