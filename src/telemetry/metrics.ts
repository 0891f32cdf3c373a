import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RefusalCause } from '../access/caller-facts.ts';
import type { PublishedAddress } from '../access/published/published-document.ts';
import type { DocumentStatus } from '../access/published/published-documents.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { OperationName } from '../contract/operations.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { BreakdownFault } from '../quotes/booking-system.ts';
import type { StoreServer } from '../sessions/storage-failure.ts';

/** Label values come from closed sets or the network file, never from callers, so the number of time series is bounded. */
export type Metrics = {
  request(facts: RequestSample): void;
  callerRefused(cause: RefusalCause): void;
  /** `replayed` for a repeated key, `abandoned` when the client had gone, otherwise `complete` or the error code. */
  step(outcome: 'complete' | 'replayed' | 'abandoned' | ErrorCode): void;
  shed(kind: string): void;
  quoteCall(brand: BrandId, seconds: number, counts: QuoteCounts): void;
  /** Quotes that were counted as given, but rejected as implausible. */
  implausibleTotals(brand: BrandId, count: number): void;
  breakdownsNotShown(brand: BrandId, fault: BreakdownFault, count: number): void;
  policiesNotShown(brand: BrandId, count: number): void;
  breaker(brand: BrandId, state: 'closed' | 'open' | 'half_open'): void;
  syncSucceeded(brand: BrandId, facts: SyncFacts): void;
  syncFailed(brand: BrandId, kind: FailureKind): void;
  syncPaused(brand: BrandId): void;
  storeFailed(): void;
  /** Records of the audit log that were never written. */
  auditLost(records: number): void;
  /** Counts of the console that were never stored. */
  activityLost(counts: number): void;
  /** An answered command to a server of the store, or a transaction. */
  storeCommand(server: StoreServer, seconds: number): void;
  /** `conflict`: the session was changed meanwhile; `taken`: another request was about to change it. */
  sessionContended(outcome: 'conflict' | 'taken'): void;
  /** `same` and `changed`, or why it failed. */
  publishedFetched(address: PublishedAddress, outcome: string): void;
  /** Whether the latest registry that the owner wrote is in force. */
  registryInForce(isInForce: boolean): void;
  /** Adds gauges that are read at each scrape. A later call replaces a gauge of the same name. */
  watch(readings: Partial<Readings>): void;
  render(): Promise<string>;
  readonly contentType: string;
};

export type RequestSample = {
  /** `other` for addresses outside the interface. */
  readonly operation: OperationName | 'entry' | 'mcp' | 'other';
  readonly status: number;
  readonly error: ErrorCode | 'abandoned' | null;
  readonly seconds: number;
};

export type QuoteCounts = {
  readonly quoted: number;
  readonly unavailable: number;
  readonly failures: ReadonlyMap<FailureKind | 'abandoned', number>;
};

export type SyncFacts = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly seconds: number;
  readonly properties: number;
  readonly rejections: number;
};

