import type { InjectOptions } from 'fastify';
import { type AssistantRegistry, registryFor } from '../../src/access/assistant-registry.ts';
import type { Clock } from '../../src/clock.ts';
import type { NetworkFile } from '../../src/network/network-file.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import { createLog } from '../../src/observe/log.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { systemRandom } from '../../src/random.ts';
import { createService, type ServiceSettings } from '../../src/service.ts';
import type { Storage } from '../../src/storage/open-storage.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { NOON } from './network.ts';

export type TestAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly raw: string;
  // Tests read bodies as a client would, and hold them against the schemas elsewhere.
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
};

export type TestService = {
  get(url: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  call(options: InjectOptions): Promise<TestAnswer>;
  /** The wall clock that the service sees. Timers run on real time. */
  readonly time: { now: number };
  readonly logLines: string[];
  readonly storage: Storage;
  readonly metrics: ReturnType<typeof createMetrics>;
  close(): Promise<void>;
};

export async function startTestService({
  network,
  settings = {},
  registry = registryFor(null, null),
  storage,
}: {
  readonly network: NetworkFile;
  readonly settings?: Partial<ServiceSettings>;
  readonly registry?: AssistantRegistry;
  readonly storage?: Storage;
}): Promise<TestService> {
  const networkSettings = describeNetwork(network, { env: {}, directory: '.' });
  if ('faults' in networkSettings) throw new Error(JSON.stringify(networkSettings.faults));
  const time = { now: NOON };
  // Timers wait for real answers over loopback; only what the service calls "now" is the test's.
  const clock: Clock = {
    now: () => time.now,
    after(milliseconds, action) {
      const timer = setTimeout(action, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  const logLines: string[] = [];
  const store = storage ?? (await openStorage({ store: 'memory', dataDirectory: '' }));
  const metrics = createMetrics();
  const service = createService({
    settings: {
      publicUrl: null,
      sessionMinutes: 30,
      maxOptions: 20,
      quoteDeadlineMilliseconds: 2000,
      trustedProxies: [],
      rateLimit: 600,
      rateWindowSeconds: 60,
      ...settings,
    },
    networkSettings,
    registry,
    sessions: store.sessions,
    inventory: store.inventory,
    clock,
    random: systemRandom,
    log: createLog({ level: 'debug', clock, destination: { write: (line) => void logLines.push(line) } }),
    metrics,
  });
  await service.start();

  async function call(options: InjectOptions): Promise<TestAnswer> {
    const response = await service.app.inject(options);
    const raw = response.payload;
    const isJson =
      String(response.headers['content-type'] ?? '').startsWith('application/json') && raw !== '';
    return {
      status: response.statusCode,
      headers: response.headers,
      raw,
      body: isJson ? JSON.parse(raw) : undefined,
    };
  }

  return {
    call,
    get: (url, headers = {}) => call({ method: 'GET', url, headers }),
    post: (url, body, headers = {}) =>
      call({
        method: 'POST',
        url,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    time,
    logLines,
    storage: store,
    metrics,
    close: async () => {
      await service.close();
      await store.close();
    },
  };
}
