// What the person looks for: a text, an agent, a folder.

/** @import { Filter, Overview, Word } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { element } from './element.js';

/** How long a pause in typing is. */
const PAUSE = 200;

export class Finder {
  /**
   * `find` is called when the person looks for something else.
   * @param {Say} say
   * @param {() => void} find
   */
  constructor(say, find) {
    this.say = say;
    this.find = find;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.box = element('input', {
      type: 'search',
      class: 'search',
      placeholder: say('past_search'),
      'aria-label': say('past_search'),
      autocomplete: 'off',
      spellcheck: 'false',
      input: () => this.wait(),
    });
    this.agent = this.choices('past_agent', 'past_all_agents');
    this.project = this.choices('past_project', 'past_all_projects');
    this.root = element('search', { class: 'finder' }, this.box, this.agent, this.project);
  }

  /**
   * @param {Word} name
   * @param {Word} all
   */
  choices(name, all) {
    const everything = element('option', { value: '' }, this.say(all));
    return element('select', { 'aria-label': this.say(name), change: () => this.now() }, everything);
  }

  /**
   * What there is to choose from; what is chosen stays so.
   * @param {Overview} overview
   */
  offer({ agents, projects }) {
    for (const { select, choices } of [{ select: this.agent, choices: agents }, { select: this.project, choices: projects }]) {
      const { value } = select;
      const options = choices.map(({ value, shown }) => element('option', { value, title: value }, shown));
      select.replaceChildren(select.options[0], ...options);
      select.value = choices.some((choice) => choice.value === value) ? value : '';
    }
  }

  /**
   * Only what is set.
   * @returns {Pick<Filter, 'search' | 'agent' | 'project'>}
   */
  filter() {
    const parts = { search: this.box.value.trim(), agent: this.agent.value, project: this.project.value };
    return Object.fromEntries(Object.entries(parts).filter(([, value]) => value));
  }

  clear() {
    this.box.value = '';
    this.now();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), PAUSE);
  }

  now() {
    clearTimeout(this.timer);
    this.find();
  }
}
