import type { RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { createOpenBookingSystem } from '../../src/connectors/open/connector.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import { openLoopbackClient } from './loopback-client.ts';
import { plainContext } from './plain-listing.ts';
import { plainServer } from './plain-server.ts';

/** An open booking system that calls the listener of a test. */
export async function systemFor(t: TestContext, listener: RequestListener, quoteTimeoutMs = 500) {
  const server = await plainServer(listener);
  const system = createOpenBookingSystem({
    connection: {
      baseUrl: server.url,
      token: null,
      limits: { batchSize: 20, concurrency: 4, timeoutMs: quoteTimeoutMs },
    },
    context: plainContext,
    openClient: openLoopbackClient,
    intake: createInlineIntake(plainContext),
    clock: systemClock,
  });
  t.after(async () => {
    await server.close();
    await system.close();
  });
  return { system, server };
}
