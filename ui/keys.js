// Which keys go to the session instead of doing what the browser would do. What they mean there is
// the session's to say.

const TEXT_PLACES = ['other', 'text', 'note', 'aside'];
const PRESSED_BY_THEMSELVES = ['button', 'tab', 'primary'];
const ANYWHERE_ELSE = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', ' ', 'Escape'];

/** Whether the session takes the key that was pressed at `place`. */
export function takes(place, { key, ctrlKey, shiftKey, altKey, metaKey }) {
  if (altKey || metaKey) return false;
  if (TEXT_PLACES.includes(place)) {
    return key === 'Escape' || (key === 'Enter' && (ctrlKey || !shiftKey));
  }
  if (ctrlKey) return key === 'Enter' || key === 'Tab';
  if (PRESSED_BY_THEMSELVES.includes(place) && (key === 'Enter' || key === ' ')) return false;
  return ANYWHERE_ELSE.includes(key) || /^[1-9]$/.test(key);
}
