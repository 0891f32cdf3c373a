import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../../test/support/plain-availability-index.ts';
import type { Change } from '../../../test/support/random-properties.ts';
import {
  EVERY_PROPERTY,
  randomChange,
  randomCriteria,
  randomNetwork,
  randomNow,
} from '../../../test/support/random-properties.ts';
import type { Network } from '../catalogue.ts';
import type { CompleteCriteria, StayCriteria } from '../stay-criteria.ts';
import { ANY_STAY } from '../stay-criteria.ts';
import type { AvailabilityIndex, AvailabilityWriter } from './availability-index.ts';
import { createAvailabilityIndex } from './memory-index.ts';

type Index = AvailabilityIndex & AvailabilityWriter;

describe('the availability index in memory', () => {
  it('answers every question as its plain twin does, whatever happened to the stock', () => {
    fc.assert(
      fc.property(
        randomWorld({ longestCalendar: 40, mostChanges: 10 }),
        ({ network, changes, questions }) => {
          const [index, twin] = [createAvailabilityIndex(network), createPlainAvailabilityIndex(network)];
          for (const [number, change] of changes.entries()) {
            for (const ledger of [index, twin]) apply(change, ledger);
            const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, 0];
            assertSameAnswers(index, twin, criteria, now);
          }
          for (const [criteria, now] of questions) assertSameAnswers(index, twin, criteria, now);
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
          for (const [criteria, now] of questions) assertSameAnswers(index, twin, criteria, now);
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
            if (!index.hasMatch(ANY_STAY, now)) continue;
            walksWithStock++;
            let criteria: StayCriteria = ANY_STAY;
            for (const step of inTheOrderOfTheirNeeds(steps)) {
              const offered = offersFor(step, index, criteria, now);
              const chosen = offered[choices.next().value % offered.length];
              assert.ok(chosen, `nothing offered for ${step}`);
              criteria = { ...criteria, ...chosen };
              assert.equal(index.hasMatch(criteria, now), true);
              assertSameAnswers(index, twin, criteria, now);
            }
            assert.ok(isComplete(criteria));
            assert.notEqual(index.candidates(criteria, now).length, 0);
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
          for (const later of [0, 1, 2, 60_000]) assertSameAnswers(index, twin, ANY_STAY, now + later);
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
        questions: fc.array(fc.tuple(randomCriteria(network, changes), randomNow), {
          minLength: 4,
          maxLength: 4,
        }),
      }),
    );
}

function apply(change: Change, ledger: AvailabilityWriter): void {
  if (change.kind === 'put') ledger.put(change.property, change.calendar);
  else if (change.kind === 'remove') ledger.remove(change.property);
  else ledger.withdraw(change.property, change.from, change.to);
}

function assertSameAnswers(index: Index, twin: Index, criteria: StayCriteria, now: number): void {
  const answers = (of: Index) => ({
    hasMatch: of.hasMatch(criteria, now),
    destinations: of.destinations(criteria, now),
    checkInMonths: of.checkInMonths(criteria, now),
    checkInDays: of.checkInDays(criteria, now),
    checkOutDays: of.checkOutDays(criteria, now),
    largestParty: of.largestParty(criteria, now),
    candidates: isComplete(criteria) ? of.candidates(criteria, now) : [],
    amenityCounts: of.amenityCounts(EVERY_PROPERTY),
    properties: EVERY_PROPERTY.map((id) => of.property(id)),
    propertyCount: of.propertyCount,
  });
  assert.deepEqual(answers(index), answers(twin));
}

function isComplete(criteria: StayCriteria): criteria is CompleteCriteria {
  return (
    criteria.place !== null &&
    criteria.checkIn !== null &&
    criteria.checkOut !== null &&
    criteria.guests !== null
  );
}

const STEPS = ['brand', 'place', 'checkInMonth', 'checkIn', 'checkOut', 'guests'] as const;
type Step = (typeof STEPS)[number];

/** A month comes before its day, and a day of arrival before that of departure; all else is free. */
function inTheOrderOfTheirNeeds(steps: readonly Step[]): readonly Step[] {
  const dates = STEPS.filter((step) => step.startsWith('check')).values();
  return steps.map((step) => (step.startsWith('check') ? (dates.next().value ?? step) : step));
}

function offersFor(
  step: Step,
  index: AvailabilityIndex,
  criteria: StayCriteria,
  now: number,
): readonly Partial<StayCriteria>[] {
  switch (step) {
    case 'brand':
      return ['alba', 'brisa']
        .map((brand) => ({ brand }))
        .filter((brand) => index.hasMatch({ ...criteria, ...brand }, now));
    case 'place':
      return index.destinations(criteria, now).map(({ place }) => ({ place }));
    case 'checkInMonth':
      return index.checkInMonths(criteria, now).map((checkInMonth) => ({ checkInMonth }));
    case 'checkIn':
      return index.checkInDays(criteria, now).map((checkIn) => ({ checkIn }));
    case 'checkOut':
      return index.checkOutDays(criteria, now).map((checkOut) => ({ checkOut }));
    case 'guests':
      return Array.from({ length: index.largestParty(criteria, now) }, (_, number) => ({
        guests: number + 1,
      }));
  }
}
