// Past the last control Tab leaves the page, and nothing shows where the keyboard is. Here it comes round.

const CONTROLS = 'button, input, textarea, select, a[href], [tabindex="0"]';

/** @param {boolean} backwards */
export function comeRound(backwards) {
  if (document.activeElement !== document.body) return;
  /** @type {HTMLElement[]} */
  const controls = [...document.body.querySelectorAll(/** @type {'button'} */ (CONTROLS))];
  const stops = controls.filter((control) => control.tabIndex >= 0 && !control.closest('[inert]') && control.checkVisibility({ visibilityProperty: true }));
  stops.at(backwards ? -1 : 0)?.focus();
}
