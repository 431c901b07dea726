// Makes elements. What came from outside only ever becomes text.

/**
 * An element with attributes (`class`, `aria-…`; functions become listeners) and children.
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null && child !== false));
  return made;
}

/** An element whose content is HTML that Rust has made safe. */
export function safeHtml(name, attributes, html) {
  const made = element(name, attributes);
  made.innerHTML = html;
  return made;
}

/** Sets a boolean attribute, or an `aria-…` one, only when it changes. */
export function setState(target, name, value) {
  if (target.getAttribute(name) !== String(value)) target.setAttribute(name, value);
}

/** Sets the text only when it changes, so that a screen reader is not told it twice. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Says the interface's words: `say('question_of', { n: 1, total: 3 })`. */
export function speaker(words) {
  return (key, values = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
