import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { createScriptedSystem, quotedAt, refusedAs } from '../../test/support/scripted-booking-system.ts';
import type { QuoteOutcome, QuoteRequest } from './booking-system.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from './collect-quotes.ts';

const BRANDS = ['a', 'b', 'c'] as const;
const FATES = ['quoted', 'quoted', 'quoted', 'unavailable', 'wrong_currency'] as const;
type Fate = (typeof FATES)[number];
type House = { readonly brand: (typeof BRANDS)[number]; readonly fate: Fate };

const houses = fc.array(fc.record({ brand: fc.constantFrom(...BRANDS), fate: fc.constantFrom(...FATES) }), {
  maxLength: 80,
});
const housesWithoutRefusals = houses.map((all) =>
  all.map((house): House => (house.fate === 'unavailable' ? { ...house, fate: 'quoted' } : house)),
);
const maxOptions = fc.integer({ min: 1, max: 20 });
const maxQuotes = fc.integer({ min: 0, max: 80 });
const batchSize = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 25 }));
const batchSizes = fc.record({ a: batchSize, b: batchSize, c: batchSize });
type BatchSizes = Readonly<Record<House['brand'], number>>;
const idOf = ({ brand }: House, position: number) => `${brand}:${position}`;

function answerOf(reference: string, fate: Fate): QuoteOutcome {
  if (fate === 'unavailable') return refusedAs(reference);
  const total = 100 + Number(reference);
  if (fate === 'quoted') return quotedAt(reference, total);
  return { kind: 'quoted', reference, quote: { currency: 'USD', total, lines: [], heldUntil: null } };
}

type Limits = { readonly most: number; readonly mostQuotes: number; readonly sizes: BatchSizes };
const limits = fc.record({ most: maxOptions, mostQuotes: maxQuotes, sizes: batchSizes });

function setUp(
  all: readonly House[],
  { most, mostQuotes, sizes }: Limits,
  quote: (
    brand: string,
    request: QuoteRequest,
    answers: readonly QuoteOutcome[],
  ) => Promise<readonly QuoteOutcome[]>,
) {
  const clock = createFakeClock(1_800_000_000_000);
  const systems = BRANDS.map((brand) =>
    createScriptedSystem(brand, {
      limits: { batchSize: sizes[brand], concurrency: 4 },
      quote: (request) => {
        const answers = request.references.map((one) => answerOf(one, all[Number(one)]?.fate ?? 'quoted'));
        return quote(brand, request, answers);
      },
    }),
  );
  const collectQuotes = createCollectQuotes({
    systems: new Map(systems.map((system) => [system.brand, system])),
    clock,
    limits: { ...DEFAULT_QUOTE_LIMITS, maxOptions: most, maxQuotes: mostQuotes, callsWaiting: 100 },
    observe: {
      call: () => {},
      breaker: () => {},
      breakdownsNotShown: () => {},
      policiesNotShown: () => {},
      fault: () => {},
    },
  });
  const properties = new Map(
    all.map((house, at) => [idOf(house, at), sampleProperty({ brand: house.brand, reference: String(at) })]),
  );
  const collected = collectQuotes({
    candidates: all.map((house, at) => ({
      property: idOf(house, at),
      brand: house.brand,
      place: 'lisbon-pt',
      indicativeTotal: 100 + at,
    })),
    property: (id) => properties.get(id),
    checkIn: 20_000,
    checkOut: 20_002,
    guests: 2,
    currency: 'EUR',
  });
  return { clock, systems, collected };
}

/** Homes of a brand that may be asked for at most, in its own order. */
function askable(all: readonly House[], brand: string, { most, mostQuotes }: Limits) {
  const brands = new Set(all.map((house) => house.brand)).size;
  const cap = 3 * Math.max(most, Math.ceil(Math.max(most, mostQuotes) / Math.max(1, brands)));
  return all
    .map((house, at) => ({ ...house, at, id: idOf(house, at) }))
    .filter((house) => house.brand === brand)
    .slice(0, cap);
}

