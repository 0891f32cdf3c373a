import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { sampleProperty } from '../../../../test/support/sample-property.ts';
import { emptyCalendar } from '../../../catalogue/calendar.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import { valid } from '../../../parsing/reading.ts';
import type { QuoteOutcome } from '../../../quotes/booking-system.ts';
import { createKnownListings, type KnownListing, knownFrom } from '../listings/known-listings.ts';
import { createVendorSystem, failedStay, oneByOne, type Vendor } from './vendor-system.ts';

const patient = new AbortController().signal;
const horizon = { from: 20_000, nights: 3 };
const request = { references: ['a'], checkIn: 20_000, checkOut: 20_002, guests: 2, currency: 'EUR' };
const property = (reference: string) => sampleProperty({ brand: 'casas', reference });

type Asked = Parameters<typeof oneByOne>[0];

function setUp(
  { readCatalogue, ...changes }: Partial<Asked & Pick<Vendor<KnownListing>, 'readCatalogue'>> = {},
  disk: { document?: OwnedBytes } = {},
) {
  const clock = createFakeClock(0);
  const known = createKnownListings({
    read: async () => disk.document,
    save: async (document) => {
      disk.document = document;
    },
  });
  let catalogues = 0;
  const system = createVendorSystem({
    clock,
    known,
    vendor: {
      brand: 'casas',
      limits: { batchSize: 1, concurrency: 2, timeoutMs: 1000 },
      async readCatalogue(...call) {
        catalogues += 1;
        if (readCatalogue) return readCatalogue(...call);
        const properties = ['a', 'b', 'c', 'd', 'e'].map(property);
        await known.keep(
          await knownFrom(properties, new Map([['a', { minimumStay: 2, maximumStay: null }]])),
        );
        return { properties, rejections: [] };
      },
      ...oneByOne({
        readCalendar: async () => valid(emptyCalendar(horizon.from, horizon.nights)),
        quoteStay: async ({ reference }): Promise<QuoteOutcome> => failedStay(reference, 'garbled'),
        ...changes,
      }),
      restsForMs: () => 0,
      budgetUse: () => null,
      close: async () => undefined,
    },
  });
  return { system, clock, disk, catalogues: () => catalogues };
}

const failure = (kind: FailureKind) => new BookingSystemFailure(kind, 'no');

describe('the booking system of a vendor that is asked for one listing at a time', () => {
  it('reads the catalogue first when nothing is known, and not again after a restart', async () => {
    const first = setUp();
    await first.system.quote(request, patient);
    await first.system.quote(request, patient);
    assert.equal(first.catalogues(), 1);
    const seen: unknown[] = [];
    const again = setUp(
      {
        async quoteStay({ reference, listing }) {
          seen.push(listing);
          return { kind: 'unavailable', reference, reason: 'booked' };
        },
      },
      first.disk,
    );
    assert.deepEqual(await again.system.quote(request, patient), [
      { kind: 'unavailable', reference: 'a', reason: 'booked' },
    ]);
    assert.deepEqual(seen, [{ currency: 'EUR', maxGuests: 4, minimumStay: 2, maximumStay: null }]);
    assert.equal(again.catalogues(), 0);
  });

  it('asks nothing of which the answer is known', async () => {
    const { system } = setUp({ quoteStay: () => assert.fail('nobody needs to be asked') });
    const kindOf = async (changes: object) => {
      const [outcome] = await system.quote({ ...request, ...changes }, patient);
      return outcome?.kind === 'failed' ? outcome.failure : outcome?.kind === 'unavailable' && outcome.reason;
    };
    assert.equal(await kindOf({ references: ['z'] }), 'unknown_property');
    assert.equal(await kindOf({ guests: 5 }), 'too_many_guests');
    assert.equal(await kindOf({ currency: 'USD' }), 'wrong_currency');
  });

  it('fails as a whole when no calendar can be read, or the next one would fail too', async () => {
    for (const kind of ['garbled', 'server_error', 'rate_limited', 'unreachable', 'rejected'] as const) {
      let calls = 0;
      const { system } = setUp({
        async readCalendar() {
          calls += 1;
          throw failure(kind);
        },
      });
      await assert.rejects(
        system.calendars(['a', 'b'], horizon, patient),
        (error) => error instanceof BookingSystemFailure && error.kind === kind,
      );
      assert.equal(calls, ['rate_limited', 'unreachable'].includes(kind) ? 1 : 2, kind);
    }
  });

  it('loses one calendar to a refusal or to silence, but takes several in a row for a failure of the vendor', async () => {
    for (const kind of ['rejected', 'timeout'] as const) {
      const refused = new Set(['b']);
      let calls = 0;
      const { system } = setUp({
        async readCalendar(reference) {
          calls += 1;
          if (refused.has(reference)) throw failure(kind);
          return valid(emptyCalendar(horizon.from, horizon.nights));
        },
      });
      const readings = await system.calendars(['a', 'b', 'c', 'd', 'e'], horizon, patient);
      assert.deepEqual(
        Array.from(readings.values(), (reading) => reading.kind),
        ['valid', 'invalid', 'valid', 'valid', 'valid'],
      );
      for (const reference of ['d', 'e']) refused.add(reference);
      const apart = await system.calendars(['a', 'b', 'c', 'd', 'e'], horizon, patient);
      assert.deepEqual(
        Array.from(apart.values(), (reading) => reading.kind),
        ['valid', 'invalid', 'valid', 'invalid', 'invalid'],
        'three, but not in a row',
      );
      refused.add('c');
      calls = 0;
      await assert.rejects(system.calendars(['a', 'b', 'c', 'd', 'e'], horizon, patient));
      assert.equal(calls, 4, 'the next would fail too');
    }
  });
});
