import { PATHS } from '../contract/vocabulary.ts';
import type { ConnectCalls, InterfaceCalls, NetworkFacts } from './interface-calls.ts';

/** The service did not answer, or something else did. The message is for the person who gave its address. */
export class ServiceUnreachable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceUnreachable';
  }
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** What is read of the entry page. */
type EntryBody = Pick<NetworkFacts, 'name' | 'sources'> & { readonly picture_hosts?: readonly string[] };

/** Longer than a search can take with its deadline for operators. */
const MAX_ANSWER_MS = 60_000;

/** The operations of a service elsewhere, over its REST interface and under its limits. */
export function callsOverHttp(
  serviceUrl: URL,
  fetchFrom: Fetch = fetch,
): { readonly connect: ConnectCalls; readonly network: () => Promise<NetworkFacts> } {
  async function call<Body>(
    path: string,
    {
      query = {},
      body,
      key = null,
      signal,
    }: {
      readonly query?: Readonly<Record<string, string>>;
      readonly body?: object;
      readonly key?: string | null;
      readonly signal?: AbortSignal;
    },
  ): Promise<Body> {
    const url = new URL(path, serviceUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const patience = AbortSignal.timeout(MAX_ANSWER_MS);
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
      const response = await fetchFrom(url, init);
      const body: unknown = await response.json();
      // Every answer of the interface has it, and no other server does.
      if (typeof body !== 'object' || body === null || !('api_version' in body)) {
        throw new Error(`an answer of another kind, HTTP ${response.status}`);
      }
      return body as Body;
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ServiceUnreachable(`No answer of a Staywire service from ${serviceUrl.origin}.`, {
        cause: error,
      });
    }
  }

  const network = async (signal?: AbortSignal): Promise<NetworkFacts> => {
    const { name, sources, picture_hosts = [] } = await call<EntryBody>('/', signal ? { signal } : {});
    return { name, sources, pictureHosts: picture_hosts };
  };

  return {
    network: () => network(),
    connect: ({ signal }) =>
      ({
        open: (source, key) => call(PATHS.auth, { body: source === null ? {} : { source }, key, signal }),
        search: (session, values, key) =>
          call(PATHS.search, { query: { session }, body: values, key, signal }),
        result: (session, view) => call(PATHS.result, { query: { session, view }, signal }),
        network: () => network(signal),
      }) satisfies InterfaceCalls,
  };
}
