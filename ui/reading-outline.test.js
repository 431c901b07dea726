import assert from 'node:assert/strict';
import test from 'node:test';

import { shortNames } from './reading-outline.js';

test('files of the same name are told apart by their folder', () => {
  const paths = ['core/src/store.rs', 'desk/src/main.rs', 'desk/lib/store.rs', 'README.md'];
  assert.deepEqual(shortNames(paths), ['src/store.rs', 'main.rs', 'lib/store.rs', 'README.md']);
});
