import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takes } from './keys.js';

const key = (name, modifiers = {}) => ({ key: name, ...modifiers });

test('no single key means anything while typing', () => {
  for (const place of ['other', 'text', 'note', 'aside']) {
    for (const name of ['1', ' ', 'a', 'ArrowLeft', 'ArrowUp', 'Tab']) {
      assert.equal(takes(place, key(name)), false, `${name} in ${place}`);
    }
    assert.equal(takes(place, key('Tab', { ctrlKey: true })), false);
    assert.equal(takes(place, key('Enter', { shiftKey: true })), false, 'Shift+Enter is a new line');
    assert.equal(takes(place, key('Enter')), true);
    assert.equal(takes(place, key('Enter', { ctrlKey: true })), true);
    assert.equal(takes(place, key('Escape')), true);
  }
});

test('cards take the keys of the dialog', () => {
  for (const name of ['1', '9', ' ', 'Enter', 'Escape', 'ArrowUp', 'ArrowRight']) {
    assert.equal(takes('card', key(name)), true, name);
  }
  for (const name of ['0', 'a', 'Tab', 'Home']) assert.equal(takes('card', key(name)), false, name);
});

test('a button is pressed by its own keys', () => {
  assert.equal(takes('primary', key('Enter')), false);
  assert.equal(takes('primary', key(' ')), false);
  assert.equal(takes('primary', key('Enter', { ctrlKey: true })), true);
  assert.equal(takes('tab', key('ArrowRight')), true);
});

test("the browser's and the desktop's shortcuts stay theirs", () => {
  assert.equal(takes('card', key('1', { altKey: true })), false);
  assert.equal(takes('card', key('c', { ctrlKey: true })), false);
  assert.equal(takes('card', key('ArrowLeft', { metaKey: true })), false);
});