/** The collector as plain lists, where nobody refuses: brand by brand in rounds, what the places need, and what is asked for besides. */
function walk(all: readonly House[], { most, mostQuotes, sizes }: Limits, down: readonly string[] = []) {
  const brands = new Set(all.map(({ brand }) => brand));
  const mostOfBrand = 3 * Math.max(most, Math.ceil(Math.max(most, mostQuotes) / brands.size));
  const houses = all
    .map((house, at) => ({ ...house, at, id: idOf(house, at) }))
    .map((house, at, row) => ({
      ...house,
      round: row.slice(0, at).filter(({ brand }) => brand === house.brand).length,
    }))
    .filter(({ round }) => round < mostOfBrand)
    .sort((a, b) => a.round - b.round || a.at - b.at);
  const wellOnes = houses.filter(({ brand }) => !down.includes(brand));
  const enough = wellOnes.filter(({ fate }) => fate === 'quoted')[most - 1];
  const needed = enough ? wellOnes.slice(0, wellOnes.indexOf(enough) + 1) : wellOnes;
  const surplus = houses
    .slice(most)
    .filter(({ brand, round }) => sizes[brand] > 1 || round === 0)
    .slice(0, Math.max(0, mostQuotes - most));
  const asked = wellOnes.filter((one) => needed.includes(one) || surplus.includes(one));
  return { asked, quoted: asked.filter(({ fate }) => fate === 'quoted').map(({ id }) => id) };
}

test('systems that answer at once: what the places need, and a surplus where many are priced in one call', async () => {
  await fc.assert(
    fc.asyncProperty(housesWithoutRefusals, limits, async (all, given) => {
      const { systems, collected } = setUp(all, given, async (_brand, _request, answers) => answers);
      const { quoted, refused, coverage } = await collected;
      const expected = walk(all, given);
      assert.deepEqual(
        quoted.map(({ property }) => property),
        expected.quoted,
      );
      assert.deepEqual(
        refused.map(({ property }) => property).sort(),
        expected.asked
          .filter(({ fate }) => fate === 'unavailable')
          .map(({ id }) => id)
          .sort(),
      );
      for (const { brand, quoteCalls } of systems) {
        const references = quoteCalls.flatMap(({ references: some }) => some);
        const ofBrand = expected.asked.filter((one) => one.brand === brand);
        assert.equal(references.length, ofBrand.length, 'asked for more, or less, than was needed');
        assert.equal(new Set(references).size, references.length, 'asked twice');
        assert.ok(
          quoteCalls.every(({ references: some }) => some.length <= given.sizes[brand as House['brand']]),
        );
        assert.equal(coverage.find((one) => one.brand === brand)?.asked ?? 0, ofBrand.length);
      }
    }),
  );
});

test('systems that refuse: each brand is asked in its own order, for no fewer than its turns, and the places are filled', async () => {
  await fc.assert(
    fc.asyncProperty(houses, limits, async (all, given) => {
      const { systems, collected } = setUp(all, given, async (_brand, _request, answers) => answers);
      const { quoted, refused, coverage } = await collected;
      assert.ok(quoted.length <= Math.max(given.most, given.mostQuotes));
      // Where nobody refused, these would have been asked for.
      const turns = walk(
        all.map((house) => ({ ...house, fate: house.fate === 'unavailable' ? 'quoted' : house.fate })),
        given,
      );
      for (const brand of BRANDS) {
        const own = askable(all, brand, given);
        const references = systems
          .filter((system) => system.brand === brand)
          .flatMap(({ quoteCalls }) => quoteCalls.flatMap(({ references: some }) => some));
        const asked = own.filter(({ at }) => references.includes(String(at)));
        assert.equal(asked.length, references.length, 'never twice, never beyond its limit');
        if (given.sizes[brand] > 1) {
          assert.deepEqual(asked, own.slice(0, asked.length), 'in its own order');
          const share = turns.asked.filter((one) => one.brand === brand).length;
          assert.ok(asked.length >= Math.min(share, own.length), `${brand}: ${asked.length} of ${share}`);
        }
        const counted = coverage.find((one) => one.brand === brand);
        assert.equal(counted?.asked ?? 0, asked.length);
        assert.equal(
          refused.filter(({ property }) => property.startsWith(`${brand}:`)).length,
          asked.filter(({ fate }) => fate === 'unavailable').length,
        );
      }
      const quotable = BRANDS.flatMap((brand) => askable(all, brand, given)).filter(
        ({ fate }) => fate === 'quoted',
      );
      assert.ok(quoted.length >= Math.min(given.most, quotable.length), 'the places are filled');
    }),
  );
});

