// The past dialogs: finds them, draws them, and more of them when asked to.

/** @import { HistoryEntry, Newest, Selection } from '../tests/types/page' */

import { drawn, overview, remove, search, words } from './history-bridge.js';
import { element, setText, speaker } from './element.js';
import { chart, span } from './history-chart.js';
import { entriesIn, headDays } from './history-days.js';
import { entry } from './history-entry.js';
import { Finder } from './history-finder.js';
import { listen } from './history-keys.js';
import { sure } from './history-sure.js';

/** How many are shown at a time. */
const PAGE = 50;

const spoken = await words();
const say = speaker(spoken.words);
document.documentElement.lang = spoken.language;

const finder = new Finder(say, () => find());
const found = element('p', { class: 'found', role: 'status' });
const newer = element('button', { type: 'button', class: 'newer', hidden: true, click: () => look() }, say('past_newer'));
const removeAll = element('button', { type: 'button', class: 'remove-all', hidden: true, click: () => askForAll() }, say('past_delete_all'));
const statistics = element(
  'button',
  { type: 'button', class: 'statistics', hidden: true, 'aria-expanded': 'false', 'aria-keyshortcuts': 'Alt+S', title: 'Alt+S', click: () => toggleChart() },
  say('past_statistics'),
);
const state = element('div', { class: 'state' }, found, newer, statistics, removeAll);
const overall = element('div', { class: 'overall', hidden: true });
const title = element('h1', { class: 'unseen' }, say('past_title'));
const list = element('div', { class: 'entries' });
const nothing = element('p', { class: 'empty', hidden: true });
const more = element('button', { type: 'button', class: 'more', hidden: true, click: () => find(past.at(-1)) }, say('past_more'));
const done = element('p', { class: 'unseen', role: 'status' });
const scroll = element('div', { class: 'scroll' }, overall, list, nothing, more);
const results = element('main', { class: 'results' }, title, state, scroll);
document.body.append(element('div', { class: 'history' }, finder.root, results, done));

/**
 * What is shown, newest first.
 * @type {HistoryEntry[]}
 */
let past = [];
/** The latest look: what an earlier one finds comes too late. */
let latest = 0;
/** @type {HTMLElement | null} */
let copiedFrom = null;

/**
 * Shows what is looked for; after `last`, if that is the last one shown.
 * @param {HistoryEntry} [last]
 */
async function find(last) {
  const look = ++latest;
  keepAll();
  // Several can have ended in the same moment as the last one: they come again.
  const again = last ? past.filter(({ ended_at: at }) => at === last.ended_at).length : 0;
  /** @type {Pick<Newest, 'before' | 'limit'>} */
  const from = last ? { before: last.ended_at + 1, limit: PAGE + again } : { limit: PAGE };
  let result;
  try {
    result = await search({ ...finder.filter(), ...from });
  } catch (why) {
    if (look === latest) tellTrouble(why);
    return;
  }
  if (look !== latest) return;
  const fresh = result.entries.slice(again);
  const entries = fresh.map((one) => entry(one, say, { copied: tellCopied, remove: removeOne }));
  past = last ? [...past, ...fresh] : fresh;
  if (last) list.append(...entries);
  else list.replaceChildren(...entries);
  headDays(list, say);
  if (!last) scroll.scrollTop = 0;
  // The button that was pressed goes down with the page; the keyboard goes on with what it brought.
  if (last && document.activeElement === more) entries[0]?.focus({ preventScroll: true });
  more.hidden = !result.more;
  newer.hidden = true;
  tellFound(result.more);
}

/** @param {boolean} isMore */
function tellFound(isMore) {
  const isSearch = Object.keys(finder.filter()).length > 0;
  nothing.hidden = past.length > 0;
  removeAll.hidden = past.length === 0;
  setText(nothing, say(isSearch ? 'past_none' : 'past_empty'));
  const count = past.length;
  const told = isMore ? 'past_found_many' : count === 1 ? 'past_found_one' : 'past_found';
  setText(found, isSearch && count > 0 ? say(told, { count }) : '');
}

