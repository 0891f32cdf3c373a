import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { emptyCalendar } from '../../src/catalogue/calendar.ts';
import { createConnector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { readListing } from '../../src/connectors/shared/listings/listing-reader.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import { invalid, valid } from '../../src/parsing/reading.ts';
import type { QuoteRequest } from '../../src/quotes/booking-system.ts';
import { parseAmount } from '../../src/stay/money.ts';
import { converse } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startTestService } from '../support/test-service.ts';

/** A kind of booking system that is not in the service: every night costs the same. */
function flatPrice() {
  const asked: QuoteRequest[] = [];
  const connector = createConnector({
    entry: Type.Object(
      {
        kind: Type.Literal('flat-price'),
        nightly: Type.String({ description: 'Price of a night.' }),
        houses: Type.Array(Type.String()),
      },
      { additionalProperties: false },
    ),
    inventorySource: 'rate_card',
    documentation: { title: 'Flat price', text: 'One price for all.', schemas: {} },
    read({ nightly, houses }) {
      const amount = parseAmount(nightly, 'EUR');
      if (amount === undefined) return invalid({ pointer: '/nightly', message: 'is not an amount' });
      return valid({ amount, houses });
    },
    connect: ({ amount, houses }, { context }) => ({
      brand: context.brand,
      limits: { batchSize: 2, concurrency: 1, timeoutMs: 500 },
      async catalogue() {
        const readings = houses.map((house) => readListing(property(house).listing, context));
        return {
          properties: readings.flatMap((reading) => reading.property ?? []),
          rejections: readings.flatMap(({ rejections }) => rejections),
        };
      },
      async calendars(references, { from, nights }) {
        const calendar = emptyCalendar(from, nights);
        calendar.available.fill(1);
        return new Map(references.map((reference) => [reference, valid(calendar)]));
      },
      async quote(request) {
        asked.push(request);
        const total = amount * (request.checkOut - request.checkIn);
        return request.references.map((reference) => ({
          kind: 'quoted',
          reference,
          quote: { currency: 'EUR', total, lines: [], heldUntil: null },
        }));
      },
      close: async () => undefined,
    }),
  });
  return { connector, asked };
}

const fileWith = (bookingSystem: { readonly kind: string }) => ({
  ...networkFile([]),
  brands: [{ ...brandEntry('acme', ''), booking_system: bookingSystem }],
});

test('a connector and a line in the table are all that a search needs', async (t) => {
  const { connector, asked } = flatPrice();
  const bookingSystem = { kind: 'flat-price', nightly: '42.50', houses: ['a', 'b', 'c'] };
  const service = await startTestService({
    network: fileWith(bookingSystem),
    connectors: [...CONNECTORS, connector],
  });
  t.after(() => service.close());
  const { body } = await (await converse(service)).search();
  assert.deepEqual(
    body.results.map((option: { property_id: string; quote: { amount: number } }) => [
      option.property_id,
      option.quote.amount,
    ]),
    [
      ['acme:a', 127.5],
      ['acme:b', 127.5],
      ['acme:c', 127.5],
    ],
  );
  assert.equal(body.results[0].availability.inventory_source, 'rate_card');
  assert.deepEqual(
    asked.map(({ references }) => references.length),
    [2, 1],
    'its own batch size',
  );
});

test('the faults of an entry are found by its connector, the schema’s and its own', () => {
  const { connector } = flatPrice();
  const around = { env: {}, directory: '.' };
  const faultsOf = (members: object, connectors = [...CONNECTORS, connector]) => {
    const reading = describeNetwork(fileWith({ kind: 'flat-price', ...members }), around, connectors);
    return reading.kind === 'invalid' ? reading.faults : [];
  };
  assert.deepEqual(faultsOf({ nightly: '1.005', houses: [] }), [
    { pointer: '/brands/0/booking_system/nightly', message: 'is not an amount' },
  ]);
  assert.deepEqual(
    faultsOf({ nightly: 1, houses: [], url: 'https://x.example' }).map(({ pointer }) => pointer),
    ['/brands/0/booking_system/url', '/brands/0/booking_system/nightly'],
  );
  assert.deepEqual(faultsOf({ nightly: '1.00', houses: [] }), []);
  assert.deepEqual(faultsOf({ nightly: '1.00', houses: [] }, [connector]), []);
});

test('a kind that the table does not list is refused, with the kinds that it does', () => {
  const reading = describeNetwork(fileWith({ kind: 'flat-price' }), { env: {}, directory: '.' });
  assert.deepEqual(reading, {
    kind: 'invalid',
    faults: [
      {
        pointer: '/brands/0/booking_system/kind',
        message: `must be ${CONNECTORS.map(({ kind }) => kind).join(' or ')}`,
      },
    ],
  });
});
