import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../clock.ts';
import { SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import { callsOverHttp } from './calls-over-http.ts';
import type { NetworkFacts } from './interface-calls.ts';
import { createMcpServer } from './mcp-server.ts';
import { createKeyedOpenings, createSpareSessions, type OpeningBody } from './session-openings.ts';

/**
 * The same tools for hosts that start their servers as programs. It calls a remote service as the assistant on this machine.
 * Resolves when the host closes the connection, or with the signal.
 */
export async function serveMcpOverStdio({
  serviceUrl,
  withForms,
  clock,
  signal,
  report,
}: {
  readonly serviceUrl: URL;
  /** Whether to ask the host to show a form for missing fields. */
  readonly withForms: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Must not write to the standard output, which belongs to the protocol. */
  readonly report: (text: string) => void;
}): Promise<void> {
  const { connect, network, access } = callsOverHttp(serviceUrl);
  const { name, pictureHosts } = await factsAtStart(network, access, report);
  const openings = createKeyedOpenings(createRecentOpenings<OpeningBody>(clock));
  const spares = createSpareSessions(clock);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const handle = serveStdio(() =>
    createMcpServer({
      connect,
      name,
      pictureHosts,
      publicUrl: null,
      version: SOFTWARE_VERSION,
      forms: withForms ? clock : null,
      now: clock.now,
      elapsed: clock.elapsed,
      key: null,
      // The interface names places only in steps, not in results.
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

/**
 * Reports a fault at the start instead of at the first call. The tools are offered all the same: hosts start a program once, and it
 * works as soon as a person has fixed the fault.
 */
async function factsAtStart(
  network: () => Promise<NetworkFacts>,
  access: () => Promise<void>,
  report: (text: string) => void,
): Promise<Pick<NetworkFacts, 'name' | 'pictureHosts'>> {
  const [facts, allowed] = await Promise.allSettled([network(), access()]);
  const failed = [facts, allowed].find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    report(`${(failed.reason as Error).message} The tools are offered, but until then every search fails.`);
  }
  return facts.status === 'fulfilled' ? facts.value : { name: 'Staywire', pictureHosts: [] };
}
