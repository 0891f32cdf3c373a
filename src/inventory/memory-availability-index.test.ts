import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../../test/support/random-stock.ts';
import {
  EVERY_PROPERTY,
  randomChange,
  randomNetwork,
  randomNow,
  randomWish,
} from '../../test/support/random-stock.ts';
import type { AvailabilityIndex, AvailabilityLedger, Network } from './availability-index.ts';
import { createAvailabilityIndex } from './memory-availability-index.ts';
import { createPlainAvailabilityIndex } from './plain-availability-index.ts';
import type { SettledWish, Wish } from './wish.ts';
import { ANYTHING } from './wish.ts';

type Index = AvailabilityIndex & AvailabilityLedger;

describe('the availability index in memory', () => {
  it('answers every question as its plain twin does, whatever happened to the stock', () => {
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 40, mostChanges: 10 }),
        ({ network, changes, questions }) => {
          const [index, twin] = [createAvailabilityIndex(network), createPlainAvailabilityIndex(network)];
          for (const [number, change] of changes.entries()) {
            for (const ledger of [index, twin]) apply(change, ledger);
            const [wish, now] = questions[number % questions.length] ?? [ANYTHING, 0];
            assertSameAnswers(index, twin, wish, now);
          }
          for (const [wish, now] of questions) assertSameAnswers(index, twin, wish, now);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('answers as its twin does with calendars as long as the horizon', () => {
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 560, mostChanges: 3 }),
        ({ network, changes, questions }) => {
          const [index, twin] = [createAvailabilityIndex(network), createPlainAvailabilityIndex(network)];
          for (const change of changes) for (const ledger of [index, twin]) apply(change, ledger);
          for (const [wish, now] of questions) assertSameAnswers(index, twin, wish, now);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('never leads into a dead end: offered values, taken in any order, end with candidates', () => {
    let walksWithStock = 0;
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 40, mostChanges: 8 }),
        fc.shuffledSubarray([...STEPS], { minLength: STEPS.length }),
        fc.infiniteStream(fc.nat()),
        ({ network, changes, questions }, steps, choices) => {
          const [index, twin] = [createAvailabilityIndex(network), createPlainAvailabilityIndex(network)];
          for (const change of changes) for (const ledger of [index, twin]) apply(change, ledger);
          for (const [, now] of questions.slice(0, 1)) {
            if (!index.hasMatch(ANYTHING, now)) continue;
            walksWithStock++;
            let wish: Wish = ANYTHING;
            for (const step of inTheOrderOfTheirNeeds(steps)) {
              const offered = offersFor(step, index, wish, now);
              const chosen = offered[choices.next().value % offered.length];
              assert.ok(chosen, `nothing offered for ${step}`);
              wish = { ...wish, ...chosen };
              assert.equal(index.hasMatch(wish, now), true);
              assertSameAnswers(index, twin, wish, now);
            }
            assert.ok(isSettled(wish));
            assert.notEqual(index.candidates(wish, now).length, 0);
          }
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(walksWithStock > 100, `only ${walksWithStock} walks had anything to offer`);
  });

  it('does not repeat an answer that a change or a midnight has overtaken', () => {
    fc.assert(
      fc.property(randomWorld({ longestCalendar: 20, mostChanges: 6 }), ({ network, changes, questions }) => {
        const [index, twin] = [createAvailabilityIndex(network), createPlainAvailabilityIndex(network)];
        const now = questions[0]?.[1] ?? 0;
        for (const change of changes) {
          for (const ledger of [index, twin]) apply(change, ledger);
          for (const later of [0, 1, 2, 60_000]) assertSameAnswers(index, twin, ANYTHING, now + later);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function randomWorld(size: { readonly longestCalendar: number; readonly mostChanges: number }) {
  return randomNetwork
    .chain((network) =>
      fc.record({
        network: fc.constant<Network>(network),
        changes: fc.array(randomChange(network, size.longestCalendar), {
          minLength: 1,
          maxLength: size.mostChanges,
          size: 'max',
        }),
      }),
    )
    .chain(({ network, changes }) =>
      fc.record({
        network: fc.constant(network),
        changes: fc.constant(changes),
        questions: fc.array(fc.tuple(randomWish(network, changes), randomNow), {
          minLength: 4,
          maxLength: 4,
        }),
      }),
    );
}

function apply(change: Change, ledger: AvailabilityLedger): void {
  if (change.kind === 'put') ledger.put(change.property, change.calendar);
  else if (change.kind === 'remove') ledger.remove(change.property);
  else ledger.withdraw(change.property, change.from, change.to);
}

function assertSameAnswers(index: Index, twin: Index, wish: Wish, now: number): void {
  const answers = (of: Index) => ({
    hasMatch: of.hasMatch(wish, now),
    destinations: of.destinations(wish, now),
    checkInMonths: of.checkInMonths(wish, now),
    checkInDays: of.checkInDays(wish, now),
    checkOutDays: of.checkOutDays(wish, now),
    largestParty: of.largestParty(wish, now),
    candidates: isSettled(wish) ? of.candidates(wish, now) : [],
    amenityCounts: of.amenityCounts(EVERY_PROPERTY),
    properties: EVERY_PROPERTY.map((id) => of.property(id)),
    propertyCount: of.propertyCount,
  });
  assert.deepEqual(answers(index), answers(twin));
}

function isSettled(wish: Wish): wish is SettledWish {
  return wish.place !== null && wish.checkIn !== null && wish.checkOut !== null && wish.guests !== null;
}

const STEPS = ['brand', 'place', 'checkInMonth', 'checkIn', 'checkOut', 'guests'] as const;
type Step = (typeof STEPS)[number];

/** A month comes before its day, and a day of arrival before that of departure; all else is free. */
function inTheOrderOfTheirNeeds(steps: readonly Step[]): readonly Step[] {
  const dates = STEPS.filter((step) => step.startsWith('check')).values();
  return steps.map((step) => (step.startsWith('check') ? (dates.next().value ?? step) : step));
}

function offersFor(step: Step, index: AvailabilityIndex, wish: Wish, now: number): readonly Partial<Wish>[] {
  switch (step) {
    case 'brand':
      return ['alba', 'brisa']
        .map((brand) => ({ brand }))
        .filter((brand) => index.hasMatch({ ...wish, ...brand }, now));
    case 'place':
      return index.destinations(wish, now).map(({ place }) => ({ place }));
    case 'checkInMonth':
      return index.checkInMonths(wish, now).map((checkInMonth) => ({ checkInMonth }));
    case 'checkIn':
      return index.checkInDays(wish, now).map((checkIn) => ({ checkIn }));
    case 'checkOut':
      return index.checkOutDays(wish, now).map((checkOut) => ({ checkOut }));
    case 'guests':
      return Array.from({ length: index.largestParty(wish, now) }, (_, number) => ({ guests: number + 1 }));
  }
}
