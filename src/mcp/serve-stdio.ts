import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../clock.ts';
import type { Problem } from '../contract/problem-body.ts';
import { PATHS, SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import type { ConnectCalls, InterfaceCalls, NetworkFacts, OpeningBody } from './interface-calls.ts';
import { createMcpServer } from './mcp-server.ts';
import { ServiceFault } from './tool-errors.ts';

/**
 * The same tools for hosts that start their servers as programs. It calls a remote service as the assistant on this machine.
 * Resolves when the host closes the connection, or with the signal.
 */
export async function serveMcpOverStdio({
  serviceUrl,
  clock,
  signal,
  report,
}: {
  readonly serviceUrl: URL;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Must not write to the standard output, which belongs to the protocol. */
  readonly report: (text: string) => void;
}): Promise<void> {
  const { connect, network, access } = callsOverHttp(serviceUrl);
  // Reports a fault at the start instead of at the first call. The tools are offered all the same: hosts start a program once, and it
  // works as soon as a person has fixed the fault.
  const [facts, allowed] = await Promise.allSettled([network(), access()]);
  const failed = [facts, allowed].find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    report(`${(failed.reason as Error).message} The tools are offered, but until then every search fails.`);
  }
  const { name, pictureHosts } =
    facts.status === 'fulfilled' ? facts.value : { name: 'Staywire', pictureHosts: [] };
  const openings = createRecentOpenings<OpeningBody>(clock);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const handle = serveStdio(() =>
    createMcpServer({
      connect,
      name,
      pictureHosts,
      publicUrl: null,
      version: SOFTWARE_VERSION,
      now: clock.now,
      elapsed: clock.elapsed,
      key: null,
      // The interface names places only in steps, not in results.
      placeName: () => undefined,
      openings,
      caller: 'host',
      fault: (fault) => report(String(fault)),
    }),
  );
  signal.addEventListener('abort', () => end(), { once: true });
  process.stdin.once('close', end);
  await ended;
  await handle.close();
}

/** The members of the entry page that are read here. */
type EntryBody = Pick<NetworkFacts, 'name' | 'sources'> & { readonly picture_hosts?: readonly string[] };

/** Longer than the usual deadline of a search, and shorter than the minute that hosts wait for a tool. */
const MAX_ANSWER_MS = 50_000;
/** Shorter than hosts wait for a program to start. */
const MAX_START_MS = 10_000;

/** The operations of a remote service, over its REST interface and within its limits. */
function callsOverHttp(serviceUrl: URL): {
  readonly connect: ConnectCalls;
  /** Reads the entry page; `access` checks that the service admits this machine. Both reject with a `ServiceFault`. */
  readonly network: () => Promise<NetworkFacts>;
  readonly access: () => Promise<void>;
} {
  async function call<Body>(
    path: string,
    {
      query = {},
      body,
      key = null,
      signal,
      maxMs = MAX_ANSWER_MS,
    }: {
      readonly query?: Readonly<Record<string, string>>;
      readonly body?: object;
      readonly key?: string | null;
      readonly signal?: AbortSignal;
      readonly maxMs?: number;
    },
  ): Promise<Body> {
    const url = new URL(path, serviceUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const patience = AbortSignal.timeout(maxMs);
    const init: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    };
    try {
      const response = await fetch(url, init);
      const body: unknown = await response.json();
      if (response.status === 403 && isProblem(body)) throw accessDenied(body);
      // Every answer of the interface has this member, and no other server's has it.
      if (typeof body !== 'object' || body === null || !('api_version' in body)) {
        throw new Error(`an answer of another kind, HTTP ${response.status}`);
      }
      return body as Body;
    } catch (error) {
      if (signal?.aborted || error instanceof ServiceFault) throw error;
      const message = `No answer of a Staywire service from ${serviceUrl.origin}. Check the address that staywire mcp was given (--url), and the connection.`;
      throw new ServiceFault('service_unreachable', message, { cause: error });
    }
  }

  function accessDenied({ help_url = '' }: Pick<Problem, 'help_url'>): ServiceFault {
    const help = new URL(help_url, serviceUrl).href;
    const message = `The network at ${serviceUrl.origin} has not approved assistants on this machine. Its owner has to approve them; ${help} says how to ask.`;
    return new ServiceFault('access_denied', message);
  }

  const network = async (limits: { signal: AbortSignal } | { maxMs: number }): Promise<NetworkFacts> => {
    const { name, sources, picture_hosts = [] } = await call<EntryBody>('/', limits);
    return { name, sources, pictureHosts: picture_hosts };
  };

  return {
    network: () => network({ maxMs: MAX_START_MS }),
    // The smallest answer that unapproved callers do not get.
    access: async () => void (await call(PATHS.terms, { maxMs: MAX_START_MS })),
    connect: ({ signal }) =>
      ({
        open: (source, key) => call(PATHS.auth, { body: source === null ? {} : { source }, key, signal }),
        search: (session, values, key) =>
          call(PATHS.search, { query: { session }, body: values, key, signal }),
        result: (session, view) => call(PATHS.result, { query: { session, view }, signal }),
        network: () => network({ signal }),
      }) satisfies InterfaceCalls,
  };
}

function isProblem(body: unknown): body is Pick<Problem, 'error' | 'help_url'> {
  return typeof body === 'object' && body !== null && 'error' in body && body.error === 'access_denied';
}
