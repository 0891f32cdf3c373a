import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { bookingSystemContract } from '../../src/quotes/booking-system.contract.ts';
import type { QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { aHome, type EmulatedHome } from '../emulators/homes.ts';
import { connectVendor, connectVendorFor } from './connected-vendor.ts';
import { assertExactPrice } from './exact-price.ts';
import { expectedVerdicts, RESTRICTED_HOME, verdictsOnStays } from './restricted-stays.ts';
import { HORIZON, patient, STAY } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, VENDORS } from './vendors.ts';
import { verdictOf } from './verdict.ts';

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

it('every vendor with an account runs through these suites', () => {
  const kinds = CONNECTORS.filter(({ credentials }) => Object.keys(credentials).length > 0);
  assert.deepEqual(kinds.map(({ kind }) => kind).sort(), VENDORS.map(({ kind }) => kind).sort());
});

function keepsContract(name: string, vendor: EmulatedVendorSystem, home: EmulatedHome): void {
  bookingSystemContract(name, {
    newSystem: async () => {
      const { system, emulator, close } = await connectVendor(vendor, { homes: [home] });
      const taken = { checkIn: TODAY + 20, checkOut: TODAY + 23 };
      emulator.book(1, formatDay(taken.checkIn), formatDay(taken.checkOut));
      return {
        system,
        reference: emulator.referenceOf(1),
        currency: 'EUR',
        maxGuests: home.maxGuests,
        // From today: nobody arrives in the past, whatever its nights say.
        horizon: { from: TODAY, nights: 60 },
        free: { checkIn: STAY.checkIn, checkOut: STAY.checkOut },
        taken,
        takenReason: vendor.vagueVerdicts?.booked ?? 'booked',
        isCalendarLooser: vendor.isCalendarLooser ?? false,
        release: close,
      };
    },
  });
}

