import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PublishedAddress } from '../access/published/published-document.ts';
import type { DocumentStatus } from '../access/published/published-documents.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { StoreServer } from '../sessions/storage-failure.ts';

/** Label values come from closed sets or the network file, never from callers, so the number of time series is bounded. */
export type Metrics = {
  count<Name extends keyof typeof COUNTERS>(
    name: Name,
    labels: LabelsOf<typeof COUNTERS, Name>,
    by?: number,
  ): void;
  time<Name extends keyof typeof TIMES>(
    name: Name,
    labels: LabelsOf<typeof TIMES, Name>,
    seconds: number,
  ): void;
  set<Name extends keyof typeof STATES>(
    name: Name,
    labels: LabelsOf<typeof STATES, Name>,
    value: number,
  ): void;
  /** Adds gauges that are read at each scrape. A later call replaces a reading of the same name. */
  watch(readings: Partial<Readings>): void;
  render(): Promise<string>;
  readonly contentType: string;
};

type Table = Readonly<
  Record<string, readonly [name: string, help: string, labels: readonly string[], ...rest: unknown[]]>
>;
type LabelsOf<Metric extends Table, Name extends keyof Metric> = Readonly<
  Record<Metric[Name][2][number], string>
>;

const COUNTERS = {
  request: [
    'staywire_http_requests_total',
    'Requests, by operation, HTTP status and error code ("none" when there was no error). 499 and "abandoned": the client had gone.',
    ['operation', 'status', 'error'],
  ],
  callerRefused: [
    'staywire_refused_callers_total',
    'Requests whose caller was refused with 403, by cause: unknown_caller, suspended, browser, other_host, unknown_address, invalid_signature or replayed_signature.',
    ['cause'],
  ],
  /** `replayed` for a repeated key, `abandoned` when the client had gone, otherwise `complete` or the error code. */
  step: ['staywire_search_steps_total', 'Steps of the guided search, by what came of them.', ['outcome']],
  shed: [
    'staywire_shed_requests_total',
    'Requests that were refused because the service was busy.',
    ['kind'],
  ],
  quotes: [
    'staywire_quotes_total',
    'Properties asked for a live price, by brand and outcome: quoted, unavailable, or why there was no answer.',
    ['brand', 'outcome'],
  ],
  implausibleTotals: [
    'staywire_implausible_totals_total',
    'Live totals that were left out because they cannot be true, by brand.',
    ['brand'],
  ],
  breakdownsNotShown: [
    'staywire_breakdowns_not_shown_total',
    'Breakdowns of live prices that were given but not shown, by brand and fault: a label that was held back, labels that are too long together, or lines that do not add up.',
    ['brand', 'fault'],
  ],
  policiesNotShown: [
    'staywire_policies_not_shown_total',
    'Live prices whose own cancellation policy was given but held back, by brand.',
    ['brand'],
  ],
  refreshes: [
    'staywire_sync_refreshes_total',
    'Readings of a brand’s catalogue and calendars, by outcome: succeeded, or why it failed.',
    ['brand', 'outcome'],
  ],
  syncPauses: [
    'staywire_sync_pauses_total',
    'Pauses in reading a brand because its booking system asked for fewer requests.',
    ['brand'],
  ],
  storeFailures: ['staywire_store_failures_total', 'Changes that the store did not take.', []],
  auditLost: [
    'staywire_audit_records_lost_total',
    'Records of the audit log that could not be written. The log itself says how many, once it can be written again.',
    [],
  ],
  activityLost: [
    'staywire_activity_lost_total',
    'Counts for the owner’s console that were left out because too many waited for the store.',
    [],
  ],
  sessionContention: [
    'staywire_session_contention_total',
    'Changes of a session that came upon another change of it, perhaps on another node: they found it changed (conflict) or about to be (taken), and began again.',
    ['outcome'],
  ],
  publishedFetches: [
    'staywire_published_fetches_total',
    'Fetches of lists and keys that assistants publish, by kind, address and outcome: same, changed, or why it failed.',
    ['kind', 'address', 'outcome'],
  ],
} as const satisfies Table;

const TIMES = {
  answer: [
    'staywire_http_request_seconds',
    'Time from request to answer.',
    ['operation'],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ],
  quoteCall: [
    'staywire_quote_call_seconds',
    'Time of a call for live prices, by brand.',
    ['brand'],
    [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 6, 8],
  ],
  refresh: [
    'staywire_sync_refresh_seconds',
    'Time of a successful reading of a brand.',
    ['brand'],
    [0.1, 0.5, 1, 5, 15, 60, 120],
  ],
  storeCommand: [
    'staywire_store_command_seconds',
    'Time of a command to a server of the store, or of a transaction, that was answered.',
    ['store'],
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 0.5, 1, 5],
  ],
} as const satisfies Table;

