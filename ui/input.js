// What the person does anywhere on the page.

/** @import { Focus } from '../tests/types/page' */
/** @import { PressedKey } from './bridge.js' */
/** @import { Dialog } from './dialog.js' */
/** @import { Inbox } from './inbox.js' */

import { flush, openLink, send } from './bridge.js';
import { linkAround } from './element.js';
import { FirstKey } from './first-key.js';
import { isStray, nameOf, pressesItself, takes } from './keys.js';
import { comeRound } from './tab-round.js';

/** How often it is worth saying that the person is still there. */
const STIR_EVERY = 1000;

/** A longer pause between two keys ends what was typed: as in the session. */
const PAUSE = 400;

/**
 * Boxes beside which no key means anything else than text.
 * @type {Focus['at'][]}
 */
const ALONE = ['text', 'aside'];

/**
 * To the next open dialog, and the one before.
 * @type {Record<string, number>}
 */
const JUMPS = { ArrowDown: 1, ArrowUp: -1 };

/**
 * `dialog()` is the one on the stage.
 * @param {() => Dialog | null} dialog
 * @param {Inbox} inbox
 */
export function listen(dialog, inbox) {
  /** @type {(target: EventTarget | null) => Focus} */
  const focusOf = (target) => {
    // A link is pressed like a button.
    if (linkAround(target)) return { at: 'button' };
    /** @type {HTMLElement | null} */
    const holder = target instanceof Element ? target.closest('[data-focus]') : null;
    if (!holder) return { at: 'panel' };
    const { focus: at, index } = holder.dataset;
    if (at === 'tab') return { at, step: Number(index) };
    // `element` marks none with a focus that the session does not know.
    return /** @type {Focus} */ (index === undefined ? { at } : { at, index: Number(index) });
  };

  const sayWhere = () => send({ type: 'moved', focus: focusOf(document.activeElement) });

  /**
   * What follows is about the field that was gone to.
   * @param {EventTarget | null} target
   */
  const sayField = (target) => {
    /** @type {HTMLElement | null} */
    const field = target instanceof Element ? target.closest('[data-question]') : null;
    if (!field || Number(field.dataset.question) === dialog()?.view.step) return false;
    send({ type: 'field', question: Number(field.dataset.question) });
    return true;
  };

  // A person who reads is there too: a deadline waits for them.
  let stirred = 0;
  const stir = (/** @type {Event} */ { timeStamp }) => {
    if (!dialog()?.view.countdown || timeStamp - stirred < STIR_EVERY) return;
    stirred = timeStamp;
    send({ type: 'stirred' });
  };
  addEventListener('pointermove', stir);
  addEventListener('scroll', stir, { capture: true });

  const firstKey = new FirstKey();
  const sendKeys = (/** @type {PressedKey[]} */ keys) => keys.forEach((key) => send({ type: 'key', ...key }));

  let hasKeyboard = document.hasFocus();
  const gotKeyboard = () => {
    hasKeyboard = true;
    firstKey.await();
    dialog()?.disarm();
    send({ type: 'window_focused' });
  };

  /** Letters are typed that no box was there for; and when the last key came. */
  let straying = false;
  let lastKey = -Infinity;
  /** Whether Tab was pressed with Shift, which may be released before it. */
  let backwards = false;

  addEventListener('keydown', (event) => {
    document.documentElement.dataset.by = 'keys';
    if (nameOf(event) === 'Tab') backwards = event.shiftKey;
    // A key may come before the word that the window has the keyboard.
    if (!hasKeyboard) gotKeyboard();
    straying &&= event.timeStamp - lastKey < PAUSE;
    lastKey = event.timeStamp;
    if (event.altKey && !event.ctrlKey && JUMPS[event.key]) {
      event.preventDefault();
      return inbox.jumpTo(JUMPS[event.key]);
    }
    // What is read is scrolled and searched by keys that answer nothing.
    if (dialog()?.reads(event)) return;
    const { at } = focusOf(document.activeElement);
    const { code, ctrlKey: ctrl, shiftKey: shift, repeat } = event;
    const composing = event.isComposing || event.keyCode === 229;
    // A button would be pressed again and again by a key that is held down.
    if (repeat && pressesItself(at, event)) event.preventDefault();
    const key = { key: nameOf(event), code, ctrl, shift, repeat, composing, pressed: event.timeStamp };
    const armed = dialog()?.armed;
    if (takes(at, event, dialog()?.choices() ?? 0)) {
      // While an input method composes, all keys are its own.
      if (composing) return sendKeys([key]);
      event.preventDefault();
      return sendKeys(firstKey.down(key, armed));
    }
    // The session hears of every key before it is armed, and of all that belong to letters which no box
    // was there for: it waits until the person types no more.
    if (armed === false) return sendKeys([key]);
    if (armed && isStray(at, event)) {
      straying = true;
      sendKeys(firstKey.along(key));
      // Now, so that the letter itself goes there.
      return dialog()?.letterBox()?.focus();
    }
    if (!straying) return;
    if (pressesItself(at, event)) event.preventDefault();
    sendKeys([key]);
  });

  addEventListener('keyup', (event) => {
    sendKeys(firstKey.up(event));
    if (nameOf(event) === 'Tab' && dialog()) comeRound(backwards);
  });

  addEventListener('pointerdown', (event) => {
    document.documentElement.dataset.by = 'pointer';
    sayField(event.target);
    send({ type: 'press' });
  });

  /**
   * What has just lost the keyboard to nothing.
   * @type {HTMLElement | null}
   */
  let left = null;

  addEventListener('focusin', (event) => {
    left = null;
    const focus = focusOf(event.target);
    const elsewhere = sayField(event.target);
    if (elsewhere || JSON.stringify(focus) !== JSON.stringify(dialog()?.view.focus)) sayWhere();
  });

  addEventListener('focusout', (event) => {
    flush();
    // Focus that leaves for another window comes back to where it was.
    if (event.relatedTarget || !document.hasFocus()) return;
    left = /** @type {HTMLElement} */ (event.target);
    queueMicrotask(sayWhere);
  });

  addEventListener('click', () => {
    // After a click beside a box what is typed would go nowhere. A person who marked a text wants to copy it.
    if (!left || !ALONE.includes(focusOf(left).at) || !getSelection()?.isCollapsed) return;
    left.focus({ preventScroll: true });
    // It has been told of leaving, which no view shows yet.
    sayWhere();
  });

  addEventListener('focus', gotKeyboard);
  addEventListener('blur', () => (hasKeyboard = false));

  addEventListener('click', (event) => {
    const link = linkAround(event.target);
    if (!link) return;
    event.preventDefault();
    if (dialog()?.armed) openLink(link.href);
  });
}
