// What the person does anywhere on the page.

import { flush, openLink, send } from './bridge.js';
import { FirstKey } from './first-key.js';
import { nameOf, pressesItself, takes } from './keys.js';

/** How often it is worth saying that the person is still there. */
const STIR_EVERY = 1000;

/** Boxes beside which no key means anything else than text. */
const ALONE = ['text', 'aside'];

/** To the next open dialog, and the one before. */
const JUMPS = { ArrowDown: 1, ArrowUp: -1 };

/** `dialog()` is the one on the stage. */
export function listen(dialog, inbox) {
  const placeOf = (target) => {
    // A link is pressed like a button.
    if (target.closest?.('a[href]')) return { at: 'button' };
    const holder = target.closest?.('[data-place]');
    if (!holder) return { at: 'panel' };
    const { place: at, index } = holder.dataset;
    if (at === 'tab') return { at, step: Number(index) };
    return index === undefined ? { at } : { at, index: Number(index) };
  };

  const sayWhere = () => send({ type: 'moved', place: placeOf(document.activeElement) });

  // Who reads is there too: a deadline waits for them.
  let stirred = 0;
  const stir = ({ timeStamp }) => {
    if (!dialog()?.view.countdown || timeStamp - stirred < STIR_EVERY) return;
    stirred = timeStamp;
    send({ type: 'stirred' });
  };
  addEventListener('pointermove', stir);
  addEventListener('scroll', stir, { capture: true });

  const firstKey = new FirstKey();
  const sendKeys = (keys) => keys.forEach((key) => send({ type: 'key', ...key }));

  addEventListener('keydown', (event) => {
    document.documentElement.dataset.by = 'keys';
    if (event.altKey && !event.ctrlKey && JUMPS[event.key]) {
      event.preventDefault();
      return inbox.jumpTo(JUMPS[event.key]);
    }
    // The arrows scroll a preview that has the keyboard.
    if (event.key.startsWith('Arrow') && document.activeElement.closest('.preview')) return;
    const { at } = placeOf(document.activeElement);
    const { code, ctrlKey: ctrl, shiftKey: shift, repeat } = event;
    const composing = event.isComposing || event.keyCode === 229;
    // A button would be pressed again and again by a key that is held down.
    if (repeat && pressesItself(at, event)) event.preventDefault();
    const key = { key: nameOf(event), code, ctrl, shift, repeat, composing };
    // Before it is armed the session hears of every key: it waits until the person types no more.
    if (!takes(at, event)) {
      if (dialog()?.view.armed === false) sendKeys([key]);
      return;
    }
    // While an input method composes, all keys are its own.
    if (composing) return sendKeys([key]);
    event.preventDefault();
    sendKeys(firstKey.down(key, dialog()?.view.armed));
  });

  addEventListener('keyup', (event) => sendKeys(firstKey.up(event)));

  addEventListener('pointerdown', () => {
    document.documentElement.dataset.by = 'pointer';
    send({ type: 'press' });
  });

  /** What has just lost the keyboard to nothing. */
  let left = null;

  addEventListener('focusin', (event) => {
    left = null;
    const place = placeOf(event.target);
    if (JSON.stringify(place) !== JSON.stringify(dialog()?.view.place)) sayWhere();
  });

  addEventListener('focusout', (event) => {
    flush();
    // Focus that leaves for another window comes back to where it was.
    if (event.relatedTarget || !document.hasFocus()) return;
    left = event.target;
    queueMicrotask(sayWhere);
  });

  addEventListener('click', () => {
    // Who clicks beside a box and types on would type into nothing. Who marked a text wants to copy it.
    if (!ALONE.includes(left?.dataset.place) || !getSelection().isCollapsed) return;
    left.focus({ preventScroll: true });
    // It has been told of leaving, which no view shows yet.
    sayWhere();
  });

  addEventListener('focus', () => {
    firstKey.await();
    send({ type: 'window_focused' });
  });

  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link) return;
    event.preventDefault();
    if (dialog()?.view.armed) openLink(link.href);
  });
}
