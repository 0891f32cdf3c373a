import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { createScriptedSystem, quotedAt, refusedAs } from '../../test/support/scripted-booking-system.ts';
import type { OperatorQuote } from '../quotes/booking-system.ts';
import { type BrandTerms, withBrandTerms } from './connect.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const patient = new AbortController().signal;
const NO_TERMS: BrandTerms = { quoteHoldMs: null, ratingScale: null };

describe('a hold that a brand promises for all its prices', () => {
  const holdOf = async (facts: Partial<OperatorQuote>, terms: Partial<BrandTerms>) => {
    const system = createScriptedSystem('sol', {
      quote: async () => [quotedAt('a', 100, facts), refusedAs('b')],
    });
    const request = { references: ['a', 'b'], checkIn: 20_000, checkOut: 20_002, guests: 2, currency: 'EUR' };
    const [outcome, other] = await withBrandTerms(
      system,
      { ...NO_TERMS, ...terms },
      createFakeClock(NOW),
    ).quote(request, patient);
    assert.deepEqual(other, refusedAs('b'));
    assert.ok(outcome?.kind === 'quoted');
    return outcome.quote.heldUntil;
  };

  it('begins when the price was read', async () => {
    const terms = { quoteHoldMs: 15 * MINUTE };
    assert.equal(await holdOf({}, terms), NOW + 15 * MINUTE);
    assert.equal(await holdOf({ retrievedAt: NOW - 2 * MINUTE }, terms), NOW + 13 * MINUTE);
  });

  it('gives way to one that an answer names, and is not invented', async () => {
    assert.equal(await holdOf({ heldUntil: NOW + MINUTE }, { quoteHoldMs: 15 * MINUTE }), NOW + MINUTE);
    assert.equal(await holdOf({}, {}), null);
  });
});

describe('the scale of homes that are not rated', () => {
  const unrated = { score: 0, scale: 5, reviewCount: 0 };
  const unpublished = { score: 0, scale: 5, reviewCount: null };
  const scalesOf = async (
    ratings: readonly { score: number; scale: number; reviewCount: number | null }[],
    ratingScale: number | null = null,
  ) => {
    const properties = ratings.map((rating, at) =>
      sampleProperty({ brand: 'sol', reference: String(at), rating }),
    );
    const system = createScriptedSystem('sol', { catalogue: async () => ({ properties, rejections: [] }) });
    const reading = await withBrandTerms(
      system,
      { ...NO_TERMS, ratingScale },
      createFakeClock(NOW),
    ).catalogue(patient);
    return reading.properties.map(({ rating }) => [rating.score, rating.scale]);
  };
  const rated = (scale: number) => ({ score: 4, scale, reviewCount: null });

  it('is that of most rated homes of the brand', async () => {
    assert.deepEqual(await scalesOf([unrated, rated(10), rated(20), rated(10)]), [
      [0, 10],
      [4, 10],
      [4, 20],
      [4, 10],
    ]);
    assert.deepEqual(await scalesOf([unrated, rated(10)], 7), [
      [0, 10],
      [4, 10],
    ]);
    assert.deepEqual(await scalesOf([unpublished, unpublished, rated(10)]), [
      [0, 10],
      [0, 10],
      [4, 10],
    ]);
  });
});

describe('what a synchronisation needs', () => {
  it('reaches the booking system: signs of life', async () => {
    const told: (number | undefined)[] = [];
    const system = withBrandTerms(
      {
        ...createScriptedSystem('sol', {}),
        async catalogue(_signal, stillReading) {
          stillReading?.(1);
          return { properties: [], rejections: [] };
        },
        async calendars(_references, _horizon, _signal, stillReading) {
          stillReading?.(2);
          return new Map();
        },
      },
      NO_TERMS,
      createFakeClock(NOW),
    );
    const stillReading = (quietMs?: number) => told.push(quietMs);
    await system.catalogue(patient, stillReading);
    await system.calendars([], { from: 1, nights: 1 }, patient, stillReading);
    assert.deepEqual(told, [1, 2]);
  });
});
