import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FailureKind } from '../../src/limits/booking-system-failure.ts';
import { formatDay } from '../../src/stay/day.ts';
import type { FaultKind } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { HOSTAWAY_PRIVATE_VALUES, policyIdOf } from '../emulators/hostaway/listings.ts';
import { type HostawayOptions, startHostaway } from '../emulators/hostaway.ts';
import { connectVendorFor } from './connected-vendor.ts';
import { assertExactPrice } from './exact-price.ts';
import { expectedVerdicts, RESTRICTED_HOME, verdictsOnStays } from './restricted-stays.ts';
import { HORIZON, patient, STAY } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, vendorOf } from './vendors.ts';
import { verdictOf } from './verdict.ts';

const hostaway: EmulatedVendorSystem<HostawayOptions> = { ...vendorOf('hostaway'), start: startHostaway };

describe('the connector to Hostaway', () => {
  it('gives listings the names of amenities and policies, and nothing private', async (t) => {
    const homes = [1, 2, 3, 4, 5].map((id) => aHome({ id, amenities: ['wifi', 'roof_terrace'] }));
    const { system } = await connectVendorFor(t, hostaway, { homes, pageSize: 2 });
    const reading = await system.catalogue(patient);
    assert.deepEqual(reading.rejections, []);
    assert.deepEqual(reading.unmappedAmenities, [{ amenity: 'roof terrace', listings: 5 }]);
    const [first] = reading.properties;
    assert.ok(first);
    assert.deepEqual(
      [first.name, first.checkInTime, first.checkOutTime, first.amenities, first.rating, first.location],
      [
        'Harbour House 1',
        '16:00',
        '10:00',
        { wifi: 'Wi-Fi' },
        { score: 9.2, scale: 10, reviewCount: null },
        'Lisbon, Portugal',
      ],
    );
    // The listing names the policy of other channels.
    assert.match(first.cancellation.summary, /14 days before arrival/);
    assert.deepEqual([first.cancellation.free, first.cancellation.refundable ?? null], [null, null]);
    const text = JSON.stringify(reading);
    for (const secret of Object.values(HOSTAWAY_PRIVATE_VALUES)) assert.ok(!text.includes(secret), secret);
  });

  it('asks for no reservations with a calendar, because guests are in them', async (t) => {
    const { system, emulator } = await connectVendorFor(t, hostaway);
    await system.catalogue(patient);
    const references = [emulator.referenceOf(1)];
    await system.calendars(references, HORIZON, patient);
    await system.quote({ references, ...STAY }, patient);
    const paths = emulator.requests.filter(({ kind }) => kind === 'calendar').map(({ path }) => path);
    assert.equal(paths.length, 2);
    for (const path of paths) assert.ok(!path.includes('includeResources'), path);
  });

  it('prices with the markup of the website, and not at all with one that cannot be a factor', async (t) => {
    const priceWith = async (bookingEngineMarkup: unknown) => {
      const { system, emulator } = await connectVendorFor(t, hostaway, {
        homes: [aHome({ taxPercent: 0, cleaningFee: 50_00, nightlyPrice: () => 100_00 })],
        listing: { bookingEngineMarkup },
      });
      await system.catalogue(patient);
      const [outcome] = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
      return outcome?.kind === 'quoted' ? outcome.quote.total : outcome?.kind;
    };
    for (const [markup, price] of [
      [null, 450_00],
      [0, 450_00],
      [1, 450_00],
      [1.1, 490_00],
      ['1.25', 550_00],
      [0.9, 'failed'],
      [15, 'failed'],
      ['a lot', 'failed'],
    ] as const) {
      assert.equal(await priceWith(markup), price, String(markup));
    }
  });

  it('offers an arrival today, and says that booking is instant, only where nothing says otherwise', async (t) => {
    const termsWith = async (listing: object) => {
      const { system } = await connectVendorFor(t, hostaway, { listing: { ...listing } });
      const [first] = (await system.catalogue(patient)).properties;
      return [first?.leadDays, first?.bookingMode];
    };
    for (const [listing, leadDays, mode] of [
      [{}, 0, 'instant'],
      [{ allowSameDayBooking: undefined }, 0, 'instant'],
      [{ allowSameDayBooking: 0 }, 1, 'instant'],
      [{ allowSameDayBooking: 2, sameDayBookingLeadTime: 0 }, 0, 'instant'],
      [{ allowSameDayBooking: 2, sameDayBookingLeadTime: 12 }, 1, 'instant'],
      [{ sameDayBookingLeadTime: 30 }, 2, 'instant'],
      [{ instantBookableLeadTime: 1 }, 0, 'request'],
      [{ instantBookable: 0 }, 0, 'request'],
    ] as const) {
      assert.deepEqual(await termsWith(listing), [leadDays, mode], JSON.stringify(listing));
    }
  });

  it('promises what the policy of direct bookings refunds, when the owner has named it', async (t) => {
    const entry = { direct_policy_id: policyIdOf(aHome()) };
    const { system } = await connectVendorFor(t, hostaway, { entry });
    const [first] = (await system.catalogue(patient)).properties;
    assert.deepEqual(first?.cancellation.free, { daysBefore: 14, time: '00:00' });
    assert.equal(first?.cancellation.refundable, true);
  });

  for (const depositInTotal of [true, false]) {
    it(`prices a stay to the cent, with the deposit ${depositInTotal ? 'taken out' : 'beside it'}`, async (t) => {
      const homes = [aHome({ nightlyPrice: (day) => 99_99 + Number(day.slice(-2)), taxPercent: 7 })];
      const { system, emulator } = await connectVendorFor(t, hostaway, { homes, depositInTotal });
      await system.catalogue(patient);
      for (let arrival = 1; arrival < 12; arrival += 1) {
        const [checkIn, checkOut] = [TODAY + arrival, TODAY + arrival + 2 + (arrival % 3)];
        const asked = { ...STAY, references: [emulator.referenceOf(1)], checkIn, checkOut };
        const [outcome] = await system.quote(asked, patient);
        const truth = emulator.priceOf(1, formatDay(checkIn), formatDay(checkOut), STAY.guests);
        const { deposit } = assertExactPrice(outcome, truth, hostaway);
        assert.deepEqual(deposit, { amount: 200_00, refundable: true });
      }
    });
  }

  it('finds the reason of a refusal in the calendar, when the calculation checks the stay, too', async (t) => {
    const options = { homes: [RESTRICTED_HOME], priceDetails: 'checks_the_stay' } as const;
    const connection = await connectVendorFor(t, hostaway, options);
    assert.deepEqual(await verdictsOnStays(connection), expectedVerdicts());
  });

  const OUTCOMES: Readonly<Record<FaultKind, FailureKind>> = {
    slow: 'timeout',
    error_500: 'server_error',
    truncated_json: 'garbled',
    wrong_types: 'garbled',
    html_error_page: 'garbled',
    redirect: 'garbled',
    oversized: 'too_large',
    drip_fed: 'timeout',
    // It was issued a moment ago, so it is refused for another reason than its age.
    expired_token: 'rejected',
    empty_body: 'garbled',
    connection_reset: 'unreachable',
    rate_limited: 'rate_limited',
  };
  for (const [fault, expected] of Object.entries(OUTCOMES)) {
    it(`answers ${expected} when the calendar that a price needs has the fault ${fault}`, async (t) => {
      const { system, emulator } = await connectVendorFor(t, hostaway, { entry: { timeout_ms: 800 } });
      await system.catalogue(patient);
      emulator.setFault(fault as FaultKind, 'calendar');
      const outcomes = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
      assert.deepEqual(outcomes.map(verdictOf), [expected]);
      assert.equal(emulator.redirectFollowed(), false);
    });
  }
});
