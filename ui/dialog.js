// A dialog: its parts, and the drawing of a view.

/** @import { DialogSheet, Focus, PageDialog, QuestionSheet, View, Warning } from '../tests/types/page' */
/** @import { Say } from './element.js' */

import { isAhead } from './bridge.js';
import { element, setPhrase } from './element.js';
import { Composer } from './aside.js';
import { Caller } from './caller.js';
import { Cards } from './cards.js';
import { Decision } from './decision.js';
import { Farewell } from './farewell.js';
import { Footer } from './footer.js';
import { FormPage } from './form-page.js';
import { TEXT_FOCUS } from './keys.js';
import { Notice } from './notice.js';
import { pageOf } from './page-state.js';
import { Question } from './question.js';
import { Reading } from './reading.js';
import { Review } from './review.js';
import { StepsMenu } from './steps-menu.js';
import { Tabs } from './tabs.js';
import { growAgain } from './text-box.js';

const WIDTH = 640;
const WIDTH_WITH_PREVIEW = 980;
const WIDTH_OF_DECISION = 440;
const WIDTH_WITH_READING = 880;
/** Room for a line that says what is wrong. */
const SLACK = 32;
/** The review scrolls before it makes the window taller than this. */
const HEIGHT_OF_REVIEW = 560;
/** More tabs than these are a menu. */
const MOST_TABS = 8;

