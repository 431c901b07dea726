// Which keys go to the session instead of doing what the browser would do. What they mean there is
// the session's to say.

/** @import { Place } from '../tests/types/page' */

/**
 * Where text is typed.
 * @type {Place['at'][]}
 */
export const TEXT_PLACES = ['other', 'text', 'note', 'aside'];
/** @type {Place['at'][]} */
const BUTTONS = ['button', 'tab'];
const ANYWHERE_ELSE = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', ' ', 'Escape'];

/**
 * The name of a key. With Shift, X11 has another name for Tab, which WebKit does not know.
 * @param {KeyboardEvent} event
 */
export const nameOf = ({ key, code }) => (key === 'Unidentified' && code === 'Tab' ? 'Tab' : key);

/**
 * Whether the key presses the button at `place` without our doing.
 * @type {(place: Place['at'], event: KeyboardEvent) => boolean}
 */
export const pressesItself = (place, { key }) => BUTTONS.includes(place) && (key === 'Enter' || key === ' ');

/**
 * Whether the key types something where no box is.
 * @type {(place: Place['at'], event: KeyboardEvent) => boolean}
 */
export const isStray = (place, { key, ctrlKey, altKey, metaKey }) =>
  !TEXT_PLACES.includes(place) && !ctrlKey && !altKey && !metaKey && key !== ' ' && (key === 'Dead' || [...key].length === 1);

/**
 * Whether the session takes the key that was pressed at `place`, where `choices` have a digit.
 * @param {Place['at']} place
 * @param {KeyboardEvent} event
 * @param {number} choices
 */
export function takes(place, event, choices) {
  const { ctrlKey, shiftKey, altKey, metaKey } = event;
  const key = nameOf(event);
  if (altKey || metaKey) return false;
  if (TEXT_PLACES.includes(place)) {
    return key === 'Escape' || (key === 'Enter' && (ctrlKey || !shiftKey));
  }
  if (ctrlKey) return key === 'Enter' || key === 'Tab' || key === 'z';
  if (pressesItself(place, event)) return false;
  return ANYWHERE_ELSE.includes(key) || (/^[1-9]$/.test(key) && Number(key) <= choices);
}