const STATES = {
  breaker: [
    'staywire_breaker_state',
    '1 for the state in which the circuit breaker of a brand is.',
    ['brand', 'state'],
  ],
  brandProperties: [
    'staywire_sync_properties',
    'Properties of a brand after its last reading: on offer, or held back because of what they say.',
    ['brand', 'state'],
  ],
  registryInForce: [
    'staywire_registry_in_force',
    '1 while the registry of assistants is in force as the owner wrote it last, 0 while it has faults or cannot be read and the one before holds.',
    [],
  ],
} as const satisfies Table;

type Readings = {
  readonly requestsInFlight: () => number;
  readonly indexedProperties: () => number;
  readonly indexBytes: () => number;
  readonly indexAgeMs: () => number;
  readonly brands: () => readonly BrandReadings[];
  readonly storeQueue: () => number;
  readonly storeBytes: () => number;
  /** Whether the servers of the store can be reached. */
  readonly storeServers: () => Readonly<Partial<Record<StoreServer, boolean>>>;
  /** Quotes that wait here for the ledger. */
  readonly ledgerQueue: () => number;
  readonly ledgerQueueBytes: () => number;
  readonly liveNodes: () => number;
  /** The published documents that this node follows. */
  readonly published: () => readonly DocumentStatus[];
};

type BrandReadings = {
  readonly brand: BrandId;
  /** Whether this node reads it from its operator. */
  readonly leads: boolean;
  /** Epoch milliseconds; null unless paused. */
  readonly pausedAt: number | null;
  /** Epoch milliseconds; null before the first complete reading. */
  readonly lastSuccessAt: number | null;
  readonly oldestCalendarMs: number | null;
  readonly calendarsWaiting: number;
};

/** What was read for a scrape: each reading once, because finding the oldest calendar of a brand visits all of its homes. */
type Taken = { readonly [Name in keyof Readings]?: ReturnType<Readings[Name]> };
type Series = readonly (readonly [
  labels: Readonly<Record<string, string>>,
  value: number | null | undefined,
])[];

const inSeconds = (milliseconds: number | null | undefined) => milliseconds && milliseconds / 1000;
const alone = (value: number | undefined): Series => [[{}, value]];
const byBrand = ({ brands = [] }: Taken, read: (brand: BrandReadings) => number | null): Series =>
  brands.map((one) => [{ brand: one.brand }, read(one)]);
const byDocument = (
  { published = [] }: Taken,
  read: (status: DocumentStatus) => number | null | undefined,
): Series => published.map((one) => [publishedLabels(one), read(one)]);

