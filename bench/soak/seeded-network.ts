import type { BrandId, Property } from '../../src/catalogue/catalogue.ts';
import { DEFAULT_BRAND_BUDGET } from '../../src/catalogue/catalogue.ts';
import type { ConnectTools } from '../../src/connectors/connector.ts';
import { createOpenBookingSystem } from '../../src/connectors/open/connector.ts';
import { inTurns } from '../../src/limits/event-loop.ts';
import type { NetworkSettings } from '../../src/network/read-network.ts';
import { valid } from '../../src/parsing/reading.ts';
import type { BookingSystem, CalendarReading } from '../../src/quotes/booking-system.ts';
import type { HomeFacts } from '../inventory/bench-inventory.ts';
import type { SyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { LIMITS } from '../prices/connected-operators.ts';
import { createTurns } from './turns.ts';

export type SeededNetwork = {
  readonly settings: NetworkSettings;
  /** Calendars that were read again, and had changed. */
  readonly updates: () => number;
};

/** So short that calendars are always due, and the turns decide how many are read. */
const REFRESH_SECONDS = 30;
const HOMES_A_TURN = 20;

/**
 * A network of homes from a seed. Their booking systems are asked for prices over HTTP, as any other; catalogues and calendars
 * come through the port of booking systems from this process, because making them is not what is measured. A calendar is another one
 * each time it is read, and after the first time no more of them are handed out in a second than `updatesPerSecond`.
 */
export function createSeededNetwork(
  inventory: SyntheticInventory,
  { origins, updatesPerSecond }: { readonly origins: readonly string[]; readonly updatesPerSecond: number },
): SeededNetwork {
  const numbersByBrand = new Map<BrandId, number[]>();
  for (const { home } of inventory.homes()) {
    const numbers = numbersByBrand.get(home.brand) ?? [];
    numbers.push(numberOf(home.id));
    numbersByBrand.set(home.brand, numbers);
  }
  const turns = createTurns(updatesPerSecond);
  const timesRead = new Uint32Array(inventory.size);
  let updates = 0;

  function connect(tools: ConnectTools, numbers: readonly number[], baseUrl: string): BookingSystem {
    return {
      ...createOpenBookingSystem({ ...tools, connection: { baseUrl, token: null, limits: LIMITS } }),
      async catalogue() {
        const properties: Property[] = [];
        await inTurns(numbers, HOMES_A_TURN, (number) =>
          properties.push(propertyOf(inventory.homeAfter(number, 0).home)),
        );
        return { properties, rejections: [] };
      },
      async calendars(references, _horizon, signal, stillReading) {
        const numbersAsked = references.map(numberOf);
        const changed = numbersAsked.filter((number) => timesRead[number] !== 0).length;
        if (changed > 0) await turns.take(changed, signal, (milliseconds) => stillReading?.(milliseconds));
        updates += changed;
        const readings = new Map<string, CalendarReading>();
        await inTurns(numbersAsked, HOMES_A_TURN, (number) => {
          const times = timesRead[number] ?? 0;
          timesRead[number] = times + 1;
          readings.set(`h${number}`, valid(inventory.homeAfter(number, times).calendar));
        });
        return readings;
      },
    };
  }

  const connections = Array.from(numbersByBrand, ([brand, numbers], position) => {
    const baseUrl = origins[position % origins.length] ?? '';
    const connection = {
      brand,
      kind: 'open',
      placeAliases: new Map(),
      terms: { quoteHoldMs: null, ratingScale: null },
      budget: DEFAULT_BRAND_BUDGET,
      serverOwners: new Map(),
      connect: (tools: ConnectTools) => connect(tools, numbers, baseUrl),
    };
    return [brand, connection] as const;
  });
  return {
    settings: {
      network: inventory.network,
      connections: new Map(connections),
      name: 'Soaked network',
      contact: 'bench@example.com',
      refreshSeconds: REFRESH_SECONDS,
    },
    updates: () => updates,
  };
}

/** Of a reference, or of an id that ends with one. */
function numberOf(reference: string): number {
  return Number(reference.slice(reference.lastIndexOf('h') + 1));
}

function propertyOf(home: HomeFacts): Property {
  const reference = `h${numberOf(home.id)}`;
  const url = `https://${home.brand}.example/${reference}`;
  return {
    ...home,
    reference,
    name: `House ${reference}`,
    location: `Old town, ${home.place}`,
    summary: 'Two bedrooms and a terrace above the river.',
    bedrooms: 2,
    bathrooms: 1,
    rating: { score: 4.5, scale: 5, reviewCount: 40 },
    cancellation: {
      summary: 'Free of charge until seven days before arrival.',
      free: { daysBefore: 7, time: '18:00' },
    },
    checkInTime: '15:00',
    checkOutTime: '11:00',
    images: [{ url: `${url}/exterior.jpg`, alt: `House ${reference}`, type: 'exterior' }],
    url,
    bookingMode: 'instant',
  };
}
