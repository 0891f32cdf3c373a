import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createClient, type SearchQuestion } from '../../src/client/client.ts';
import { brandEntry, networkFile } from '../support/network.ts';
import { scaledCases } from '../support/property-cases.ts';
import { randomProperties } from '../support/random-properties.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';
import { quoteTruthfully } from '../support/truthful-operator.ts';
import { fetchFrom } from './client-stage.ts';

const DAYS = ['2027-03-08', '2027-04-10', '2027-04-13', '2027-06-30', '2020-01-01', '2027-02-30', 'soon'];

/** What somebody says: some of it right, some of it wrong, some of it not at all. */
const input = fc.record(
  {
    source: fc.constantFrom('wide', 'single', null),
    brand_locked: fc.boolean(),
    destination: fc.constantFrom('Lisbon', 'porto-pt', 'Atlantis', ''),
    check_in_month: fc.constantFrom('2027-04', '2027-13'),
    check_in_day: fc.constantFrom(...DAYS),
    check_out: fc.constantFrom(...DAYS),
    guests: fc.constantFrom(1, '2', 99, 0, 'two'),
    amenities: fc.subarray(['pool', 'wifi', 'helipad', 'pool']),
  },
  { requiredKeys: [] },
);

test('whatever is said first, whoever chooses from what is offered ends with a set that has what was said last', async (t) => {
  const [wide, single] = await Promise.all([startScriptedOperator(), startScriptedOperator()]);
  t.after(() => Promise.all([wide.close(), single.close()]));
  for (const operator of [wide, single]) quoteTruthfully(operator);
  const network = networkFile([
    brandEntry('wide', wide.origin),
    { ...brandEntry('single', single.origin), single_location: 'porto-pt' },
  ]);
  const stock = fc.record({
    wide: randomProperties(['lisbon-pt', 'porto-pt']),
    single: randomProperties(['porto-pt']),
  });
  const search = fc.record({ input, picks: fc.infiniteStream(fc.nat(1_000_000)) });

  await fc.assert(
    fc.asyncProperty(stock, fc.array(search, { minLength: 4, maxLength: 8 }), async (homes, searches) => {
      wide.properties = homes.wide;
      single.properties = homes.single;
      const service = await startTestService({ network, settings: { rateLimit: 100_000 } });
      const client = createClient({ baseUrl: 'http://127.0.0.1', fetch: fetchFrom(service), maxRetries: 0 });
      try {
        for (const { input: said, picks } of searches) {
          const chosen = new Map<string, string>();
          const choose = ({ field, choices }: SearchQuestion) => {
            assert.notEqual(choices.length, 0, `something can be chosen for ${field}`);
            const choice = choices[Number(picks.next().value) % choices.length]?.value ?? null;
            if (choice !== null) chosen.set(field, choice);
            return choice;
          };
          const outcome = await client.search({ ...said, choose });
          if (outcome.kind === 'problem' && outcome.code === 'nothing_on_offer') continue;
          assert.equal(outcome.kind, 'comparison', JSON.stringify({ said, outcome }));
          const { query } = outcome.body;
          const last: Readonly<Record<string, unknown>> = { ...said, ...Object.fromEntries(chosen) };
          assert.equal(String(query.guests), String(last.guests));
          assert.equal(query.check_in, last.check_in_day);
          assert.equal(query.check_out, last.check_out);
          const unmet = outcome.unmetAmenities.map(({ amenity }) => amenity);
          for (const amenity of new Set(said.amenities)) {
            const everyHomeHasIt = outcome.body.results.every((option) => option.amenities?.[amenity]);
            assert.notEqual(everyHomeHasIt && outcome.body.results.length > 0, unmet.includes(amenity));
          }
        }
      } finally {
        await service.close();
      }
    }),
    { numRuns: scaledCases(12) },
  );
});
