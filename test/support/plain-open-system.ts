import type { RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { createOpenBookingSystem } from '../../src/operators/open/open-booking-system.ts';
import { plainContext } from './plain-listing.ts';
import { plainServer } from './plain-server.ts';

/** A booking system whose operator is the listener of a test. */
export async function systemFor(t: TestContext, listener: RequestListener, quoteTimeoutMs = 500) {
  const server = await plainServer(listener);
  const settings = {
    baseUrl: server.url,
    token: null,
    quoteTimeoutMs,
    concurrency: 4,
    quoteBatchSize: 20,
    refreshTimeoutMs: 500,
  };
  const system = createOpenBookingSystem({ settings, context: plainContext, clock: systemClock });
  t.after(async () => {
    await server.close();
    await system.close();
  });
  return { system, server };
}
