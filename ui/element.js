// Makes elements. What came from outside only ever becomes text.

/** @import { Focus, PageLanguage, Phrase, Warning, Word } from '../tests/types/page' */
/** @typedef {(key: Word, values?: Record<string, string | number>) => string} Say */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)> & { 'data-focus'?: Focus['at'] }} Attributes */

/**
 * An element with attributes (`class`, `aria-…`; functions become listeners) and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {...(Node | string | false | null | undefined)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child != null && child !== false));
  return made;
}

/**
 * An element whose content is HTML that Rust has made safe.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {string} html
 */
export function safeHtml(name, attributes, html) {
  const made = element(name, attributes);
  made.innerHTML = html;
  return made;
}

/**
 * Sets a boolean attribute, or an `aria-…` one, only when it changes.
 * @param {Element} target
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function setState(target, name, value) {
  if (target.getAttribute(name) !== String(value)) target.setAttribute(name, String(value));
}

/**
 * Sets the text only when it changes, so that a screen reader is not told it twice.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Sets what is to be said, or nothing.
 * @param {Element} target
 * @param {Phrase | Warning | null} phrase
 * @param {Say} say
 */
export function setPhrase(target, phrase, say) {
  setText(target, phrase ? say(phrase.word, phrase.values) : '');
}

/**
 * The link that something is in, if it is an element; an event may also be the document's.
 * @param {EventTarget | null} target
 * @returns {HTMLAnchorElement | null}
 */
export function linkAround(target) {
  return target instanceof Element ? target.closest('a[href]') : null;
}

/**
 * Says the interface's words: `say('question_of', { n: 1, total: 3 })`.
 * @param {PageLanguage['words']} words
 * @returns {Say}
 */
export function speaker(words) {
  return (key, values = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
