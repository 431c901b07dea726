// Times as people say them, in their language.

/** @import { Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

/** @type {[Word, number][]} */
const STEPS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
];

/**
 * A duration, in its largest unit.
 * @param {Say} say
 * @param {number} milliseconds
 */
export function duration(say, milliseconds) {
  /** @type {[Word, number]} */
  const [word, length] = STEPS.find(([, length]) => milliseconds >= length) ?? ['seconds', 1000];
  return say(word, { n: Math.round(milliseconds / length) });
}

/** @param {Intl.DateTimeFormatOptions} options */
const format = (options) => {
  const { lang } = document.documentElement;
  return new Intl.DateTimeFormat(lang, { hourCycle: 'h23', ...options });
};

/** @param {number} at */
export const clock = (at) => format({ hour: '2-digit', minute: '2-digit' }).format(at);

/**
 * The day as people call it; the year only where it is another.
 * @param {Say} say
 * @param {number} at
 */
export function dayOf(say, at) {
  const [yesterday, today] = lastDays(2).map(({ start }) => start.getTime());
  if (at >= today) return say('past_today');
  if (at >= yesterday) return say('past_yesterday');
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  return format({ year: isThisYear ? undefined : 'numeric', weekday: 'long', day: 'numeric', month: 'long' }).format(at);
}

/** @param {number} at */
export const wholeMoment = (at) => format({ dateStyle: 'full', timeStyle: 'medium' }).format(at);
/** @param {Date} at */
export const wholeDay = (at) => format({ weekday: 'short', day: 'numeric', month: 'short' }).format(at);

/**
 * The last `count` days by this clock, today last: when each begins, and its name in the store.
 * @param {number} count
 */
export function lastDays(count) {
  const today = new Date();
  return Array.from({ length: count }, (_, index) => {
    const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - count + 1 + index);
    const [month, date] = [start.getMonth() + 1, start.getDate()].map((part) => String(part).padStart(2, '0'));
    return { start, name: `${start.getFullYear()}-${month}-${date}` };
  });
}