/** @param {unknown} why */
function tellTrouble(why) {
  past = [];
  list.replaceChildren();
  more.hidden = true;
  removeAll.hidden = true;
  setText(found, '');
  nothing.hidden = false;
  setText(nothing, say('past_trouble', { why: String(why) }));
}

/** @param {HTMLElement} button */
function tellCopied(button) {
  if (copiedFrom) setText(copiedFrom, say('past_copy'));
  copiedFrom = button;
  setText(button, say('past_copied'));
  setText(done, say('past_copied'));
}

/**
 * @param {HTMLElement} made
 * @param {HistoryEntry} one
 */
async function removeOne(made, one) {
  try {
    await remove({ tickets: [one.ticket] });
  } catch (why) {
    return tellNotDeleted(made, why);
  }
  past = past.filter((other) => other !== one);
  const entries = entriesIn(list);
  const place = entries.indexOf(made);
  const next = entries[place + 1] ?? entries[place - 1];
  made.remove();
  headDays(list, say);
  (next ?? finder.box).focus();
  setText(done, say('past_deleted'));
  if (past.length === 0) return look();
  tellFound(!more.hidden);
  await oversee();
}

/** All that is looked for now; what ends from now on was not meant. */
async function askForAll() {
  const which = { matching: { ...finder.filter(), before: Date.now() + 1 } };
  try {
    const { deleted: count, undelivered } = await remove(which, true);
    const stays = undelivered.length;
    if (count === 0) return setText(found, say('past_stay_only'));
    const question = say(count === 1 ? 'past_delete_count_one' : 'past_delete_count', { count });
    const rest = stays === 0 ? '' : say(stays === 1 ? 'past_stay_one' : 'past_stay', { count: stays });
    keepAll();
    const asked = sure(say, `${question} ${rest}`.trim(), () => removeThese(which), () => {
      keepAll();
      removeAll.focus();
    });
    state.append(asked);
    state.classList.add('asks');
    asked.focus();
  } catch (why) {
    tellNotDeleted(state, why);
  }
}

function keepAll() {
  state.querySelector('.sure')?.remove();
  state.classList.remove('asks');
}

/** @param {Selection} which */
async function removeThese(which) {
  try {
    await remove(which);
  } catch (why) {
    return tellNotDeleted(state, why);
  }
  finder.box.focus();
  setText(done, say('past_deleted'));
  await look();
}

/**
 * @param {HTMLElement} where
 * @param {unknown} why
 */
function tellNotDeleted(where, why) {
  const told = say('past_delete_trouble', { why: String(why) });
  /** @type {HTMLElement | null} */
  const question = where.querySelector('.sure p');
  setText(question ?? found, told);
  setText(done, told);
}

/** Who has asked, from where, and how often. */
async function oversee() {
  try {
    const all = await overview(span());
    finder.offer(all);
    const drawn = chart(all.days, say);
    overall.replaceChildren(...(drawn ? [drawn] : []));
    statistics.hidden = !drawn;
    if (!drawn) toggleChart(false);
  } catch (why) {
    console.error(why);
  }
}

/** Shows the chart above the past dialogs, or hides it. */
function toggleChart(show = overall.hidden) {
  overall.hidden = !show;
  statistics.setAttribute('aria-expanded', String(show));
  if (show) scroll.scrollTop = 0;
}

/** Looks at everything anew. */
const look = () => Promise.all([find(), oversee()]);

/** Says that there are newer ones; by themselves they would move what is under the pointer. */
async function lookForNewer() {
  const { entries: [newest] } = await search({ ...finder.filter(), limit: 1 });
  // What was first may have been deleted elsewhere.
  newer.hidden = !newest || newest.ticket === past[0]?.ticket || newest.ended_at < past[0]?.ended_at;
}

listen(finder, list, statistics);
await look();
finder.box.focus();
addEventListener('focus', lookForNewer);
drawn();
