// Which keys go to the session instead of doing what the browser would do. What they mean there is
// the session's to say.

/** @import { Focus } from '../tests/types/page' */

/**
 * Where text is typed.
 * @type {Focus['at'][]}
 */
export const TEXT_FOCUS = ['other', 'text', 'note', 'aside'];
/** @type {Focus['at'][]} */
const BUTTONS = ['button', 'tab'];
const ANYWHERE_ELSE = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', ' ', 'Escape'];

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
  if (altKey || metaKey) return false;
  if (TEXT_FOCUS.includes(at)) {
    return key === 'Escape' || (key === 'Enter' && (ctrlKey || !shiftKey));
  }
  if (ctrlKey) return key === 'Enter' || key === 'Tab' || key === 'z';
  if (pressesItself(at, event)) return false;
  return ANYWHERE_ELSE.includes(key) || (/^[1-9]$/.test(key) && Number(key) <= choices);
}
