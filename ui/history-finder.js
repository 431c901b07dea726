// What the person looks for: a text, an agent, a folder.

import { element } from './element.js';

/** How long a pause in typing is. */
const PAUSE = 200;

export class Finder {
  /** `find` is called when the person looks for something else. */
  constructor(say, find) {
    this.say = say;
    this.find = find;
    this.timer = null;
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

  choices(name, all) {
    const everything = element('option', { value: '' }, this.say(all));
    return element('select', { 'aria-label': this.say(name), change: () => this.now() }, everything);
  }

  /** What there is to choose from, as `{ value, shown }`; what is chosen stays so. */
  offer({ agents, projects }) {
    for (const [select, choices] of [[this.agent, agents], [this.project, projects]]) {
      const { value } = select;
      const options = choices.map(({ value, shown }) => element('option', { value, title: value }, shown));
      select.replaceChildren(select.options[0], ...options);
      select.value = choices.some((choice) => choice.value === value) ? value : '';
    }
  }

  /** Only what is set. */
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
