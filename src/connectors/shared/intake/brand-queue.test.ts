import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBrandQueue } from './brand-queue.ts';

test('brands take turns, however many entries one of them has', () => {
  const queue = createBrandQueue<string>();
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(entry.charAt(0), entry);
  const order = Array.from({ length: 7 }, () => queue.next());
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('a brand that comes back while others wait does not pass them', () => {
  const queue = createBrandQueue<string>();
  queue.add('a', 'a1');
  queue.add('b', 'b1');
  assert.equal(queue.next(), 'a1');
  queue.add('a', 'a2');
  assert.deepEqual([queue.next(), queue.next()], ['b1', 'a2']);
});

test('an entry that was given up is not served', () => {
  const queue = createBrandQueue<string>();
  queue.add('a', 'a1');
  queue.add('a', 'a2');
  queue.add('b', 'b1');
  queue.remove('a', 'a1');
  queue.remove('b', 'b1');
  queue.remove('c', 'c1');
  assert.deepEqual([queue.next(), queue.next()], ['a2', undefined]);
});

test('all that wait can be taken at once', () => {
  const queue = createBrandQueue<string>();
  queue.add('a', 'a1');
  queue.add('b', 'b1');
  assert.deepEqual(queue.takeAll(), ['a1', 'b1']);
  assert.equal(queue.next(), undefined);
});
