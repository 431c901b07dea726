// The keys of the history: to the search, from entry to entry, and out.

import { close, openLink } from './history-bridge.js';

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

export function listen(finder, list) {
  const step = (by) => {
    const entries = [...list.children];
    const here = entries.indexOf(document.activeElement.closest('.entry'));
    const next = here + by;
    if (here === 0 && by < 0) return finder.box.focus();
    entries[Math.min(next, entries.length - 1)]?.focus();
  };

  addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey, target } = event;
    document.documentElement.dataset.by = 'keys';
    // While an input method composes, all keys are its own.
    if (event.isComposing || event.keyCode === 229 || altKey || metaKey) return;
    const act = () => {
      if (ctrlKey) return key === 'f' && (() => finder.box.select());
      if (key === '/' && target !== finder.box) return () => finder.box.select();
      const sure = document.querySelector('.sure');
      if (key === 'Escape' && sure) return () => sure.querySelector('.keep').click();
      if (key === 'Delete' && list.contains(target)) return () => target.closest('.entry').querySelector('.trash').click();
      if (key === 'Escape') return target === finder.box && finder.box.value ? () => finder.clear() : close;
      const inList = list.contains(target) || (target === finder.box && key === 'ArrowDown');
      return STEPS[key] && inList && (() => step(STEPS[key]));
    };
    const does = act();
    if (!does) return;
    event.preventDefault();
    does();
  });

  addEventListener('pointerdown', () => (document.documentElement.dataset.by = 'pointer'));

  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link) return;
    event.preventDefault();
    openLink(link.href);
  });
}