/** A reading that is not known has no series: a zero would look like one. */
const READ_AT_SCRAPE: readonly (readonly [
  name: string,
  help: string,
  labels: readonly string[],
  (taken: Taken) => Series,
])[] = [
  [
    'staywire_sync_last_success_timestamp_seconds',
    'When a brand was last read completely, also before the start.',
    ['brand'],
    (taken) => byBrand(taken, ({ lastSuccessAt }) => inSeconds(lastSuccessAt) ?? null),
  ],
  [
    'staywire_sync_oldest_calendar_seconds',
    'Age of the oldest calendar of a brand by which homes are offered.',
    ['brand'],
    (taken) => byBrand(taken, ({ oldestCalendarMs }) => inSeconds(oldestCalendarMs) ?? null),
  ],
  [
    'staywire_sync_calendars_waiting',
    'Calendars of a brand that are still to be read: a run did not get to them, or they are too old to be offered.',
    ['brand'],
    (taken) => byBrand(taken, ({ calendarsWaiting }) => calendarsWaiting),
  ],
  [
    'staywire_brand_leading',
    '1 on the node that reads a brand from its operator, 0 on those that follow it.',
    ['brand'],
    (taken) => byBrand(taken, ({ leads }) => Number(leads)),
  ],
  [
    'staywire_brand_paused',
    '1 while the owner has paused a brand: its homes are not on offer, and its operator is not asked.',
    ['brand'],
    (taken) => byBrand(taken, ({ pausedAt }) => Number(pausedAt !== null)),
  ],
  [
    'staywire_store_up',
    '1 while a server of the store can be reached, 0 while it cannot.',
    ['store'],
    ({ storeServers = {} }) => Object.entries(storeServers).map(([store, isUp]) => [{ store }, Number(isUp)]),
  ],
  [
    'staywire_published_age_seconds',
    'How long ago a published list or key set was last confirmed by its publisher, also before the start.',
    ['kind', 'address'],
    (taken) => byDocument(taken, ({ ageMs }) => inSeconds(ageMs)),
  ],
  [
    'staywire_published_usable',
    '1 while assistants are recognised by a published list or key set, 0 while there is no copy or it is too old.',
    ['kind', 'address'],
    (taken) => byDocument(taken, ({ isTooOld }) => (isTooOld ? 0 : 1)),
  ],
  [
    'staywire_ledger_queue',
    'Quotes that wait on this node for the ledger.',
    [],
    (taken) => alone(taken.ledgerQueue),
  ],
  [
    'staywire_ledger_queue_bytes',
    'Size of the files in which they wait.',
    [],
    (taken) => alone(taken.ledgerQueueBytes),
  ],
  [
    'staywire_cluster_nodes',
    'Nodes that are alive, as this one sees it.',
    [],
    (taken) => alone(taken.liveNodes),
  ],
  ['staywire_http_requests_in_flight', 'Requests under way.', [], (taken) => alone(taken.requestsInFlight)],
  [
    'staywire_index_properties',
    'Properties in the availability index.',
    [],
    (taken) => alone(taken.indexedProperties),
  ],
  [
    'staywire_index_bytes',
    'Memory that the availability index uses.',
    [],
    (taken) => alone(taken.indexBytes),
  ],
  [
    'staywire_index_age_seconds',
    'How long ago it was known that the index misses nothing which other nodes have stored.',
    [],
    ({ indexAgeMs }) => alone(indexAgeMs === undefined ? undefined : indexAgeMs / 1000),
  ],
  ['staywire_store_queue', 'Changes that wait to be stored.', [], (taken) => alone(taken.storeQueue)],
  ['staywire_store_bytes', 'Size of the files of the store.', [], (taken) => alone(taken.storeBytes)],
];

/** Event loop lag, memory and garbage collection. One registry for all services of a process, because the collectors cannot be removed. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Every series carries the name of the node, if it has one. */
export function createMetrics({ node }: { readonly node?: string } = {}): Metrics {
  const sharedRegistry = processMetrics();
  const registry = new Registry();
  for (const labelled of [sharedRegistry, registry])
    labelled.setDefaultLabels(node === undefined ? {} : { node });
  const registers = [registry];
  const counters = mapTable(
    COUNTERS,
    ([name, help, labelNames]) => new Counter({ name, help, labelNames, registers }),
  );
  const times = mapTable(
    TIMES,
    ([name, help, labelNames, buckets]) =>
      new Histogram({ name, help, labelNames, buckets: [...buckets], registers }),
  );
  const states = mapTable(
    STATES,
    ([name, help, labelNames]) => new Gauge({ name, help, labelNames, registers }),
  );
  states.registryInForce.set(1);
  const gauges = READ_AT_SCRAPE.map(([name, help, labelNames, read]) => ({
    gauge: new Gauge({ name, help, labelNames, registers }),
    isSingle: labelNames.length === 0,
    read,
  }));
  let readings: Partial<Readings> = {};

  return {
    count: (name, labels, by = 1) => counters[name].inc(labels, by),
    time: (name, labels, seconds) => times[name].observe(labels, seconds),
    set: (name, labels, value) => states[name].set(labels, value),
    watch(more) {
      readings = { ...readings, ...more };
    },
    async render() {
      const taken: Taken = Object.fromEntries(Object.entries(readings).map(([name, read]) => [name, read()]));
      for (const { gauge, isSingle, read } of gauges) {
        gauge.reset();
        const series = read(taken).filter(([, value]) => value !== null && value !== undefined);
        // It has no labels: a reset has set it to 0.
        if (series.length === 0 && isSingle) gauge.remove();
        for (const [labels, value] of series) gauge.set(labels, Number(value));
      }
      return `${await sharedRegistry.metrics()}\n${await registry.metrics()}`;
    },
    contentType: registry.contentType,
  };
}

function mapTable<Entries extends Table, Made>(
  table: Entries,
  make: (entry: Entries[keyof Entries]) => Made,
): Record<keyof Entries, Made> {
  const made = Object.entries(table).map(([key, entry]) => [key, make(entry as Entries[keyof Entries])]);
  return Object.fromEntries(made) as Record<keyof Entries, Made>;
}

/** Without the query, which may hold a secret. */
export function publishedLabels({ kind, url }: PublishedAddress) {
  return { kind, address: url.replace(/[?#].*/s, '') };
}
