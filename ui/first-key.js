// The first key after the window got the keyboard. It may have been held down since before, and
// then begins to repeat here without X11 saying that it is a repetition. So it counts only when it
// is let go, or another key comes, before it repeats. Only the page hears that a key is let go, so
// the session cannot do this.

/** @import { PressedKey } from './bridge.js' */

export class FirstKey {
  constructor() {
    this.await();
  }

  /** The window got the keyboard. */
  await() {
    this.awaited = true;
    /** @type {PressedKey | null} */
    this.held = null;
  }

  /**
   * A key went down. Returns the keys that count now.
   * @param {PressedKey} key
   * @param {boolean | undefined} armed
   */
  down(key, armed) {
    if (this.awaited) {
      this.awaited = false;
      // What comes before the window is armed has no effect: no need to wait.
      if (!armed) return [key];
      this.held = key;
      return [];
    }
    const { held } = this;
    this.held = null;
    return held && !key.repeat ? [held, key] : [key];
  }

  /**
   * A key went down that has to count at once. Returns the keys that count now.
   * @param {PressedKey} key
   */
  along(key) {
    const { held } = this;
    this.awaited = false;
    this.held = null;
    return held ? [held, key] : [key];
  }

  /**
   * A key was let go. Returns the keys that count now.
   * @param {{ code: string }} key
   */
  up({ code }) {
    if (this.held?.code !== code) return [];
    const { held } = this;
    this.held = null;
    return [held];
  }
}
