// The past dialogs: finds them, draws them, and more of them when asked to.

/** @import { Filter, Past } from '../tests/types/page' */

import { drawn, overview, search, words } from './history-bridge.js';
import { element, setText, speaker } from './element.js';
import { chart, span } from './history-chart.js';
import { entry } from './history-entry.js';
import { Finder } from './history-finder.js';
import { listen } from './history-keys.js';

/** How many are shown at a time. */
const PAGE = 50;

const spoken = await words();
const say = speaker(spoken.words);
document.documentElement.lang = spoken.language;

const finder = new Finder(say, () => find());
const found = element('p', { class: 'found', role: 'status' });
const newer = element('button', { type: 'button', class: 'newer', hidden: true, click: () => look() }, say('past_newer'));
const overall = element('div', { class: 'overall' });
const title = element('h1', { class: 'unseen' }, say('past_title'));
const list = element('div', { class: 'entries' });
const nothing = element('p', { class: 'empty', hidden: true });
const more = element('button', { type: 'button', class: 'more', hidden: true, click: () => find(past.at(-1)) }, say('past_more'));
const copied = element('p', { class: 'unseen', role: 'status' });
const scroll = element('div', { class: 'scroll' }, overall, list, nothing, more);
const results = element('main', { class: 'results' }, title, element('div', { class: 'state' }, found, newer), scroll);
document.body.append(element('div', { class: 'history' }, finder.root, results, copied));

/**
 * What is shown, newest first.
 * @type {Past[]}
 */
let past = [];
/** The latest look: what an earlier one finds comes too late. */
let latest = 0;
/** @type {HTMLElement | null} */
let copiedFrom = null;

/**
 * Shows what is looked for; after `last`, if that is the last one shown.
 * @param {Past} [last]
 */
async function find(last) {
  const look = ++latest;
  // Several can have ended in the same moment as the last one: they come again.
  const again = last ? past.filter(({ ended_at: at }) => at === last.ended_at).length : 0;
  /** @type {Pick<Filter, 'before' | 'limit'>} */
  const from = last ? { before: last.ended_at + 1, limit: PAGE + again } : { limit: PAGE };
  let result;
  try {
    result = await search({ ...finder.filter(), ...from });
  } catch (why) {
    if (look === latest) tellTrouble(why);
    return;
  }
  if (look !== latest) return;
  const fresh = result.past.slice(again);
  const entries = fresh.map((one) => entry(one, say, tellCopied));
  past = last ? [...past, ...fresh] : fresh;
  if (last) list.append(...entries);
  else list.replaceChildren(...entries);
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
  overall.hidden = isSearch;
  nothing.hidden = past.length > 0;
  setText(nothing, say(isSearch ? 'past_none' : 'past_empty'));
  const count = past.length;
  const told = isMore ? 'past_found_many' : count === 1 ? 'past_found_one' : 'past_found';
  setText(found, count === 0 ? '' : say(told, { count }));
}

/** @param {unknown} why */
function tellTrouble(why) {
  past = [];
  list.replaceChildren();
  more.hidden = true;
  setText(found, '');
  nothing.hidden = false;
  setText(nothing, say('past_trouble', { why: String(why) }));
}

/** @param {HTMLElement} button */
function tellCopied(button) {
  if (copiedFrom) setText(copiedFrom, say('past_copy'));
  copiedFrom = button;
  setText(button, say('past_copied'));
  setText(copied, say('past_copied'));
}

/** Looks at everything anew. */
async function look() {
  const listed = find();
  try {
    const all = await overview(span());
    finder.offer(all);
    overall.replaceChildren(...[chart(all.days, say)].filter((drawn) => drawn !== null));
  } catch (why) {
    console.error(why);
  }
  await listed;
}

/** Says that there are newer ones; by themselves they would move what is under the pointer. */
async function lookForNewer() {
  const { past: [newest] } = await search({ ...finder.filter(), limit: 1 });
  newer.hidden = !newest || newest.ticket === past[0]?.ticket;
}

listen(finder, list);
await look();
finder.box.focus();
addEventListener('focus', lookForNewer);
drawn();
