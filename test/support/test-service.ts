import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import inject, { type InjectOptions } from 'light-my-request';
import type { AccessList } from '../../src/access/access-list.ts';
import { type AssistantRegistry, registryFor } from '../../src/access/registry/assistant-registry.ts';
import type { Resolver } from '../../src/access/reverse-dns.ts';
import type { ActivityStore } from '../../src/analytics/activity-store.ts';
import { composeService } from '../../src/app/compose.ts';
import type { BookingStores } from '../../src/app/service-parts.ts';
import type { Settings } from '../../src/app/settings.ts';
import type { Clock } from '../../src/clock.ts';
import type { Connector } from '../../src/connectors/connector.ts';
import { createInlineIntake } from '../../src/connectors/shared/intake/run-task.ts';
import type { NetworkFileFor } from '../../src/network/network-file.ts';
import { describeNetwork } from '../../src/network/read-network.ts';
import type { ClientSurroundings } from '../../src/outbound/http-client.ts';
import type { OwnIdentity } from '../../src/outbound/signing.ts';
import { LOOPBACK_NETWORKS } from '../../src/parsing/ip-address.ts';
import { type Random, systemRandom } from '../../src/random.ts';
import type { ServeOperation } from '../../src/requests/serve-operation.ts';
import type { RateRule } from '../../src/sessions/rate-windows.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type BrandControls, NO_CONTROLS } from '../../src/sync/brand-controls.ts';
import type { OperatorControls } from '../../src/sync/operator-controls.ts';
import type { RecordAudit } from '../../src/telemetry/audit/audit-record.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { accessListOf } from './access-list-of.ts';
import { checkAgainstContract } from './contract-check.ts';
import { DEFAULT_SETTINGS } from './default-settings.ts';
import { createFakeClock } from './fake-clock.ts';
import { NOON } from './network.ts';
import { TEST_NODES } from './per-node.ts';
import type { TestNodes } from './test-nodes.ts';

export type TestAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly raw: string;
  // Checked against its schema before a test sees it.
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
};

