import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStray, pressesItself, takes as takesAmong } from './keys.js';

const takes = (at, event) => takesAmong(at, event, 9);

const key = (name, modifiers = {}) => ({ key: name, ...modifiers });

test('no single key means anything while typing', () => {
  for (const at of ['other', 'text', 'note', 'aside']) {
    for (const name of ['1', ' ', 'a', 'ArrowLeft', 'Tab']) {
      assert.equal(takes(at, key(name)), false, `${name} in ${at}`);
    }
    assert.equal(takes(at, key('Tab', { ctrlKey: true })), false);
    assert.equal(takes(at, key('Enter', { shiftKey: true })), false, 'Shift+Enter is a new line');
    assert.equal(takes(at, key('Enter')), true);
    assert.equal(takes(at, key('Enter', { ctrlKey: true })), true);
    assert.equal(takes(at, key('Escape')), true);
  }
});

test('an arrow leaves the box of Other only from its first and last row', () => {
  const at = (value, caret) => ({ target: { value, selectionStart: caret, selectionEnd: caret } });
  assert.equal(takes('other', key('ArrowUp', at('', 0))), true);
  assert.equal(takes('other', key('ArrowUp', at('one\ntwo', 2))), true);
  assert.equal(takes('other', key('ArrowUp', at('one\ntwo', 5))), false);
  assert.equal(takes('other', key('ArrowDown', at('one\ntwo', 2))), false);
  assert.equal(takes('other', key('ArrowDown', at('one\ntwo', 5))), true);
  assert.equal(takes('text', key('ArrowUp', at('', 0))), false);
});

test('cards take the keys of the dialog', () => {
  for (const name of ['1', '9', ' ', 'Enter', 'Escape', 'ArrowUp', 'ArrowRight']) {
    assert.equal(takes('card', key(name)), true, name);
  }
  for (const name of ['0', 'a', 'Tab', 'Home']) assert.equal(takes('card', key(name)), false, name);
});

test('a digit that no card has is only a character', () => {
  assert.equal(takesAmong('card', key('3'), 3), true);
  assert.equal(takesAmong('card', key('4'), 3), false);
  assert.equal(takesAmong('panel', key('1'), 0), false);
});

test('what is typed outside of a box is known', () => {
  for (const name of ['a', 'É', '中', '👍', '?', '0', 'Dead']) assert.equal(isStray('card', key(name)), true, name);
  for (const name of [' ', 'Enter', 'Tab', 'Shift', 'F5']) assert.equal(isStray('card', key(name)), false, name);
  assert.equal(isStray('other', key('a')), false);
  for (const modifier of ['ctrlKey', 'altKey', 'metaKey']) assert.equal(isStray('card', key('a', { [modifier]: true })), false);
});

test('a button is pressed by its own keys', () => {
  for (const name of ['Enter', ' ']) {
    assert.equal(takes('button', key(name)), false);
    assert.equal(pressesItself('button', key(name)), true);
    // Except for the one that sends: a key that is held down must not.
    assert.equal(takes('primary', key(name)), true);
    assert.equal(pressesItself('primary', key(name)), false);
  }
  assert.equal(takes('primary', key('Enter', { ctrlKey: true })), true);
  assert.equal(takes('tab', key('ArrowRight')), true);
});

test("the browser's and the desktop's shortcuts stay theirs", () => {
  assert.equal(takes('card', key('1', { altKey: true })), false);
  assert.equal(takes('card', key('c', { ctrlKey: true })), false);
  assert.equal(takes('card', key('ArrowLeft', { metaKey: true })), false);
});

test('Ctrl+Shift+Tab is known by its place on the keyboard', () => {
  assert.equal(takes('card', key('Unidentified', { code: 'Tab', ctrlKey: true, shiftKey: true })), true);
  assert.equal(takes('card', key('Unidentified', { code: 'Tab', shiftKey: true })), false);
  assert.equal(takes('card', key('Unidentified', { code: 'KeyA', ctrlKey: true })), false);
});
