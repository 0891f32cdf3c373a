import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns } from './event-loop.ts';

test('a long list is worked through in order, and the event loop gets its turns', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const done: number[] = [];
  const turnOf: number[] = [];
  await inTurns([1, 2, 3, 4, 5], 2, (item) => {
    done.push(item);
    turnOf.push(turns);
  });
  const turnAfterwards = turns;
  isOver = true;
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = turnOf;
  assert.ok(first === second && second < third && third === fourth && fourth < fifth, turnOf.join());
  assert.ok(turnAfterwards > fifth, 'what follows has a turn of its own');
});