/** Checks every answer against the published contract, in every test. */
export type TestService = {
  get(url: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  call(options: InjectOptions): Promise<TestAnswer>;
  /** Time as the service sees it. Only a test moves it, so no test depends on how fast the machine is. */
  readonly time: {
    /** Setting it moves both clocks forward and fires no timer, as when a host was asleep. */
    now: number;
    /** Moves the wall clock alone, as a correction of the host's time does. */
    stepWallClock(milliseconds: number): void;
    /** Moves both clocks forward and fires due timers, such as deadlines and refreshes. */
    pass(milliseconds: number): Promise<void>;
  };
  /** Resolves when the next quote call to this brand has ended, successful or not. */
  nextQuoteCall(brand: string): Promise<void>;
  /** Resolves after the next complete refresh of this brand. */
  nextRefresh(brand: string): Promise<void>;
  /** Resolves when `count` requests are in flight and all of them wait for an operator. */
  requestsInFlight(count: number): Promise<void>;
  /** The event-loop lag that the service sees. */
  readonly load: { lagMs: number };
  /** Listens on a free loopback port, for tests that need a real connection. */
  listen(): Promise<string>;
  /** Every path, with its methods in the order of the alphabet. */
  routes(): ReadonlyMap<string, string>;
  /** To shorten the times of a connection, which Node measures itself. */
  readonly server: Server;
  readonly logLines: string[];
  readonly serveOperation: ServeOperation;
  /** Stores what was counted so far. */
  flushActivity(): Promise<void>;
  readonly storage: Storage;
  /** As the first node has it. */
  readonly operators: OperatorControls;
  readonly metrics: ReturnType<typeof createMetrics>;
  close(): Promise<void>;
};

export async function startTestService({
  network,
  connectors,
  env = {},
  settings: overrides = {},
  registry = registryFor(null, LOOPBACK_NETWORKS),
  accessList = accessListOf(registry),
  resolver,
  storage,
  now = NOON,
  random = systemRandom,
  waitForStart = true,
  lookUp,
  audit = () => {},
  activity = null,
  identity = null,
  controls,
  bookings = null,
}: {
  readonly network: NetworkFileFor<readonly Connector[]>;
  /** Kinds of booking systems allowed in the network file. */
  readonly connectors?: readonly Connector[];
  /** For the credentials of accounts. */
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly registry?: AssistantRegistry;
  /** In place of a registry, where assistants sign or the list changes. */
  readonly accessList?: () => AccessList;
  readonly resolver?: Resolver;
  readonly storage?: Storage;
  readonly now?: number;
  /** For recordings that must come out the same every time. */
  readonly random?: Random;
  /** False to test the service while it reads its brands for the first time. */
  readonly waitForStart?: boolean;
  /** How the names of operators' servers become addresses. */
  readonly lookUp?: ClientSurroundings['lookUp'];
  readonly audit?: RecordAudit;
  /** Where what is counted is kept; nothing is counted without it. */
  readonly activity?: Pick<ActivityStore, 'add'> | null;
  /** By which requests to operators are signed. */
  readonly identity?: OwnIdentity | null;
  /** What the owner decides about brands, for all nodes. */
  readonly controls?: BrandControls;
  /** Where bookings that operators report are kept; left out, nobody is asked for them. */
  readonly bookings?: BookingStores | null;
}): Promise<TestService> {
  const reading = describeNetwork(network, { env, directory: '.' }, connectors);
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));
  let settleStores = async () => {};
  const timers = createFakeClock(now, () => settleStores());
  let correction = 0;
  const clock: Clock = {
    now: () => timers.now() + correction,
    elapsed: () => timers.elapsed() + correction,
    after: timers.after,
  };
  const time: TestService['time'] = {
    get now() {
      return clock.now();
    },
    set now(moment) {
      if (moment < clock.now()) throw new Error('only the wall clock can go back: stepWallClock');
      correction = moment - timers.now();
    },
    stepWallClock: timers.stepWallClock,
    pass: timers.advance,
  };
  const load = { lagMs: 0 };
  const events = new EventEmitter();
  const logLines: string[] = [];
  const settings: Settings = { ...DEFAULT_SETTINGS, operatorNetworks: LOOPBACK_NETWORKS, ...overrides };
  const rateRule = { limit: settings.rateLimit, windowMs: settings.rateWindowSeconds * 1000 };
  const cluster = storage || TEST_NODES === 1 ? undefined : await openCluster(rateRule, clock);
  const stores = storage
    ? [storage]
    : (cluster?.stores ?? [await openMemoryStorage({ directory: '', rateRule })]);
  const [firstStore] = stores;
  if (!firstStore) throw new Error('there is no store');
  settleStores = cluster?.quiet ?? settleStores;
  const metrics = createMetrics();
  const countsInFlight: (() => number)[] = [];
  const allInFlight = () => countsInFlight.reduce((sum, inFlight) => sum + inFlight(), 0);
  const createNode = (store: Storage) =>
    composeService({
      settings,
      networkSettings: reading.value,
      identity,
      accessList,
      storage: { ...store, controls: controls ?? NO_CONTROLS },
      snapshot: null,
      activity,
      bookings,
      audit,
      clock: cluster?.clock ?? clock,
      random,
      log: createLog({ level: 'debug', clock, destination: { write: (line) => void logLines.push(line) } }),
      metrics: {
        ...metrics,
        watch(gauges) {
          if (gauges.requestsInFlight) countsInFlight.push(gauges.requestsInFlight);
          metrics.watch(gauges.requestsInFlight ? { ...gauges, requestsInFlight: allInFlight } : gauges);
        },
        time(name, labels, seconds) {
          metrics.time(name, labels, seconds);
          const { brand } = labels as { readonly brand?: string };
          if (brand !== undefined) events.emit(`${name === 'quoteCall' ? 'quotes' : 'refresh'} of ${brand}`);
        },
      },
      outside: {
        eventLoopLag: { milliseconds: () => load.lagMs, stop: () => {} },
        intake: createInlineIntake({ places: reading.value.network.places }),
        lookUp,
        ...(resolver && { resolver }),
      },
    });
  const [first, ...others] = stores.map(createNode);
  if (!first) throw new Error('there is no node');
  const nodes = [first, ...others];
  for (const node of nodes) {
    const starting = node.start();
    if (waitForStart) await starting;
  }
  let turn = 0;
  /** Each request goes to another node than the one before. */
  const nextNode = () => {
    turn += 1;
    return nodes[turn % nodes.length] ?? first;
  };

  async function call(options: InjectOptions): Promise<TestAnswer> {
    const node = nextNode();
    await cluster?.agreed();
    const {
      statusCode: status,
      headers,
      payload: raw,
    } = await inject((request, response) => node.app.server.emit('request', request, response), options);
    return { status, headers, raw, body: checkAgainstContract(options, { status, headers, raw }) };
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
    nextQuoteCall: async (brand) => void (await once(events, `quotes of ${brand}`)),
    nextRefresh: async (brand) => void (await once(events, `refresh of ${brand}`)),
    async requestsInFlight(count) {
      while (allInFlight() < count) await timers.settle();
      await timers.settle();
    },
    load,
    routes: () =>
      new Map([...first.app.routes].map(([path, { methods }]) => [path, methods.toSorted().join(' ')])),
    server: first.app.server,
    listen: () => first.app.listen({ port: 0, host: '127.0.0.1' }),
    logLines,
    operators: first.operators,
    async serveOperation(request) {
      const node = nextNode();
      await cluster?.agreed();
      return node.serveOperation(request);
    },
    flushActivity: async () => void (await Promise.all(nodes.map((node) => node.flushActivity()))),
    storage: firstStore,
    metrics,
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
      await (cluster ?? firstStore).close();
    },
  };
}

/** Loaded only where a run of the tests is about several nodes, because it starts the servers. */
async function openCluster(rateRule: RateRule, clock: Clock): Promise<TestNodes> {
  const { openTestNodes } = await import('./test-nodes.ts');
  return openTestNodes({ count: TEST_NODES, rateRule, clock });
}
