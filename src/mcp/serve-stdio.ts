import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../clock.ts';
import { SOFTWARE_VERSION } from '../contract/software-version.ts';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import { callsOverHttp } from './calls-over-http.ts';
import { createKeyedOpenings, type OpeningBody } from './keyed-openings.ts';
import { createMcpServer } from './mcp-server.ts';
import { createSpareSessions } from './spare-sessions.ts';

/**
 * The same tools for hosts that start their servers as programs: it talks to a service elsewhere, as the assistant that runs on
 * this machine. Resolves when the host has closed the connection, or with the signal.
 */
export async function serveMcpOverStdio({
  serviceUrl,
  withForms,
  clock,
  signal,
  report,
}: {
  readonly serviceUrl: URL;
  /** Whether the host is asked to show a form for what is missing. */
  readonly withForms: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Not on the output, which belongs to the protocol. */
  readonly report: (text: string) => void;
}): Promise<void> {
  const { connect, network } = callsOverHttp(serviceUrl);
  const { name } = await network();
  const openings = createKeyedOpenings(createRecentOpenings<OpeningBody>(clock));
  const spares = createSpareSessions(clock);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const handle = serveStdio(() =>
    createMcpServer({
      connect,
      network,
      name,
      version: SOFTWARE_VERSION,
      forms: withForms ? clock : null,
      now: clock.now,
      elapsed: clock.elapsed,
      key: null,
      // The interface names places while they are chosen, not in a result.
      placeName: () => undefined,
      openings,
      spares,
      caller: 'host',
      fault: (fault) => report(String(fault)),
    }),
  );
  signal.addEventListener('abort', () => end(), { once: true });
  process.stdin.once('close', end);
  await ended;
  await handle.close();
}
