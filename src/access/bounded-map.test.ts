import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedMap } from './bounded-map.ts';

test('the oldest entry makes room, and setting one anew makes it young', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4]);
});
