import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { bookingSystemContract } from '../../src/quotes/booking-system.contract.ts';
import type { QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { aHome } from '../emulators/homes.ts';
import { type ConnectedVendor, connectVendor } from './connected-vendor.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, VENDORS } from './vendors.ts';

const patient = new AbortController().signal;
const HORIZON = { from: TODAY + 1, nights: 60 };

async function connected(
  t: TestContext,
  vendor: EmulatedVendorSystem,
  options: Parameters<typeof connectVendor>[1],
): Promise<ConnectedVendor> {
  const connection = await connectVendor(vendor, options);
  t.after(() => connection.close());
  return connection;
}

const someHomes = [
  aHome({ id: 1 }),
  aHome({ id: 2, maxGuests: 7, cleaningFee: 0, taxPercent: 0, deposit: 0 }),
  aHome({
    id: 3,
    minimumStay: () => 3,
    nightlyPrice: (day) => (day.endsWith('5') ? 21_050 : 9_975),
    taxPercent: 6,
  }),
  aHome({ id: 4, deposit: 30_000, cleaningFee: 8_000 }),
  aHome({ id: 5, amenities: ['pool', 'wifi', 'a thing nobody has a word for'] }),
];

for (const vendor of VENDORS) {
  bookingSystemContract(`the connector to ${vendor.name}`, {
    newSystem: async () => {
      const { system, emulator, close } = await connectVendor(vendor, { homes: [aHome({ id: 1 })] });
      const taken = { checkIn: TODAY + 20, checkOut: TODAY + 23 };
      emulator.book(1, formatDay(taken.checkIn), formatDay(taken.checkOut));
      return {
        system,
        reference: emulator.referenceOf(1),
        currency: 'EUR',
        maxGuests: 4,
        // From today: nobody arrives in the past, whatever its nights say.
        horizon: { ...HORIZON, from: TODAY },
        free: { checkIn: TODAY + 5, checkOut: TODAY + 9 },
        taken,
        takenReason: vendor.takenReason,
        isCalendarLooser: vendor.isCalendarLooser ?? false,
        release: close,
      };
    },
  });

  describe(`the connector to ${vendor.name}`, () => {
    it('reads every page of the catalogue, and gives each home a safe page, pictures and amenities', async (t) => {
      const { system, emulator } = await connected(t, vendor, { homes: someHomes, pageSize: 2 });
      const { properties, heldBack, unmappedAmenities } = await system.catalogue(patient);
      assert.deepEqual(
        heldBack.filter(({ repaired }) => !repaired),
        [],
      );
      assert.deepEqual(
        properties.map(({ reference }) => reference).sort(),
        someHomes.map(({ id }) => emulator.referenceOf(id)).sort(),
      );
      for (const { url, images, place, currency, name, cancellation } of properties) {
        assert.equal(new URL(url).host, emulator.websiteHost);
        for (const image of images) assert.equal(new URL(image.url).host, emulator.websiteHost);
        assert.deepEqual([place, currency], ['lisbon', 'EUR']);
        assert.match(name, /\S/);
        assert.match(cancellation.summary, /\S/);
      }
      assert.ok((unmappedAmenities ?? []).length > 0, 'what the vocabulary has no word for is listed');
    });

    it('claims nothing of a home of which the vendor says nothing', async (t) => {
      const bare = aHome({ id: 1, amenities: [], rating: null, bedrooms: 0, bathrooms: 0 });
      const strange = aHome({ id: 2, amenities: ['a thing nobody has a word for'] });
      const { system, emulator } = await connected(t, vendor, { homes: [bare, strange] });
      const { properties } = await system.catalogue(patient);
      const [one, other] = [1, 2].map((id) =>
        properties.find(({ reference }) => reference === emulator.referenceOf(id)),
      );
      assert.equal(one?.amenities, null);
      assert.equal(other?.amenities, null);
      assert.match(one?.summary ?? '', /\S/);
      const { score, reviewCount } = one?.rating ?? {};
      assert.deepEqual([score, reviewCount], [0, vendor.countsReviews ? 0 : null]);
    });

    it('quotes every stay to the cent, and refuses what the vendor refuses', async (t) => {
      const { system, emulator } = await connected(t, vendor, { homes: someHomes });
      await system.catalogue(patient);
      emulator.book(2, formatDay(TODAY + 12), formatDay(TODAY + 15));
      let quoted = 0;
      for (const { id, maxGuests } of someHomes) {
        for (const [arrival, nights, guests] of [
          [3, 2, 1],
          [6, 7, 2],
          [10, 4, maxGuests],
          [30, 3, 2],
        ] as const) {
          const [checkIn, checkOut] = [TODAY + arrival, TODAY + arrival + nights];
          const [outcome] = await system.quote(
            { references: [emulator.referenceOf(id)], checkIn, checkOut, guests, currency: 'EUR' },
            patient,
          );
          const truth = emulator.priceOf(id, formatDay(checkIn), formatDay(checkOut), guests);
          const what = `home ${id}, ${nights} nights from ${formatDay(checkIn)}, ${guests} guests`;
          if ('refused' in truth)
            assert.equal(outcome?.kind, 'unavailable', `${what}: ${JSON.stringify(outcome)}`);
          else {
            assert.ok(outcome?.kind === 'quoted', `${what}: ${JSON.stringify(outcome)}`);
            assert.deepEqual(
              [outcome.quote.total, outcome.quote.currency],
              [truth.total, truth.currency],
              what,
            );
            const { lines, total } = outcome.quote;
            if (vendor.hasLines) {
              assert.equal(
                lines.reduce((sum, { amount }) => sum + amount, 0),
                total,
                `${what}: ${JSON.stringify(lines)}`,
              );
            } else assert.deepEqual(lines, []);
            quoted += 1;
          }
        }
      }
      assert.ok(quoted >= 10, `${quoted} stays were quoted`);
    });

    it('prices many homes at once, and each as if it were alone', async (t) => {
      const { system, emulator } = await connected(t, vendor, { homes: someHomes });
      await system.catalogue(patient);
      const stay = { checkIn: TODAY + 6, checkOut: TODAY + 10, guests: 2, currency: 'EUR' };
      const references = someHomes.map(({ id }) => emulator.referenceOf(id));
      const together = await system.quote({ references, ...stay }, patient);
      const totals = (outcomes: readonly QuoteOutcome[]) =>
        new Map(outcomes.map((one) => [one.reference, one.kind === 'quoted' ? one.quote.total : one.kind]));
      assert.deepEqual(
        totals(together),
        new Map(
          someHomes.map(({ id }) => {
            const truth = emulator.priceOf(id, formatDay(stay.checkIn), formatDay(stay.checkOut), 2);
            return [emulator.referenceOf(id), 'refused' in truth ? 'unavailable' : truth.total];
          }),
        ),
      );
    });

    it('sees a booking in the next calendar and the next price', async (t) => {
      const { system, emulator } = await connected(t, vendor, { homes: [aHome({ id: 1 })] });
      const reference = emulator.referenceOf(1);
      await system.catalogue(patient);
      const stay = {
        references: [reference],
        checkIn: TODAY + 5,
        checkOut: TODAY + 8,
        guests: 2,
        currency: 'EUR',
      };
      assert.equal((await system.quote(stay, patient))[0]?.kind, 'quoted');
      emulator.book(1, formatDay(TODAY + 6), formatDay(TODAY + 7));
      assert.deepEqual(await system.quote(stay, patient), [
        { kind: 'unavailable', reference, reason: vendor.takenReason },
      ]);
      const reading = (await system.calendars([reference], HORIZON, patient)).get(reference);
      assert.ok(reading?.kind === 'valid');
      assert.deepEqual([...reading.value.available.subarray(4, 7)], [1, 0, 1]);
    });
  });
}
