import { Type } from 'typebox';
import { emptyCalendar } from '../../src/catalogue/calendar.ts';
import { createConnector } from '../../src/connectors/connector.ts';
import { CONNECTORS } from '../../src/connectors/connectors.ts';
import { readListing } from '../../src/connectors/shared/listings/listing-reader.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { valid } from '../../src/parsing/reading.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

/** An operator within the process: it costs no network, so that an input costs only what the service does with it. */
const stillConnector = createConnector({
  entry: Type.Object({ kind: Type.Literal('still') }, { additionalProperties: false }),
  inventorySource: 'live_booking_system',
  documentation: { title: 'Still', text: 'Always free, always the same price.', schemas: {} },
  read: () => valid(null),
  connect: (_connection, { context }) => ({
    brand: context.brand,
    limits: { batchSize: 50, concurrency: 8, timeoutMs: 4000 },
    async catalogue() {
      const readings = HOMES.map((home) => readListing(home.listing, context));
      return {
        properties: readings.flatMap((reading) => reading.property ?? []),
        rejections: readings.flatMap(({ rejections }) => rejections),
      };
    },
    async calendars(references, { from, nights }) {
      const calendar = emptyCalendar(from, nights);
      calendar.available.fill(1);
      calendar.price.fill(5000);
      return new Map(references.map((reference) => [reference, valid(calendar)]));
    },
    async quote({ references, currency }) {
      const quote = { currency, total: 10_000, lines: [], heldUntil: null };
      return references.map((reference) => ({ kind: 'quoted', reference, quote }));
    },
    close: async () => undefined,
  }),
});

const HOMES = [
  property('a'),
  property('b', { amenities: { wifi: 'Wi-Fi', pool: 'Pool' } }),
  property('c', { place: 'porto-pt', location: 'Ribeira, Porto', max_guests: 9 }),
];

const still = (source: string) => ({ ...brandEntry(source, ''), booking_system: { kind: 'still' as const } });

/** The brands `acme` and `solo`, which has one location, and whatever else is given. */
export async function startStillService(others: NetworkFile['brands'] = []): Promise<TestService> {
  return startTestService({
    network: {
      ...networkFile([]),
      brands: [still('acme'), { ...still('solo'), single_location: 'lisbon-pt' }, ...others],
    },
    connectors: [...CONNECTORS, stillConnector],
    settings: { rateLimit: 1_000_000_000 },
  });
}
