import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FirstKey } from './first-key.js';

const enter = { key: 'Enter', code: 'Enter', repeat: false };
const again = { ...enter, repeat: true };
const down = { key: 'ArrowDown', code: 'ArrowDown', repeat: false };

test('the first key counts when it is let go', () => {
  const first = new FirstKey();
  assert.deepEqual(first.down(enter, true), []);
  assert.deepEqual(first.up(down), []);
  assert.deepEqual(first.up(enter), [enter]);
  assert.deepEqual(first.up(enter), []);
});

test('the first key counts when another one follows', () => {
  const first = new FirstKey();
  first.down(down, true);
  assert.deepEqual(first.down(enter, true), [down, enter]);
  assert.deepEqual(first.up(down), []);
});

test('a key that was held down since before never counts', () => {
  const first = new FirstKey();
  assert.deepEqual(first.down(enter, true), []);
  assert.deepEqual(first.down(again, true), [again]);
  assert.deepEqual(first.up(enter), []);
});

test('all further keys count at once, until the window gets the keyboard anew', () => {
  const first = new FirstKey();
  first.down(down, true);
  first.up(down);
  assert.deepEqual(first.down(enter, true), [enter]);
  first.await();
  assert.deepEqual(first.down(enter, true), []);
});

test('a letter counts at once, after the key before it', () => {
  const first = new FirstKey();
  const letter = { key: 'n', code: 'KeyN', repeat: false };
  first.down(down, true);
  assert.deepEqual(first.along(letter), [down, letter]);
  first.await();
  assert.deepEqual(first.along(letter), [letter]);
  assert.deepEqual(first.down(enter, true), [enter]);
});

test('before the window is armed nothing is kept for later', () => {
  const first = new FirstKey();
  assert.deepEqual(first.down(enter, false), [enter]);
  assert.deepEqual(first.up(enter), []);
});
