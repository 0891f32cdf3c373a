import type { BrandId, Place, PlaceId } from '../../src/catalogue/catalogue.ts';
import { systemClock } from '../../src/clock.ts';
import { createOpenBookingSystem } from '../../src/connectors/open/connector.ts';
import type { Intake } from '../../src/connectors/shared/intake/intake.ts';
import { createIntakeThreads } from '../../src/connectors/shared/intake/intake-threads.ts';
import type { BookingSystem, CallLimits, QuoteRequest } from '../../src/quotes/booking-system.ts';
import { openLoopbackClient } from '../../test/support/loopback-client.ts';

/** As many calls as the network file lets an operator have at most. */
export const LIMITS: CallLimits = { batchSize: 20, concurrency: 64, timeoutMs: 30_000 };
export const HOMES_PER_CALL = 5;
const FIRST_CHECK_IN = 20_800;
/** So many calls in a row ask for different stays: equal ones would share one call. */
const STAYS = 10_000;

export type ConnectedOperators = {
  readonly systems: ReadonlyMap<BrandId, BookingSystem>;
  readonly intake: Intake;
  close(): Promise<void>;
};

/** Connects to servers of the open protocol as the service does. */
export function connectOperators(origins: readonly string[]): ConnectedOperators {
  const places: ReadonlyMap<PlaceId, Place> = new Map();
  const intake = createIntakeThreads({ places, clock: systemClock });
  const systems = new Map(
    origins.map((baseUrl, position) => {
      const brand = `brand-${position}`;
      const system = createOpenBookingSystem({
        connection: { baseUrl, token: null, limits: LIMITS },
        context: {
          brand,
          hosts: [],
          pagePattern: null,
          imagePattern: null,
          stayUrl: null,
          places,
          placeAliases: new Map(),
        },
        openClient: openLoopbackClient,
        intake,
        clock: systemClock,
      });
      return [brand, system] as const;
    }),
  );
  return {
    systems,
    intake,
    async close() {
      await Promise.all(Array.from(systems.values(), (system) => system.close()));
      await intake.close();
    },
  };
}

export function quoteRequest(ordinal: number): QuoteRequest {
  const checkIn = FIRST_CHECK_IN + (ordinal % STAYS);
  return {
    references: Array.from({ length: HOMES_PER_CALL }, (_, home) => `home-${home}`),
    checkIn,
    checkOut: checkIn + 3,
    guests: 2,
    currency: 'EUR',
  };
}
