// A dialog: its parts, and the drawing of a view.

/** @import { Place, QuestionSheet, Sheet, Staging, View, Warning } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { isAhead } from './bridge.js';
import { element, setText } from './element.js';
import { Aside } from './aside.js';
import { Caller } from './caller.js';
import { Cards } from './cards.js';
import { Farewell } from './farewell.js';
import { Footer } from './footer.js';
import { TEXT_PLACES } from './keys.js';
import { Question } from './question.js';
import { Reading } from './reading.js';
import { Review } from './review.js';
import { Tabs } from './tabs.js';

const WIDTH = 640;
const WIDTH_WITH_PREVIEW = 980;
const WIDTH_WITH_READING = 880;
/** Room for a line that says what is wrong. */
const SLACK = 32;

export class Dialog {
  /**
   * @param {Staging} staged
   * @param {Say} say
   */
  constructor({ ticket, sheet, view }, say) {
    this.ticket = ticket;
    this.sheet = sheet;
    this.view = view;
    this.say = say;
    const several = sheet.questions.length > 1;

    this.caller = new Caller(sheet, say);
    this.reading = sheet.message_html ? new Reading(sheet.message_html, { say, label: say('reading_message') }) : null;
    this.tabs = several ? new Tabs(sheet, say) : null;
    /** @type {(Question | Review)[]} */
    this.steps = sheet.questions.map((question, index) => new Question(question, index, several, say));
    if (several) this.steps.push(new Review(sheet, say));
    this.asides = { decline: new Aside('decline', sheet, say), clarify: new Aside('clarify', sheet, say) };
    this.footer = new Footer(sheet, say);
    this.farewell = new Farewell(say);
    this.notice = element('p', { class: 'notice', role: 'status' });
    this.warning = element('p', { class: 'warning', role: 'status' });

    this.panels = element('main', { class: 'panels' }, ...[...this.steps, ...Object.values(this.asides)].map((part) => part.root));
    this.root = element(
      'div',
      { class: 'dialog' },
      this.caller.root,
      this.warning,
      intro(sheet, this.reading),
      this.tabs?.root,
      this.panels,
      this.notice,
      this.footer.root,
      this.farewell.root,
    );
    this.parts = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.root.children);
    this.placeTurn = -1;
    this.step = -1;
    // Until its size is known it is laid out only to be measured.
    this.measure();
  }

  /** @param {View} view */
  draw(view) {
    // A view may be overtaken on its way by a newer one, whose texts may have waited for it.
    if (view.turn <= this.view.turn) return this.fill(this.view);
    this.fill(view);
    if (!this.hasMovedOn()) this.focus();
  }

  /** Whether the person is in a box already of which the view does not know: what they type must not go elsewhere. */
  hasMovedOn() {
    const { activeElement } = document;
    const types = TEXT_PLACES.some((place) => activeElement?.matches(`[data-place="${place}"]`));
    return isAhead() && types && this.current().contains(activeElement);
  }

  /** @param {View} view */
  fill(view) {
    this.view = view;
    document.documentElement.dataset.phase = view.phase;
    document.documentElement.dataset.armed = String(view.armed);
    this.caller.draw(view);
    this.tabs?.draw(view);
    this.steps.forEach((step, index) => step.draw(view, index === view.step && !view.aside));
    Object.values(this.asides).forEach((aside) => aside.draw(view));
    this.footer.draw(view);
    this.farewell.draw(view);
    const covered = this.farewell.covers();
    for (const part of this.parts) part.inert = covered && part !== this.farewell.root;
    // Where the whole dialog scrolls, it covers the top.
    if (covered) this.root.scrollTop = 0;
    setText(this.notice, this.noticeText(view));
  }

  /** @param {View} view */
  noticeText(view) {
    if (view.closing) return this.say('close_loses');
    // What was just done is more than what has been so for a while.
    if (view.trouble) return this.say(view.trouble.word, view.trouble.values);
    return view.caller_left && view.phase === 'asking' ? this.say('caller_left') : '';
  }

  /** Moves the keyboard where the session wants it, once for each time it wants so. */
  focus() {
    const { view } = this;
    if (view.place_turn === this.placeTurn) return;
    const entered = view.step !== this.step;
    this.placeTurn = view.place_turn;
    this.step = view.step;
    const target = this.elementAt(view.place);
    target?.focus({ preventScroll: true });
    // A step that is entered is read from its top, as far as the cursor allows.
    if (entered) this.current().scrollTop = this.root.scrollTop = 0;
    if (!entered || ('index' in view.place && view.place.index > 0)) {
      (target?.closest('.card') ?? target)?.scrollIntoView({ block: 'nearest' });
    }
    this.current().querySelector('.trouble:not(:empty)')?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * @param {Place} place
   * @returns {HTMLElement | null}
   */
  elementAt(place) {
    const scope = ['tab', 'primary'].includes(place.at) ? this.root : this.current();
    const index = place.at === 'tab' ? place.step : place.at === 'card' || place.at === 'row' ? place.index : undefined;
    const at = index === undefined ? '' : `[data-index="${index}"]`;
    return scope.querySelector(`[data-place="${place.at}"]${at}`);
  }

  /**
   * Whether the key is for something that is read.
   * @param {KeyboardEvent} event
   */
  reads(event) {
    if (this.view.phase !== 'asking') return false;
    const step = this.steps[this.view.step];
    const readings = [this.reading, step instanceof Question && step.control instanceof Cards ? step.control.reading : null].filter((reading) => reading != null);
    // The one with the keyboard comes first.
    readings.sort((a, b) => Number(b.root.contains(document.activeElement)) - Number(a.root.contains(document.activeElement)));
    return readings.some((reading) => reading.takes(event));
  }

  /** Whether keys do something, as far as the page knows. */
  get armed() {
    return this.view.armed;
  }

  /** The window got the keyboard, which the next view will show. */
  disarm() {
    this.view = { ...this.view, armed: false };
  }

  /** How many things there are that a digit chooses. */
  choices() {
    return this.current().querySelectorAll('[data-place="card"], [data-place="row"]').length;
  }

  /**
   * The box for own words, where the current question has one.
   * @returns {HTMLElement | null}
   */
  other() {
    return this.view.phase === 'asking' ? this.current().querySelector('[data-place="other"]') : null;
  }

  current() {
    const { aside, step } = this.view;
    return (aside ? this.asides[aside.kind] : this.steps[step]).root;
  }

  /**
   * Says what is wrong with how questions are kept.
   * @param {Warning | null} warning
   */
  warn(warning) {
    setText(this.warning, warning ? this.say(warning.word, warning.values) : '');
  }

  /** How far everything is scrolled that can be. */
  scrolled() {
    return this.scrollers().map((part) => part.scrollTop);
  }

  /** @param {number[] | undefined} tops */
  scrollTo(tops) {
    if (tops) this.scrollers().forEach((part, index) => (part.scrollTop = tops[index]));
  }

  scrollers() {
    return [this.root, ...(this.reading ? [this.reading.text] : []), ...this.steps.map((step) => step.root)];
  }

  /** The room that the tallest step needs. */
  size() {
    const width = this.measure();
    const around = [...this.parts].filter((part) => part !== this.panels && part !== this.farewell.root);
    const tallest = Math.max(...this.steps.map((step) => step.root.scrollHeight));
    const height = around.reduce((sum, part) => sum + part.offsetHeight, tallest);
    this.root.style.width = '';
    this.root.classList.remove('measured');
    return { width, height: Math.ceil(height) + SLACK };
  }

  /** Gives it the width that it needs, and all the height that it wants. */
  measure() {
    const width = this.sheet.questions.some(hasPreview) ? WIDTH_WITH_PREVIEW : this.reading?.isLong ? WIDTH_WITH_READING : WIDTH;
    this.root.classList.add('measured');
    this.root.style.width = `${width}px`;
    return width;
  }
}

/** @param {QuestionSheet} question */
const hasPreview = (question) => question.control === 'cards' && question.cards.some((card) => card.preview_html);

/**
 * @param {Sheet} sheet
 * @param {Reading | null} reading
 */
function intro(sheet, reading) {
  if (!sheet.title && !sheet.message_html) return null;
  return element(
    'section',
    { class: 'intro', 'aria-labelledby': sheet.title ? 'title' : 'asks' },
    sheet.title && element('h2', { id: 'title', dir: 'auto' }, sheet.title),
    reading?.root,
  );
}
