import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import type { RefusedNights } from '../availability/availability-index.ts';
import { createRefusals } from './refusals.ts';

const TEN_MINUTES = 600_000;
const STAY = { checkIn: 100, checkOut: 105, guests: 2 };
const NIGHTS = { from: 100, to: 105 };

function setUp(options: { readonly maxRefusals?: number } = {}) {
  const clock = createFakeClock(0);
  const changes: (readonly [string, readonly RefusedNights[]])[] = [];
  const refusals = createRefusals({
    clock,
    memoryMs: TEN_MINUTES,
    ...options,
    onTakenChange: (property, taken) => changes.push([property, taken]),
  });
  return { clock, changes, refusals };
}

test('what is taken is remembered for its property alone, and each change is told', async () => {
  const { clock, changes, refusals } = setUp();
  refusals.add('p', STAY, 'booked');
  await clock.advance(1000);
  refusals.add('p', { ...STAY, checkIn: 103 }, 'unknown_property');
  const both = [NIGHTS, { from: 103, to: 105 }];
  assert.deepEqual(refusals.takenNights('p'), both);
  assert.deepEqual(refusals.takenNights('q'), []);
  await clock.advance(TEN_MINUTES);
  assert.deepEqual(changes, [
    ['p', [NIGHTS]],
    ['p', both],
    ['p', [both[1]]],
    ['p', []],
  ]);
});

test('what a rule refused is remembered for that stay and party alone, and no night of it is taken', async () => {
  const { clock, changes, refusals } = setUp();
  refusals.add('p', STAY, 'minimum_stay');
  assert.equal(refusals.rulesAgainst(STAY).get('p'), 'minimum_stay');
  for (const other of [{ guests: 3 }, { checkIn: 99 }, { checkOut: 106 }]) {
    assert.equal(refusals.rulesAgainst({ ...STAY, ...other }).get('p'), undefined);
  }
  assert.equal(refusals.rulesAgainst(STAY).get('q'), undefined);
  await clock.advance(TEN_MINUTES);
  assert.equal(refusals.rulesAgainst(STAY).get('p'), undefined);
  assert.deepEqual(changes, []);
});

test('nobody is sent to a stay that was refused, to nights of one that is taken, or to a home that is gone', async () => {
  const { clock, refusals } = setUp();
  const inDoubt = (property: string, change: object = {}) =>
    refusals.inDoubt({ ...STAY, ...change }).has(property);
  refusals.add('ruled', STAY, 'minimum_stay');
  refusals.add('taken', STAY, 'booked');
  refusals.add('gone', STAY, 'unknown_property');
  assert.deepEqual([inDoubt('ruled'), inDoubt('ruled', { checkOut: 106 })], [true, false]);
  for (const [change, expected] of [
    [{ guests: 1 }, true],
    [{ checkIn: 104, checkOut: 110 }, true],
    [{ checkIn: 90, checkOut: 101 }, true],
    [{ checkIn: 105, checkOut: 110 }, false],
    [{ checkIn: 95, checkOut: 100 }, false],
  ] as const) {
    assert.deepEqual(
      [inDoubt('taken', change), inDoubt('gone', change), inDoubt('other', change)],
      [expected, true, false],
    );
  }
  await clock.advance(TEN_MINUTES);
  assert.deepEqual(
    ['ruled', 'taken', 'gone'].map((property) => inDoubt(property)),
    [false, false, false],
  );
});

test('a refusal is remembered for ten minutes, longer when it is repeated, by another party too', async () => {
  const { clock, refusals } = setUp();
  refusals.add('p', STAY, 'booked');
  await clock.advance(TEN_MINUTES - 1);
  refusals.add('p', { ...STAY, guests: 3 }, 'booked');
  assert.deepEqual(refusals.takenNights('p'), [NIGHTS]);
  await clock.advance(TEN_MINUTES - 1);
  assert.deepEqual(refusals.takenNights('p'), [NIGHTS]);
  await clock.advance(1);
  assert.deepEqual(refusals.takenNights('p'), []);
});

test('one that is heard of late counts from when it was refused', async () => {
  const { clock, refusals } = setUp();
  refusals.add('p', STAY, 'booked', 400_000);
  assert.deepEqual([...refusals.lastRefusedAt()], [['p', clock.elapsed() - 400_000]]);
  refusals.add('q', STAY, 'booked', TEN_MINUTES);
  assert.deepEqual(refusals.takenNights('q'), [], 'it is forgotten elsewhere too');
  await clock.advance(199_999);
  assert.equal(refusals.takenNights('p').length, 1);
  await clock.advance(1);
  assert.equal(refusals.takenNights('p').length, 0);
});

test('of an operator that refuses everything only the latest are remembered', async () => {
  const { clock, changes, refusals } = setUp({ maxRefusals: 2 });
  for (const property of ['p', 'q', 'r']) refusals.add(property, STAY, 'booked');
  refusals.add('r', STAY, 'booked');
  const isRemembered = (property: string) => refusals.takenNights(property).length > 0;
  assert.deepEqual(['p', 'q', 'r'].map(isRemembered), [false, true, true]);
  assert.deepEqual([...refusals.inDoubt(STAY)], ['q', 'r']);
  assert.deepEqual(changes.slice(-2), [
    ['p', []],
    ['r', [NIGHTS]],
  ]);
  await clock.advance(TEN_MINUTES);
  assert.deepEqual(['q', 'r'].map(isRemembered), [false, false]);
});