for (const vendor of VENDORS) {
  keepsContract(`the connector to ${vendor.name}`, vendor, aHome());
  if (vendor.isCalendarLooser) {
    keepsContract(
      `the connector to ${vendor.name}, for stays of any length,`,
      { ...vendor, isCalendarLooser: false },
      aHome({ minimumStay: () => 1, maximumStay: null }),
    );
  }

  describe(`the connector to ${vendor.name}`, () => {
    it('reads every page of the catalogue, and gives each home a safe page, pictures and amenities', async (t) => {
      const { system, emulator } = await connectVendorFor(t, vendor, { homes: someHomes, pageSize: 2 });
      const { properties, rejections, unmappedAmenities } = await system.catalogue(patient);
      assert.deepEqual(
        rejections.filter(({ repaired }) => !repaired),
        [],
      );
      assert.deepEqual(
        properties.map(({ reference }) => reference),
        someHomes.map(({ id }) => emulator.referenceOf(id)),
      );
      for (const [index, property] of properties.entries()) {
        const { url, images, place, currency, name, cancellation } = property;
        assert.equal(new URL(url).host, emulator.websiteHost);
        for (const image of images) assert.equal(new URL(image.url).host, emulator.websiteHost);
        assert.deepEqual([place, currency], ['lisbon', 'EUR']);
        assert.ok(name.endsWith(`Harbour House ${index + 1}`), name);
        assert.match(cancellation.summary, /\S/);
        assert.deepEqual(
          [property.maxGuests, property.checkInTime, property.checkOutTime],
          [someHomes[index]?.maxGuests, '16:00', '10:00'],
        );
      }
      const unmapped = unmappedAmenities ?? [];
      assert.ok(
        unmapped.some(({ listings }) => listings === 1),
        'what the vocabulary has no word for is listed',
      );
    });

    it('claims nothing of a home of which the vendor says nothing', async (t) => {
      const bare = aHome({ id: 1, amenities: [], rating: null, bedrooms: 0, bathrooms: 0 });
      const strange = aHome({ id: 2, amenities: ['a thing nobody has a word for'] });
      const { system, emulator } = await connectVendorFor(t, vendor, { homes: [bare, strange] });
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

    it('shows a home that is listed twice once, as it was listed first, and says so', async (t) => {
      const homes = [aHome({ id: 1 }), aHome({ id: 2 }), aHome({ id: 3 }), aHome({ id: 1, name: 'Twice' })];
      const { system, emulator } = await connectVendorFor(t, vendor, { homes, pageSize: 2 });
      const { properties, rejections } = await system.catalogue(patient);
      const references = [1, 2, 3].map(emulator.referenceOf);
      assert.deepEqual(
        properties.map(({ reference }) => reference),
        references,
      );
      assert.match(properties[0]?.name ?? '', /Harbour House 1$/);
      assert.deepEqual(
        rejections.filter(({ rule }) => rule === 'listed_twice').map((one) => [one.reference, one.repaired]),
        [[references[0], true]],
      );
      const outcomes = await system.quote({ references, ...STAY }, patient);
      assert.deepEqual(outcomes.map(verdictOf), ['quoted', 'quoted', 'quoted']);
    });

    it('takes an account without homes for what it is', async (t) => {
      const { system } = await connectVendorFor(t, vendor, { homes: [] });
      for (let refresh = 0; refresh < 2; refresh += 1) {
        const { properties, rejections } = await system.catalogue(patient);
        assert.deepEqual([properties, rejections], [[], []]);
      }
      assert.equal((await system.calendars([], HORIZON, patient)).size, 0);
      const outcomes = await system.quote({ references: ['1'], ...STAY }, patient);
      assert.deepEqual(outcomes.map(verdictOf), ['unknown_property']);
    });

    it('forgets a home that is listed no longer, and offers it to nobody meanwhile', async (t) => {
      const homes = [1, 2, 3].map((id) => aHome({ id }));
      const { system, emulator, clock, reconnect } = await connectVendorFor(t, vendor, {
        homes,
        pageSize: 2,
      });
      const references = homes.map(({ id }) => emulator.referenceOf(id));
      const [first = '', gone = '', last = ''] = references;
      await system.catalogue(patient);
      emulator.withdraw(2);

      const verdicts = async (asked = system) => {
        const outcomes = await asked.quote({ references, ...STAY }, patient);
        return new Map(outcomes.map((outcome) => [outcome.reference, verdictOf(outcome)]));
      };
      const calendars = async () => {
        const readings = await system.calendars(references, HORIZON, patient);
        return references.map((reference) => readings.get(reference)?.kind);
      };
      const before = await verdicts();
      assert.deepEqual([before.get(first), before.get(last)], ['quoted', 'quoted']);
      assert.match(String(before.get(gone)), /^(unknown_property|not_offered)$/);
      assert.deepEqual(await calendars(), ['valid', 'invalid', 'valid']);

      // Longer than anything that is remembered of a home.
      clock.skip(25 * 3_600_000);
      const { properties, rejections } = await system.catalogue(patient);
      assert.deepEqual(
        properties.map(({ reference }) => reference),
        [first, last],
      );
      assert.deepEqual(
        rejections.filter(({ reference }) => reference === gone),
        [],
      );
      const expected = new Map([
        [first, 'quoted'],
        [gone, 'unknown_property'],
        [last, 'quoted'],
      ]);
      assert.deepEqual(await verdicts(), expected);
      assert.deepEqual(await calendars(), ['valid', 'invalid', 'valid']);
      assert.deepEqual(await verdicts(reconnect()), expected, 'after a restart');
    });

    it('knows its homes after a restart, and needs no other calls for a price than before', async (t) => {
      const { system, emulator, reconnect } = await connectVendorFor(t, vendor);
      await system.catalogue(patient);
      const callsOf = async (asked = system) => {
        const before = emulator.requests.length;
        const outcomes = await asked.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
        assert.deepEqual(outcomes.map(verdictOf), ['quoted']);
        return emulator.requests.slice(before).map(({ kind }) => kind);
      };
      const calls = await callsOf();
      assert.ok(!calls.includes('catalogue'), calls.join());
      await system.close();
      assert.deepEqual(await callsOf(reconnect()), calls);
    });

    it('quotes every stay to the cent, and refuses what the vendor refuses', async (t) => {
      const { system, emulator } = await connectVendorFor(t, vendor, { homes: someHomes });
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
          if ('refused' in truth) {
            const what = `home ${id}, ${nights} nights from ${formatDay(checkIn)}, ${guests} guests`;
            assert.equal(outcome?.kind, 'unavailable', `${what}: ${JSON.stringify(outcome)}`);
          } else {
            assertExactPrice(outcome, truth, vendor);
            quoted += 1;
          }
        }
      }
      assert.ok(quoted >= 10, `${quoted} stays were quoted`);
    });

    it('tells of a deposit, a rating and the prices of nights what the vendor tells, and makes nothing up', async (t) => {
      const home = aHome({ id: 1, deposit: 250_00, rating: { average: 4.2, count: 17 } });
      const { system, emulator } = await connectVendorFor(t, vendor, { homes: [home] });
      const reference = emulator.referenceOf(home.id);
      const [property] = (await system.catalogue(patient)).properties;
      const [outcome] = await system.quote({ references: [reference], ...STAY }, patient);
      const calendar = (await system.calendars([reference], HORIZON, patient)).get(reference);
      assert.ok(property && outcome?.kind === 'quoted' && calendar?.kind === 'valid');
      const { score, scale } = property.rating;
      const told = {
        deposit: outcome.quote.deposit ?? null,
        rating: Math.round((score / scale) * 100),
        'night prices': calendar.value.price.every((price) => price > 0),
      };
      const tells = (what: keyof typeof told) => vendor.tells.includes(what);
      assert.deepEqual(told, {
        deposit: tells('deposit') ? { amount: home.deposit, refundable: true } : null,
        rating: tells('rating') ? 84 : 0,
        'night prices': tells('night prices'),
      });
    });

    it('says why a stay is refused, as far as the vendor lets it know', async (t) => {
      const connection = await connectVendorFor(t, vendor, { homes: [RESTRICTED_HOME] });
      assert.deepEqual(await verdictsOnStays(connection), expectedVerdicts(vendor.vagueVerdicts));
    });

    it('prices many homes at once, and each as if it were alone', async (t) => {
      const { system, emulator } = await connectVendorFor(t, vendor, { homes: someHomes });
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
      const { system, emulator } = await connectVendorFor(t, vendor);
      const reference = emulator.referenceOf(1);
      await system.catalogue(patient);
      const ask = async () =>
        (await system.quote({ references: [reference], ...STAY }, patient)).map(verdictOf);
      assert.deepEqual(await ask(), ['quoted']);
      emulator.book(1, formatDay(TODAY + 6), formatDay(TODAY + 7));
      assert.deepEqual(await ask(), [vendor.vagueVerdicts?.booked ?? 'booked']);
      const reading = (await system.calendars([reference], HORIZON, patient)).get(reference);
      assert.ok(reading?.kind === 'valid');
      assert.deepEqual([...reading.value.available.subarray(5, 8)], [1, 0, 1]);
    });
  });
}
