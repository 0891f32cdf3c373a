import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { emptyCalendar } from '../inventory/calendar.ts';
import { createRefusals } from './refusals.ts';

const TEN_MINUTES = 600_000;

function allFree(firstDay: number, nights: number) {
  const calendar = emptyCalendar(firstDay, nights);
  calendar.available.fill(1);
  return calendar;
}

function setUp() {
  const clock = createFakeClock(0);
  return { clock, refusals: createRefusals({ clock, memoryMs: TEN_MINUTES }) };
}

test('refused nights are taken out of the calendar, and only those', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 80, max: 130 }), fc.integer({ min: 1, max: 20 })), {
        maxLength: 4,
      }),
      (stays) => {
        const { refusals } = setUp();
        const calendar = allFree(100, 20);
        for (const [from, nights] of stays) refusals.remember('p', from, from + nights);
        const { available, price } = refusals.withoutRefused('p', calendar);
        for (const [night, isFree] of available.entries()) {
          const isRefused = stays.some(
            ([from, nights]) => 100 + night >= from && 100 + night < from + nights,
          );
          assert.equal(isFree, isRefused ? 0 : 1);
        }
        assert.equal(price, calendar.price);
        assert.ok(
          calendar.available.every((free) => free === 1),
          'the operator’s own calendar was changed',
        );
      },
    ),
  );
});

test('another property is untouched', () => {
  const { refusals } = setUp();
  refusals.remember('p', 100, 105);
  const calendar = allFree(100, 20);
  assert.equal(refusals.withoutRefused('q', calendar), calendar);
});

test('a refusal is remembered for ten minutes, longer when it is repeated', async () => {
  const { clock, refusals } = setUp();
  const calendar = allFree(100, 20);
  const isFree = () => refusals.withoutRefused('p', calendar).available[0] === 1;
  refusals.remember('p', 100, 105);
  await clock.advance(TEN_MINUTES - 1);
  assert.equal(isFree(), false);
  refusals.remember('p', 100, 105);
  await clock.advance(TEN_MINUTES - 1);
  assert.equal(isFree(), false);
  await clock.advance(1);
  assert.equal(isFree(), true);
});

test('a refusal is forgotten in time whatever becomes of the wall clock', async () => {
  for (const step of [-7_200_000, 7_200_000]) {
    const { clock, refusals } = setUp();
    const calendar = allFree(100, 20);
    const isFree = () => refusals.withoutRefused('p', calendar).available[0] === 1;
    refusals.remember('p', 100, 105);
    clock.stepWallClock(step);
    await clock.advance(TEN_MINUTES - 1);
    assert.equal(isFree(), false);
    await clock.advance(1);
    assert.equal(isFree(), true);
  }
});

test('what is old is forgotten, so that memory does not grow with every refusal there ever was', async () => {
  const { clock, refusals } = setUp();
  for (let number = 0; number < 100; number += 1) {
    refusals.remember(`p${number}`, 100, 105);
    await clock.advance(TEN_MINUTES / 10);
  }
  assert.ok(refusals.size <= 11, `${refusals.size} remembered`);
});
