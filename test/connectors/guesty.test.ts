import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { propertyIdOf } from '../../src/catalogue/catalogue.ts';
import { createCollectQuotes, DEFAULT_QUOTE_LIMITS } from '../../src/quotes/collect-quotes.ts';
import { formatDay } from '../../src/stay/day.ts';
import { type GuestyOptions, startGuesty } from '../emulators/guesty.ts';
import { aHome } from '../emulators/homes.ts';
import { connectVendorFor } from './connected-vendor.ts';
import { assertExactPrice } from './exact-price.ts';
import { expectedVerdicts, RESTRICTED_HOME, verdictsOnStays } from './restricted-stays.ts';
import { patient, STAY } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, vendorOf } from './vendors.ts';

const guesty: EmulatedVendorSystem<GuestyOptions> = { ...vendorOf('guesty'), start: startGuesty };
const POLICY = 'Free until 14 days before arrival.';
const entry = { cancellation_text: POLICY };
const DAY_MS = 86_400_000;

describe('the connector to Guesty', () => {
  it('gives listings the terms that the list leaves out, and the policy of the entry', async (t) => {
    const homes = [1, 2, 3, 4, 5].map((id) => aHome({ id, amenities: ['wifi', 'roof_terrace'] }));
    const { system, emulator } = await connectVendorFor(t, guesty, { homes, pageSize: 2, entry });
    const { properties, rejections, unmappedAmenities } = await system.catalogue(patient);
    assert.deepEqual(rejections, []);
    assert.deepEqual(unmappedAmenities, [{ amenity: 'Roof terrace', listings: 5 }]);
    const [first] = properties;
    assert.ok(first);
    assert.deepEqual(
      [first.name, first.checkInTime, first.checkOutTime, first.amenities, first.rating, first.location],
      [
        'Harbour House 1',
        '16:00',
        '10:00',
        { wifi: 'Wi-Fi' },
        { score: 9.2, scale: 10, reviewCount: 38 },
        'Lisbon, Portugal',
      ],
    );
    assert.equal(first.cancellation.summary, POLICY);
    assert.equal(first.url, `http://${emulator.websiteHost}/homes/${first.reference}`);
    const before = emulator.requests.length;
    await system.catalogue(patient);
    assert.equal(emulator.requests.length - before, 3, 'terms are not asked for again within a day');
  });

  it('finds the cheapest of sixty homes with twenty prices, though calendars hold none', async (t) => {
    const cheapest = 47;
    const homes = Array.from({ length: 60 }, (_, at) =>
      aHome({ id: at + 1, nightlyPrice: () => (at + 1 === cheapest ? 80_00 : 100_00 + at) }),
    );
    const { system, emulator, clock } = await connectVendorFor(t, guesty, { homes, pageSize: 25 });
    const { properties } = await system.catalogue(patient);
    emulator.book(3, formatDay(STAY.checkIn), formatDay(STAY.checkOut));
    const before = emulator.requests.length;
    const collectQuotes = createCollectQuotes({
      systems: new Map([['acme', system]]),
      clock,
      limits: DEFAULT_QUOTE_LIMITS,
      observe: {
        call: () => undefined,
        breaker: () => undefined,
        breakdownsNotShown: () => undefined,
        policiesNotShown: () => undefined,
        fault: (_, error) => assert.fail(String(error)),
      },
    });
    const { quoted, refused } = await collectQuotes({
      candidates: properties.map(({ id, brand }) => ({
        property: id,
        brand,
        place: 'lisbon',
        indicativeTotal: null,
      })),
      property: (id) => properties.find((one) => one.id === id),
      ...STAY,
    });
    assert.deepEqual([quoted.length, refused], [20, []]);
    assert.equal(quoted[0]?.property, propertyIdOf('acme', emulator.referenceOf(cheapest)));
    const asked = emulator.requests.slice(before).map(({ kind }) => kind);
    assert.deepEqual(
      [asked.filter((kind) => kind === 'catalogue').length, asked.length],
      [3, 23],
      'three pages of a search, and a quote for each',
    );
  });

  for (const answers of ['live', 'documented'] as const) {
    describe(`in answers as they are ${answers}`, () => {
      it('prices a stay by the cheaper plan, and tells for how long it is held', async (t) => {
        const homes = [aHome({ nightlyPrice: (day) => 99_99 + Number(day.slice(-2)), taxPercent: 7 })];
        const options = { homes, answers, ratePlans: 'two' } as const;
        const { system, emulator, clock } = await connectVendorFor(t, guesty, options);
        await system.catalogue(patient);
        for (let arrival = 1; arrival < 12; arrival += 1) {
          const [checkIn, checkOut] = [TODAY + arrival, TODAY + arrival + 2 + (arrival % 3)];
          const asked = { ...STAY, references: [emulator.referenceOf(1)], checkIn, checkOut };
          const askedAt = clock.now();
          const [outcome] = await system.quote(asked, patient);
          const truth = emulator.priceOf(1, formatDay(checkIn), formatDay(checkOut), STAY.guests);
          const { heldUntil } = assertExactPrice(outcome, truth, guesty);
          assert.ok(heldUntil !== null && heldUntil >= askedAt + DAY_MS && heldUntil <= clock.now() + DAY_MS);
        }
      });

      it('shows a price under the policy of its plan', async (t) => {
        const summaryOf = async (options: Partial<GuestyOptions>) => {
          const { system, emulator } = await connectVendorFor(t, guesty, { answers, entry, ...options });
          await system.catalogue(patient);
          const [outcome] = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
          assert.ok(outcome?.kind === 'quoted', JSON.stringify(outcome));
          return outcome.quote.cancellation?.summary;
        };
        assert.equal(await summaryOf({}), aHome().cancellation);
        assert.equal(
          await summaryOf({ ratePlans: 'two', standardPolicy: ['non_refundable'] }),
          'Cancellation policy: non_refundable',
        );
        assert.match(
          (await summaryOf({ ratePlans: 'two', standardPolicy: null })) ?? '',
          /states no cancellation policy/,
        );
        assert.equal(await summaryOf({ standardPolicy: null }), undefined, 'the listing’s is the only one');
      });
    });
  }

  it('names the reason of a refusal in answers as they are documented, too', async (t) => {
    const options = { homes: [RESTRICTED_HOME], answers: 'documented' } as const;
    const connection = await connectVendorFor(t, guesty, options);
    const vague = { ...guesty.vagueVerdicts, maximum_stay: 'booked' } as const;
    assert.deepEqual(await verdictsOnStays(connection), expectedVerdicts(vague));
  });
});