export class Dialog {
  /**
   * @param {PageDialog} staged
   * @param {Say} say
   */
  constructor({ ticket, folder, sheet, view }, say) {
    this.ticket = ticket;
    this.sheet = sheet;
    this.view = view;
    this.say = say;
    const several = sheet.pages.length > 1;

    this.caller = new Caller(sheet, folder, say);
    const read = toRead(sheet);
    this.reading = read ? new Reading(read, { say, label: say('reading_message') }) : null;
    this.tabs = several ? new (sheet.pages.length > MOST_TABS ? StepsMenu : Tabs)(sheet, say) : null;
    /** @type {(Question | Decision | FormPage | Review)[]} */
    this.steps = pages(sheet, several, say);
    this.review = several ? new Review(sheet, say) : null;
    if (this.review) this.steps.push(this.review);
    this.composer = new Composer(sheet, say);
    const [decision] = this.steps;
    const isPlain = decision instanceof Decision && decision.isPlain;
    this.footer = new Footer(sheet.questions, decision instanceof Decision ? decision.bar : null, say);
    this.farewell = new Farewell(say);
    this.notice = new Notice(say);
    this.warning = element('p', { class: 'warning', role: 'status' });

    this.panels = element('main', { class: 'panels' }, ...this.steps.map((part) => part.root));
    this.root = element(
      'div',
      { class: `dialog ${sheet.layout}${this.reading ? '' : ' brief'}${isPlain ? ' two-verbs' : ''}` },
      this.caller.root,
      this.warning,
      intro(sheet, this.reading),
      this.tabs?.root,
      this.panels,
      element('div', { class: 'bottom' }, this.notice.root, this.composer.root, this.footer.root),
      this.farewell.root,
    );
    this.parts = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.root.children);
    this.focusTurn = -1;
    this.step = -1;
    /** How large it was when it was last drawn for its size. */
    this.lastSize = '';
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
    const types = TEXT_FOCUS.some((at) => activeElement?.matches(`[data-focus="${at}"]`));
    return isAhead() && types && (this.sheet.layout === 'decide' ? this.root : this.part()).contains(activeElement);
  }

  /** @param {View} view */
  fill(view) {
    this.view = view;
    document.documentElement.dataset.phase = view.phase;
    document.documentElement.dataset.armed = String(view.armed);
    this.caller.draw(view);
    this.tabs?.draw(view);
    const page = pageOf(this.sheet.pages, view.step);
    this.steps.forEach((step, index) => step.draw(view, index === page));
    this.composer.draw(view);
    this.notice.draw(view);
    this.footer.draw(view);
    this.farewell.draw(view);
    const covered = this.farewell.covers();
    for (const part of this.parts) part.inert = covered && part !== this.farewell.root;
    this.dim(view.aside !== null);
    // Where the whole dialog scrolls, it covers the top.
    if (covered) this.root.scrollTop = 0;
  }

  /**
   * Beside an aside the question can be read and scrolled, but not answered.
   * @param {boolean} dimmed
   */
  dim(dimmed) {
    this.root.classList.toggle('dimmed', dimmed);
    if (this.tabs && dimmed) this.tabs.root.inert = true;
    for (const { root } of this.steps) for (const part of root.children) part.toggleAttribute('inert', dimmed);
  }

  /** Moves the keyboard where the session wants it, once for each time it wants so. */
  focus() {
    const { view } = this;
    if (view.focus_turn === this.focusTurn) return;
    const entered = view.step !== this.step;
    this.focusTurn = view.focus_turn;
    this.step = view.step;
    const target = this.elementAt(view.focus);
    target?.focus({ preventScroll: true });
    // A step that is entered is read from its top, as far as the cursor allows.
    if (entered) this.current().scrollTop = this.root.scrollTop = 0;
    if (!entered || ('index' in view.focus && view.focus.index > 0)) {
      (target?.closest('.card') ?? target)?.scrollIntoView({ block: 'nearest' });
    }
    this.current().querySelector('.error:not(:empty)')?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * @param {Focus} focus
   * @returns {HTMLElement | null}
   */
  elementAt(focus) {
    const scope = ['tab', 'primary', 'keep'].includes(focus.at) || this.sheet.layout === 'decide' ? this.root : this.part();
    const index = focus.at === 'tab' ? focus.step : focus.at === 'card' || focus.at === 'row' ? focus.index : undefined;
    const at = index === undefined ? '' : `[data-index="${index}"]`;
    return scope.querySelector(`[data-focus="${focus.at}"]${at}`);
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
    const scope = this.sheet.layout === 'decide' ? this.root : this.part();
    return scope.querySelectorAll('[data-focus="card"], [data-focus="row"]').length;
  }

  /** Another size breaks lines anew, and must not put the keyboard's place out of sight. */
  resized() {
    const size = `${this.root.clientWidth} ${this.root.clientHeight}`;
    // The window may have grown for what is beside the dialog.
    if (size === this.lastSize) return;
    this.lastSize = size;
    growAgain(this.root);
    if (this.current().contains(document.activeElement)) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * The box that takes a letter which was typed beside all boxes, where the current question has one.
   * @returns {HTMLElement | null}
   */
  letterBox() {
    if (this.view.phase !== 'asking') return null;
    const scope = this.sheet.layout === 'decide' ? this.root : this.part();
    return scope.querySelector('[data-focus="filter"]') ?? scope.querySelector('[data-focus="other"]');
  }

  page() {
    return this.steps[pageOf(this.sheet.pages, this.view.step)];
  }

  current() {
    return this.view.aside ? this.composer.root : this.page().root;
  }

  /** What of the current page belongs to the current question. */
  part() {
    const { aside, step } = this.view;
    const page = this.page();
    return !aside && page instanceof FormPage ? page.part(step) : this.current();
  }

  /**
   * Says what is wrong with how questions are kept.
   * @param {Warning | null} warning
   */
  warn(warning) {
    setPhrase(this.warning, warning, this.say);
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
    const taken = around.reduce((sum, part) => sum + part.offsetHeight, SLACK);
    const heights = this.steps.map((step) => {
      const height = taken + step.root.scrollHeight;
      return step === this.review ? Math.min(height, HEIGHT_OF_REVIEW) : height;
    });
    this.root.style.width = '';
    this.root.classList.remove('measured');
    return { width, height: Math.ceil(Math.max(...heights)) };
  }

  width() {
    const { layout, questions } = this.sheet;
    if (questions.some(hasPreview)) return WIDTH_WITH_PREVIEW;
    if (this.reading?.isLong || (this.reading && layout === 'decide')) return WIDTH_WITH_READING;
    return layout === 'decide' && questions[0].words_box?.field !== 'other' ? WIDTH_OF_DECISION : WIDTH;
  }

  /** Gives it the width that it needs, and all the height that it wants. */
  measure() {
    const width = this.width();
    this.root.classList.add('measured');
    this.root.style.width = `${width}px`;
    return width;
  }
}

/**
 * @param {DialogSheet} sheet
 * @param {boolean} several
 * @param {Say} say
 */
function pages(sheet, several, say) {
  switch (sheet.layout) {
    case 'decide':
      return [new Decision(sheet, say)];
    case 'fill':
      return sheet.pages.map((page, index) => new FormPage(sheet.questions, page, index, several, say));
    default:
      return sheet.questions.map((question, index) => new Question(question, index, several, say));
  }
}

/** @param {QuestionSheet} question */
const hasPreview = (question) => question.control === 'cards' && question.cards.some((card) => card.preview);

/**
 * What is to be read before anything is answered.
 * @param {DialogSheet} sheet
 */
const toRead = ({ layout, message, questions }) => (message ?? '') + (layout === 'decide' ? (questions[0].details ?? '') : '');

/**
 * @param {DialogSheet} sheet
 * @param {Reading | null} reading
 */
function intro(sheet, reading) {
  if (!sheet.title && !reading) return null;
  return element(
    'section',
    { class: 'intro', 'aria-labelledby': sheet.title ? 'title' : 'asks' },
    sheet.title && element('h2', { id: 'title', dir: 'auto' }, sheet.title),
    reading?.root,
  );
}