test('brands that fail: the others fill the places as if those brands had no candidates', async () => {
  const down = fc.subarray([...BRANDS]);
  await fc.assert(
    fc.asyncProperty(housesWithoutRefusals, limits, down, async (all, given, failing) => {
      const { collected } = setUp(all, given, async (brand, { references }, answers) =>
        failing.some((one) => one === brand)
          ? references.map((reference) => ({ kind: 'failed', reference, failure: 'unreachable' }))
          : answers,
      );
      const { quoted, coverage, everyOperatorFailed } = await collected;
      assert.deepEqual(
        quoted.map(({ property }) => property),
        walk(all, given, failing).quoted,
      );
      for (const { brand, asked, failed } of coverage) {
        if (failing.some((one) => one === brand)) assert.equal(failed, asked);
      }
      const noneWell = all.every(({ brand }) => failing.includes(brand));
      if (all.length > 0 && noneWell) assert.equal(everyOperatorFailed, true);
    }),
  );
});

test('systems of any speed and any nonsense: in time, never too many, never twice, nothing unaccounted for', async () => {
  const manner = fc.record({
    delay: fc.constantFrom(0, 1, 500, 3999, 4000, 5000, Number.POSITIVE_INFINITY),
    says: fc.constantFrom('truth', 'truth', 'throws', 'nothing', 'doubles', 'strangers'),
  });
  await fc.assert(
    fc.asyncProperty(
      houses,
      limits,
      fc.array(manner, { minLength: 1, maxLength: 6 }),
      async (all, given, conventions) => {
        let calls = 0;
        const { clock, collected, systems } = setUp(all, given, async (_brand, _request, answers) => {
          const turn = conventions[calls++ % conventions.length] ?? { delay: 0, says: 'truth' };
          await new Promise<void>((resolve) => {
            if (turn.delay < Number.POSITIVE_INFINITY) clock.after(turn.delay, resolve);
          });
          if (turn.says === 'throws') throw new Error('should not happen');
          if (turn.says === 'nothing') return [];
          if (turn.says === 'doubles') return [...answers, ...answers];
          if (turn.says === 'strangers') return [...answers, quotedAt('stranger', 1)];
          return answers;
        });
        let isDone = false;
        collected.then(() => {
          isDone = true;
        });
        await clock.advance(8000);
        assert.ok(isDone, 'no answer at the deadline');
        const { quoted, coverage } = await collected;
        assert.ok(quoted.length <= Math.max(given.most, given.mostQuotes));
        assert.equal(new Set(quoted.map(({ property }) => property)).size, quoted.length);
        for (const { property } of quoted) {
          const [brand, reference] = property.split(':');
          assert.deepEqual([all[Number(reference)]?.brand, all[Number(reference)]?.fate], [brand, 'quoted']);
        }
        for (const { brand, quoteCalls } of systems) {
          const references = quoteCalls.flatMap(({ references: some }) => some);
          assert.equal(new Set(references).size, references.length, 'asked twice');
          assert.ok((coverage.find((one) => one.brand === brand)?.asked ?? 0) >= references.length);
        }
      },
    ),
  );
});

test('where one brand fills the places, no other makes the search last longer than a call may', async () => {
  const manner = fc.record({
    delay: fc.constantFrom(0, 300, 999, 1900, 3999, Number.POSITIVE_INFINITY),
    refuses: fc.integer({ min: 0, max: 25 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ most: maxOptions, mostQuotes: maxQuotes }),
      batchSize,
      fc.array(manner, { minLength: 1, maxLength: 6 }),
      async ({ most, mostQuotes }, size, conventions) => {
        const all = [
          ...Array.from({ length: 80 }, (): House => ({ brand: 'b', fate: 'quoted' })),
          ...Array.from({ length: 40 }, (): House => ({ brand: 'a', fate: 'quoted' })),
        ];
        let calls = 0;
        const given = { most, mostQuotes: mostQuotes + 2 * most, sizes: { a: 50, b: size, c: 1 } };
        const { clock, collected } = setUp(all, given, async (brand, { references }, answers) => {
          if (brand === 'a') return answers;
          const turn = conventions[calls++ % conventions.length] ?? { delay: 0, refuses: 0 };
          await new Promise<void>((resolve) => {
            if (turn.delay < Number.POSITIVE_INFINITY) clock.after(turn.delay, resolve);
          });
          return references.map((one, at) =>
            at < turn.refuses ? refusedAs(one) : answerOf(one, all[Number(one)]?.fate ?? 'quoted'),
          );
        });
        const startedAt = clock.elapsed();
        let lasted = Number.POSITIVE_INFINITY;
        collected.then(() => {
          lasted = clock.elapsed() - startedAt;
        });
        await clock.advance(8000);
        assert.ok((await collected).quoted.length >= most);
        assert.ok(lasted <= 4000, `${lasted} ms`);
      },
    ),
  );
});
