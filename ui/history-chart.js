// Questions and waiting times of the last days, by agent; drawn for the eye, and as a table.

/** @import { DayStats, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */
/** @typedef {{ name: string, start: Date, rows: DayStats[] }} Day */
/** @typedef {(agent: string) => string} Colour */

import { element } from './element.js';
import { duration, lastDays, wholeDay } from './history-time.js';

const DAYS = 14;
/** So many agents have a colour of their own. */
const COLOURS = 5;
/** Waiting times differ by the thousand, so each line stands for many times the one below it. */
const LINES = [1000, 60_000, 3_600_000, 86_400_000, 30 * 86_400_000];

/** From when to when the chart tells. */
export const span = () => ({ since: lastDays(DAYS)[0].start.getTime(), until: Date.now() + 1 });

/**
 * `null` if nothing was asked. There is one of the `rows` for each day and agent.
 * @param {DayStats[]} rows
 * @param {Say} say
 */
export function chart(rows, say) {
  if (rows.length === 0) return null;
  const days = lastDays(DAYS).map((day) => ({ ...day, rows: rows.filter((row) => row.day === day.name) }));
  const agents = byCount(rows);
  /** @type {Colour} */
  const colour = (agent) => `colour-${Math.min(agents.indexOf(agent), COLOURS)}`;
  return element(
    'section',
    { class: 'chart', 'aria-label': say('past_chart', { n: DAYS }) },
    element('h2', {}, say('past_chart', { n: DAYS })),
    element(
      'div',
      { class: 'drawing', 'aria-hidden': 'true' },
      legend(agents, colour, say),
      element('h3', {}, say('questions')),
      bars(days, agents, colour),
      element('h3', {}, say('past_waiting')),
      waits(days, colour, say),
      plot('names', ...days.map(({ start }) => element('span', { class: 'day', title: wholeDay(start) }, String(start.getDate())))),
    ),
    element('details', {}, element('summary', {}, say('past_as_table')), table(days, say)),
  );
}

/**
 * The agents, the busiest first.
 * @param {DayStats[]} rows
 */
function byCount(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { agent, count } of rows) counts.set(agent, (counts.get(agent) ?? 0) + count);
  return [...counts].sort(([, a], [, b]) => b - a).map(([agent]) => agent);
}

/**
 * @param {string[]} agents
 * @param {Colour} colour
 * @param {Say} say
 */
function legend(agents, colour, say) {
  const named = agents.slice(0, COLOURS).map((agent) => [agent, agent]);
  const rest = agents.slice(COLOURS, COLOURS + 1).map((agent) => [agent, say('past_other_agents')]);
  const marks = [...named, ...rest].map(([agent, name]) =>
    element('span', { class: 'legend-agent' }, element('i', { class: colour(agent) }), element('span', {}, name)),
  );
  return element('div', { class: 'legend' }, ...marks);
}

/**
 * A column for each day, and room for a scale before them.
 * @type {(name: string, ...columns: HTMLElement[]) => HTMLElement}
 */
const plot = (name, ...columns) => element('div', { class: `plot ${name}` }, ...columns);

/**
 * @param {Day[]} days
 * @param {string[]} agents
 * @param {Colour} colour
 */
function bars(days, agents, colour) {
  const sum = (/** @type {Day} */ { rows }) => rows.reduce((total, row) => total + row.count, 0);
  const most = Math.max(...days.map(sum));
  const columns = days.map((day) => {
    const parts = day.rows
      .toSorted((a, b) => agents.indexOf(a.agent) - agents.indexOf(b.agent))
      .map(({ agent, count }) => {
        const part = element('i', { class: colour(agent), title: `${agent}: ${count}` });
        part.style.flexGrow = String(count);
        return part;
      });
    const bar = element('div', { class: 'bar' }, ...parts);
    bar.style.height = `${(100 * sum(day)) / most}%`;
    return element('div', { class: 'day' }, sum(day) > 0 && element('span', { class: 'count' }, String(sum(day))), bar);
  });
  return plot('bars', ...columns);
}

/**
 * @param {Day[]} days
 * @param {Colour} colour
 * @param {Say} say
 */
function waits(days, colour, say) {
  const longest = Math.max(...days.flatMap(({ rows }) => rows.map((row) => row.median_wait_ms ?? 0)));
  const top = LINES.slice(1).find((line) => line >= longest) ?? longest;
  const height = (/** @type {number} */ time) => (100 * Math.log(Math.max(time, LINES[0]) / LINES[0])) / Math.log(top / LINES[0]);
  const lines = LINES.filter((line) => line <= top).map((line) => {
    const made = element('span', { class: 'line' }, element('span', {}, duration(say, line)));
    made.style.bottom = `${height(line)}%`;
    return made;
  });
  const columns = days.map(({ rows }) => {
    const waited = rows.flatMap(({ agent, median_wait_ms: time }) => (time === null ? [] : [{ agent, time }]));
    const dots = waited.map(({ agent, time }, index) => {
      const dot = element('i', { class: `dot ${colour(agent)}`, title: `${agent}: ${duration(say, time)}` });
      dot.style.bottom = `${height(time)}%`;
      // Side by side, so that none hides another.
      dot.style.left = `${(100 * (index + 1)) / (waited.length + 1)}%`;
      return dot;
    });
    return element('div', { class: 'day' }, ...dots);
  });
  return plot('waits', element('div', { class: 'lines' }, ...lines), ...columns);
}

/**
 * @param {Day[]} days
 * @param {Say} say
 */
function table(days, say) {
  /** @type {Word[]} */
  const columns = ['past_day', 'past_agent', 'questions', 'past_waiting'];
  const head = columns.map((word) => element('th', { scope: 'col' }, say(word)));
  const rows = days.toReversed().flatMap(({ start, rows }) =>
    rows.map(({ agent, count, median_wait_ms: time }) =>
      element(
        'tr',
        {},
        element('td', {}, wholeDay(start)),
        element('td', {}, agent),
        element('td', {}, String(count)),
        element('td', {}, time === null ? '–' : duration(say, time)),
      ),
    ),
  );
  return element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows));
}
