// Which keys go to the session instead of doing what the browser would do. What they mean there is
// the session's to say.

/** @import { Focus } from '../tests/types/page' */

import { KEYS } from './session-keys.js';

/**
 * Where text is typed.
 * @type {Focus['at'][]}
 */
export const TEXT_FOCUS = ['other', 'text', 'note', 'filter', 'aside'];
/** @type {Focus['at'][]} */
const BUTTONS = ['button', 'tab'];

/**
 * The name of a key. With Shift, X11 has another name for Tab, which WebKit does not know.
 * @param {KeyboardEvent} event
 */
export const nameOf = ({ key, code }) => (key === 'Unidentified' && code === 'Tab' ? 'Tab' : key);

/**
 * Whether the key presses the focused button without our doing.
 * @type {(at: Focus['at'], event: KeyboardEvent) => boolean}
 */
export const pressesItself = (at, { key }) => BUTTONS.includes(at) && (key === 'Enter' || key === ' ');

/**
 * Whether the key types something where no box is.
 * @type {(at: Focus['at'], event: KeyboardEvent) => boolean}
 */
export const isStray = (at, { key, ctrlKey, altKey, metaKey }) =>
  !TEXT_FOCUS.includes(at) && !ctrlKey && !altKey && !metaKey && key !== ' ' && (key === 'Dead' || [...key].length === 1);

/**
 * Whether the session takes the key that was pressed with the focus `at`, where `choices` have a digit.
 * @param {Focus['at']} at
 * @param {KeyboardEvent} event
 * @param {number} choices
 */
export function takes(at, event, choices) {
  const { ctrlKey, shiftKey, altKey, metaKey } = event;
  const key = nameOf(event);
  const pressed = `${ctrlKey ? 'Ctrl+' : ''}${shiftKey ? 'Shift+' : ''}${key}`;
  return !altKey && !metaKey && KEYS[at].includes(pressed) && !(Number(key) > choices) && leaves(event.target, key);
}

/**
 * Whether an arrow would leave the box that it was pressed in. Other keys do not move in one.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function leaves(target, key) {
  const { value = '', selectionStart: start, selectionEnd: end } = /** @type {Partial<HTMLTextAreaElement>} */ (target ?? {});
  if (key === 'ArrowUp') return !value.slice(0, start ?? 0).includes('\n');
  if (key === 'ArrowDown') return !value.slice(end ?? 0).includes('\n');
  return true;
}