export type Readings = {
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

export type BrandReadings = {
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

const ANSWER_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 0.5, 1, 5];
const OPERATOR_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 6, 8];
const REFRESH_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 120];
const BREAKER_STATES = ['closed', 'half_open', 'open'] as const;

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
  let readings: Partial<Readings> = {};
  const brandGauges: { gauge: Gauge<'brand'>; valueIn: (readings: BrandReadings) => number | null }[] = [];

  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });

  /** Counts in a map until a scrape: prom-client's lookup by labels takes 2 % of the time of a result that is read. */
  const tally = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => {
    const counts = new Map<string, { readonly labels: Record<Label, string>; count: number }>();
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { labels, count } of counts.values()) this.inc(labels, count);
      },
    });
    return (labels: Record<Label, string>, key: string) => {
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { labels, count: 1 });
    };
  };

  const requests = tally(
    'staywire_http_requests_total',
    'Requests, by operation, HTTP status and error code ("none" when there was no error). 499 and "abandoned": the client had gone.',
    ['operation', 'status', 'error'],
  );
  const answerTimes = new Histogram({
    name: 'staywire_http_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['operation'],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  const refusedCallers = counter(
    'staywire_refused_callers_total',
    'Requests whose caller was refused with 403, by cause: unknown_caller, suspended, browser, other_host, unknown_address, invalid_signature or replayed_signature.',
    ['cause'],
  );
  const steps = counter('staywire_search_steps_total', 'Steps of the guided search, by what came of them.', [
    'outcome',
  ]);
  const shed = counter(
    'staywire_shed_requests_total',
    'Requests that were refused because the service was busy.',
    ['kind'],
  );
  const quotes = counter(
    'staywire_quotes_total',
    'Properties asked for a live price, by brand and outcome: quoted, unavailable, or why there was no answer.',
    ['brand', 'outcome'],
  );
  const implausible = counter(
    'staywire_implausible_totals_total',
    'Live totals that were left out because they cannot be true, by brand.',
    ['brand'],
  );
  const breakdowns = counter(
    'staywire_breakdowns_not_shown_total',
    'Breakdowns of live prices that were given but not shown, by brand and fault: a label that was held back, labels that are too long together, or lines that do not add up.',
    ['brand', 'fault'],
  );
  const policies = counter(
    'staywire_policies_not_shown_total',
    'Live prices whose own cancellation policy was given but held back, by brand.',
    ['brand'],
  );
  const quoteTimes = new Histogram({
    name: 'staywire_quote_call_seconds',
    help: 'Time of a call for live prices, by brand.',
    labelNames: ['brand'],
    buckets: OPERATOR_BUCKETS,
    registers,
  });
  const breakers = new Gauge({
    name: 'staywire_breaker_state',
    help: '1 for the state in which the circuit breaker of a brand is.',
    labelNames: ['brand', 'state'],
    registers,
  });
  const refreshes = counter(
    'staywire_sync_refreshes_total',
    'Readings of a brand’s catalogue and calendars, by outcome: succeeded, or why it failed.',
    ['brand', 'outcome'],
  );
  const refreshTimes = new Histogram({
    name: 'staywire_sync_refresh_seconds',
    help: 'Time of a successful reading of a brand.',
    labelNames: ['brand'],
    buckets: REFRESH_BUCKETS,
    registers,
  });
  const pauses = counter(
    'staywire_sync_pauses_total',
    'Pauses in reading a brand because its booking system asked for fewer requests.',
    ['brand'],
  );
  const lastSuccess = watchedByBrand(
    'staywire_sync_last_success_timestamp_seconds',
    'When a brand was last read completely, also before the start.',
    ({ lastSuccessAt }) => lastSuccessAt && lastSuccessAt / 1000,
  );
  watchedByBrand(
    'staywire_sync_oldest_calendar_seconds',
    'Age of the oldest calendar of a brand by which homes are offered.',
    ({ oldestCalendarMs }) => oldestCalendarMs && oldestCalendarMs / 1000,
  );
  watchedByBrand(
    'staywire_sync_calendars_waiting',
    'Calendars of a brand that are still to be read: a run did not get to them, or they are too old to be offered.',
    ({ calendarsWaiting }) => calendarsWaiting,
  );
  watchedByBrand(
    'staywire_brand_leading',
    '1 on the node that reads a brand from its operator, 0 on those that follow it.',
    ({ leads }) => Number(leads),
  );
  watchedByBrand(
    'staywire_brand_paused',
    '1 while the owner has paused a brand: its homes are not on offer, and its operator is not asked.',
    ({ pausedAt }) => Number(pausedAt !== null),
  );
  const brandProperties = new Gauge({
    name: 'staywire_sync_properties',
    help: 'Properties of a brand after its last reading: on offer, or held back because of what they say.',
    labelNames: ['brand', 'state'],
    registers,
  });
  const storeFailures = counter('staywire_store_failures_total', 'Changes that the store did not take.');
  const auditLost = counter(
    'staywire_audit_records_lost_total',
    'Records of the audit log that could not be written, or were taken away with their file while it was open. The log itself says how many, once it can be written again.',
  );
  const activityLost = counter(
    'staywire_activity_lost_total',
    'Counts for the owner’s console that were left out because too many waited for the store.',
  );
  const storeTimes = new Histogram({
    name: 'staywire_store_command_seconds',
    help: 'Time of a command to a server of the store, or of a transaction, that was answered.',
    labelNames: ['store'],
    buckets: STORE_BUCKETS,
    registers,
  });
  const contended = counter(
    'staywire_session_contention_total',
    'Changes of a session that came upon another change of it, perhaps on another node: they found it changed (conflict) or about to be (taken), and began again.',
    ['outcome'],
  );
  new Gauge({
    name: 'staywire_store_up',
    help: '1 while a server of the store can be reached, 0 while it cannot.',
    labelNames: ['store'],
    registers,
    collect() {
      for (const [store, isUp] of Object.entries(readings.storeServers?.() ?? {}))
        this.set({ store }, isUp ? 1 : 0);
    },
  });
  const registryInForce = new Gauge({
    name: 'staywire_registry_in_force',
    help: '1 while the registry of assistants is in force as the owner wrote it last, 0 while it has faults or cannot be read and the one before holds.',
    registers,
  });
  registryInForce.set(1);
  const publishedFetches = counter(
    'staywire_published_fetches_total',
    'Fetches of lists and keys that assistants publish, by kind, address and outcome: same, changed, or why it failed.',
    ['kind', 'address', 'outcome'],
  );
  watchedByDocument(
    'staywire_published_age_seconds',
    'How long ago a published list or key set was last confirmed by its publisher, also before the start.',
    ({ ageMs }) => ageMs && ageMs / 1000,
  );
  watchedByDocument(
    'staywire_published_usable',
    '1 while assistants are recognised by a published list or key set, 0 while there is no copy or it is too old.',
    ({ isTooOld }) => (isTooOld ? 0 : 1),
  );
  watched('staywire_ledger_queue', 'Quotes that wait on this node for the ledger.', 'ledgerQueue');
  watched('staywire_ledger_queue_bytes', 'Size of the files in which they wait.', 'ledgerQueueBytes');
  watched('staywire_cluster_nodes', 'Nodes that are alive, as this one sees it.', 'liveNodes');
  watched('staywire_http_requests_in_flight', 'Requests under way.', 'requestsInFlight');
  watched('staywire_index_properties', 'Properties in the availability index.', 'indexedProperties');
  watched('staywire_index_bytes', 'Memory that the availability index uses.', 'indexBytes');
  watched(
    'staywire_index_age_seconds',
    'How long ago it was known that the index misses nothing which other nodes have stored.',
    'indexAgeMs',
    (milliseconds) => milliseconds / 1000,
  );
  watched('staywire_store_queue', 'Changes that wait to be stored.', 'storeQueue');
  watched('staywire_store_bytes', 'Size of the files of the store.', 'storeBytes');

  function watched(
    name: string,
    help: string,
    reading: Exclude<keyof Readings, 'brands' | 'storeServers' | 'published'>,
    shown = (value: number) => value,
  ): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const read = readings[reading];
        if (read) this.set(shown(read()));
        // A zero would look like a reading.
        else this.remove();
      },
    });
  }

  function watchedByDocument(
    name: string,
    help: string,
    valueIn: (status: DocumentStatus) => number | null,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: ['kind', 'address'],
      registers,
      collect() {
        // Drop documents that are no longer followed.
        this.reset();
        for (const status of readings.published?.() ?? []) {
          const value = valueIn(status);
          if (value !== null) this.set(labelsOf(status), value);
        }
      },
    });
  }

  function watchedByBrand(
    name: string,
    help: string,
    valueIn: (readings: BrandReadings) => number | null,
  ): Gauge<'brand'> {
    const gauge = new Gauge({ name, help, labelNames: ['brand'], registers });
    brandGauges.push({ gauge, valueIn });
    return gauge;
  }

  /** Read once for all gauges, because finding the oldest calendar of a brand visits all of its homes. */
  function readBrands(): void {
    for (const ofBrand of readings.brands?.() ?? []) {
      const { brand } = ofBrand;
      for (const { gauge, valueIn } of brandGauges) {
        const value = valueIn(ofBrand);
        if (value === null) gauge.remove({ brand });
        else gauge.set({ brand }, value);
      }
    }
  }

  return {
    request({ operation, status, error, seconds }) {
      const labels = { operation, status: String(status), error: error ?? 'none' };
      requests(labels, `${operation} ${status} ${labels.error}`);
      // Without an answer there is no time to it.
      if (error !== 'abandoned') answerTimes.observe({ operation }, seconds);
    },
    callerRefused: (cause) => refusedCallers.inc({ cause }),
    step: (outcome) => steps.inc({ outcome }),
    shed: (kind) => shed.inc({ kind }),
    quoteCall(brand, seconds, { quoted, unavailable, failures }) {
      if (quoted > 0) quotes.inc({ brand, outcome: 'quoted' }, quoted);
      if (unavailable > 0) quotes.inc({ brand, outcome: 'unavailable' }, unavailable);
      for (const [outcome, count] of failures) quotes.inc({ brand, outcome }, count);
      quoteTimes.observe({ brand }, seconds);
    },
    implausibleTotals: (brand, count) => implausible.inc({ brand }, count),
    breakdownsNotShown: (brand, fault, count) => breakdowns.inc({ brand, fault }, count),
    policiesNotShown: (brand, count) => policies.inc({ brand }, count),
    breaker(brand, current) {
      for (const state of BREAKER_STATES) breakers.set({ brand, state }, state === current ? 1 : 0);
    },
    syncSucceeded(brand, { at, seconds, properties, rejections }) {
      refreshes.inc({ brand, outcome: 'succeeded' });
      refreshTimes.observe({ brand }, seconds);
      lastSuccess.set({ brand }, at / 1000);
      brandProperties.set({ brand, state: 'offered' }, properties);
      brandProperties.set({ brand, state: 'held_back' }, rejections);
    },
    syncFailed: (brand, outcome) => refreshes.inc({ brand, outcome }),
    syncPaused: (brand) => pauses.inc({ brand }),
    storeFailed: () => storeFailures.inc(),
    auditLost: (records) => auditLost.inc(records),
    activityLost: (counts) => activityLost.inc(counts),
    storeCommand: (store, seconds) => storeTimes.observe({ store }, seconds),
    sessionContended: (outcome) => contended.inc({ outcome }),
    registryInForce: (isInForce) => registryInForce.set(isInForce ? 1 : 0),
    publishedFetched: (address, outcome) => publishedFetches.inc({ ...labelsOf(address), outcome }),
    watch(more) {
      readings = { ...readings, ...more };
    },
    async render() {
      readBrands();
      return `${await sharedRegistry.metrics()}\n${await registry.metrics()}`;
    },
    contentType: registry.contentType,
  };
}

/** Without the query, which may hold a secret. */
function labelsOf({ kind, url }: PublishedAddress) {
  return { kind, address: url.replace(/[?#].*/s, '') };
}
