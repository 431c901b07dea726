import assert from 'node:assert/strict';
import { test } from 'node:test';

// As much of a page as a box needs, in which the app never answers.
globalThis.window = { __TAURI__: { core: { invoke: () => new Promise(() => {}), Channel: class {} } } };
globalThis.document = {
  activeElement: null,
  createElement: (localName) => ({ localName, value: '', style: {}, setAttribute() {}, addEventListener() {}, append() {} }),
};
const { isAhead, send, speakFor } = await import('./bridge.js');
const { TextBox } = await import('./text-box.js');

const box = () => new TextBox({ box: { question: 0, field: 'text' } });
const view = (text_turn) => ({ open: true, text_turn });

test('a new box has what was typed before, whatever the app has not answered yet', () => {
  speakFor('a');
  send({ type: 'stirred' });
  assert.equal(isAhead(), true);
  const back = box();
  back.draw(view(0), 'typed before');
  assert.equal(back.root.value, 'typed before');
});

test('what is being typed is not replaced by what the app knew before', () => {
  const typing = box();
  typing.draw(view(0), '');
  typing.root.value = 'newer';
  typing.draw(view(1), 'older');
  assert.equal(typing.root.value, 'newer');
});
