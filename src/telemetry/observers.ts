import type { CollectOutcomesObserver } from '../analytics/bookings/collect-outcomes.ts';
import type { SnapshotReadingObserver } from '../availability/snapshot/open-index.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { QuoteObserver } from '../quotes/ask-operator.ts';
import type { FinishedRequest, OperationObserver, RequestObserver } from '../requests/request-observer.ts';
import { StorageFailure, type StorageFailureKind } from '../sessions/storage-failure.ts';
import type { SnapshotObserver } from '../sync/index-snapshots.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';
import type { AuditLogObserver } from './audit/audit-log.ts';
import { auditEntry, type RecordAudit } from './audit/audit-record.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** The same fault is in every answer until its operator corrects it. */
const NOT_SHOWN_LOG_PAUSE_MS = 3_600_000;
const MAX_LISTED = 20;

export function createQuoteObserver({
  metrics,
  log,
  clock,
  brands,
  recorder,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Counts for the owner's console. */
  readonly recorder?: Pick<QuoteObserver, 'call'>;
  /** The brands whose breakers are shown from the start. */
  readonly brands: Iterable<BrandId>;
}): QuoteObserver {
  for (const brand of brands) showBreaker(brand, 'closed');
  const loggedAt = new Map<string, number>();

  function isDue(key: string): boolean {
    const now = clock.elapsed();
    if (now - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < NOT_SHOWN_LOG_PAUSE_MS) return false;
    loggedAt.set(key, now);
    return true;
  }

  function showBreaker(brand: BrandId, current: string): void {
    for (const state of ['closed', 'half_open', 'open']) {
      metrics.set('breaker', { brand, state }, state === current ? 1 : 0);
    }
  }

  return {
    call(brand, milliseconds, counts) {
      const { quoted, unavailable, failures } = counts;
      for (const [outcome, homes] of [
        ['quoted', quoted],
        ['unavailable', unavailable],
        ...failures,
      ] as const) {
        if (homes > 0) metrics.count('quotes', { brand, outcome }, homes);
      }
      metrics.time('quoteCall', { brand }, milliseconds / 1000);
      recorder?.call(brand, milliseconds, counts);
    },
    breaker(brand, state) {
      showBreaker(brand, state);
      log.warn({ brand, state }, 'circuit breaker changed');
    },
    breakdownsNotShown(brand, fault, references) {
      metrics.count('breakdownsNotShown', { brand, fault }, references.length);
      if (!isDue(`${brand} ${fault}`)) return;
      log.warn(
        { brand, fault, references: references.slice(0, MAX_LISTED) },
        'breakdowns of prices not shown',
      );
    },
    policiesNotShown(brand, references) {
      metrics.count('policiesNotShown', { brand }, references.length);
      if (!isDue(brand)) return;
      log.warn({ brand, references: references.slice(0, MAX_LISTED) }, 'policies of prices not shown');
    },
    fault: (brand, error) => log.error({ brand, err: error }, 'booking system failed unexpectedly'),
  };
}

/** Does not log the totals themselves: an operator may have crafted them for the log's readers. */
export function createImplausibleObserver({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): (brand: BrandId, properties: readonly PropertyId[]) => void {
  return (brand, properties) => {
    metrics.count('implausibleTotals', { brand }, properties.length);
    log.warn(
      { brand, count: properties.length, properties: properties.slice(0, MAX_LISTED) },
      'totals that cannot be true were left out',
    );
  };
}

const MAX_PATH_LENGTH = 120;
const MAX_REJECTIONS_LISTED = 50;

export function createSyncObserver({
  metrics,
  log,
  recorder,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
  /** Counts for the owner's console. */
  readonly recorder?: Pick<SyncObserver, 'refreshed' | 'failed'>;
}): SyncObserver {
  const reported = new Map<BrandId, string>();
  return {
    refreshed(brand, milliseconds, properties, rejections, notListed) {
      const notOffered = rejections.filter(({ repaired = false }) => !repaired).length + notListed;
      metrics.count('refreshes', { brand, outcome: 'succeeded' });
      metrics.time('refresh', { brand }, milliseconds / 1000);
      metrics.set('brandProperties', { brand, state: 'offered' }, properties);
      metrics.set('brandProperties', { brand, state: 'held_back' }, notOffered);
      log.info(
        { brand, duration_ms: Math.round(milliseconds), properties, held_back: notOffered },
        'brand read',
      );
      // Logged once and whenever it changes, so that the owner can ask the operator to correct the listing.
      const report = JSON.stringify(rejections);
      if (rejections.length > 0 && reported.get(brand) !== report) {
        log.warn(
          { brand, listings: rejections.slice(0, MAX_REJECTIONS_LISTED).map(withoutValue) },
          'listings held back or repaired',
        );
      }
      reported.set(brand, report);
      recorder?.refreshed(brand, milliseconds, properties, rejections, notListed);
    },
    failed(brand, kind, error) {
      metrics.count('refreshes', { brand, outcome: kind });
      log.warn({ brand, kind, err: error }, 'brand could not be read');
      recorder?.failed(brand, kind, error);
    },
    paused(brand, milliseconds) {
      metrics.count('syncPauses', { brand });
      log.info(
        { brand, pause_ms: Math.round(milliseconds) },
        'brand is read on later, as its booking system asks',
      );
    },
    withdrawn(brand, properties) {
      log.warn(
        { brand, properties },
        'calendars have become too old and are not on offer until they are read',
      );
    },
    dateNotFollowed: (error) => log.error({ err: error }, 'homes did not follow the date'),
    clockWasSet(from, to) {
      log.warn(
        { from: new Date(from).toISOString().slice(0, 10), to: new Date(to).toISOString().slice(0, 10) },
        'the clock of the machine was set, or the machine slept: all homes are loaded from the store again, and their calendars read anew',
      );
    },
    indexFull(brand, calendars) {
      log.error({ brand, calendars }, 'the index has no memory for more: calendars are not on offer');
    },
    loaded(properties, milliseconds) {
      log.info(loadedFacts(properties, milliseconds), 'stored homes loaded');
    },
    storedRejections(brand, rejections) {
      log.warn(
        {
          brand,
          held_back: rejections.length,
          listings: rejections.slice(0, MAX_REJECTIONS_LISTED).map(withoutValue),
        },
        'stored listings held back',
      );
    },
    storeFailed(error) {
      metrics.count('storeFailures', {});
      log.error({ err: error }, 'inventory could not be stored');
    },
    controlsNotRead(error) {
      log.error(
        { err: error },
        'whether brands are paused cannot be read: what is known of it goes on to count, and it is tried every second',
      );
    },
  };
}

function loadedFacts(properties: number, milliseconds: number) {
  const perSecond = Math.round((properties * 1000) / Math.max(1, milliseconds));
  return { properties, duration_ms: Math.round(milliseconds), per_second: perSecond };
}

/** The operator's text stays in the stored report for the operator, and out of the log. */
function withoutValue({ value: _, ...held }: Rejection): Omit<Rejection, 'value'> {
  return held;
}

/** Logs the use of the file from which a start loads the index. */
export function createSnapshotObserver(log: Log): SnapshotObserver & SnapshotReadingObserver {
  return {
    read(bytes, milliseconds) {
      log.info({ bytes, duration_ms: Math.round(milliseconds) }, 'snapshot of the index read');
    },
    refused(reason) {
      log.warn({ reason }, 'the snapshot of the index is not used, and all stored homes are loaded');
    },
    written(bytes, milliseconds) {
      log.info({ bytes, duration_ms: Math.round(milliseconds) }, 'snapshot of the index written');
    },
    failed(error) {
      log.error({ err: error }, 'the snapshot of the index could not be written');
    },
  };
}

/** Logs the collection of bookings. */
export function createOutcomesObserver(log: Log): CollectOutcomesObserver {
  return {
    collected(brand, { bookings, leftOut, tooMany }) {
      log.debug({ brand, bookings }, 'bookings read');
      if (leftOut > 0)
        log.warn(
          { brand, bookings, left_out: leftOut },
          'bookings that could not be understood were left out',
        );
      if (tooMany > 0)
        log.warn(
          { brand, bookings, left_out: tooMany },
          'more bookings were reported than are taken at once or kept of a brand',
        );
    },
    failed(brand, failure) {
      const kind = failure instanceof BookingSystemFailure ? failure.kind : 'store';
      log.warn({ brand, kind, err: failure }, 'bookings could not be collected');
    },
  };
}

/** Logs the events of the audit log, above all the last hash of each file: a copy outside its folder. */
export function createAuditLogObserver({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): AuditLogObserver {
  return {
    closed: (file, hash) => log.info({ file, anchor: hash }, 'file of the audit log ended'),
    torn: (file, bytes) =>
      log.warn({ file, bytes }, 'file of the audit log has a torn end, and the next one says so'),
    damaged: (file, line) =>
      log.error(
        { file, line },
        'file of the audit log is not as it was written; it is left as it is, and staywire audit verify names the line',
      ),
    pruned: (files) => log.warn({ files }, 'files of the audit log deleted because of their age or size'),
    failed: (error) =>
      log.error({ err: error }, 'the audit log cannot be written; requests are answered all the same'),
    lost(records) {
      metrics.count('auditLost', {}, records);
      log.error({ records }, 'records of the audit log were lost');
    },
  };
}

/** Logs failures of counting for the owner's console. */
export function createActivityObserver({ metrics, log }: { readonly metrics: Metrics; readonly log: Log }) {
  return {
    onFailure: (error: unknown) =>
      log.error({ err: error }, 'what was counted could not be stored; it waits, and is tried again'),
    onLost(counts: number) {
      metrics.count('activityLost', {}, counts);
      log.error({ counts }, 'counts were lost, because too many wait for the store');
    },
  };
}

export function createOperationObserver({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): OperationObserver {
  return {
    served(operation, { error, replayed }) {
      // The outcome of a replay was counted when the request was carried out.
      if (operation === 'search') {
        metrics.count('step', { outcome: replayed ? 'replayed' : (error ?? 'complete') });
      }
    },
    abandoned(operation) {
      if (operation === 'search') metrics.count('step', { outcome: 'abandoned' });
    },
    fault: ({ id }, fault) => reportFault(fault, id, metrics, log),
  };
}

/** Called once at the end of every request: counts it, logs it and records who did what. */
export function createRequestObserver({
  metrics,
  log,
  audit,
  count,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
  /** Of requests that need access. Public pages are not recorded. */
  readonly audit?: RecordAudit | undefined;
  /** For the owner's console. */
  readonly count?: ((request: FinishedRequest) => void) | undefined;
}): RequestObserver {
  return {
    finished(request) {
      const { operation, status, error, access, durationMs } = request;
      metrics.count('request', { operation, status: String(status), error: error ?? 'none' });
      // Without an answer there is no time to it.
      if (error !== 'abandoned') metrics.time('answer', { operation }, durationMs / 1000);
      if (access?.kind === 'refused') metrics.count('callerRefused', { cause: access.cause });
      if (log.isLevelEnabled('info')) log.info(requestLine(request), 'request');
      if (audit && access) audit(auditEntry(request, access));
      count?.(request);
    },
    fault: (fault, requestId) => reportFault(fault, requestId, metrics, log),
  };
}

/** Transient failures, which do not indicate a defect. */
const PASSING: ReadonlySet<StorageFailureKind> = new Set(['unreachable', 'overloaded', 'busy']);

function reportFault(fault: unknown, requestId: string, metrics: Metrics, log: Log): void {
  if (fault instanceof StorageFailure) metrics.count('storeFailures', {});
  // An unreachable server may cause thousands in a second, so the log line is short.
  if (fault instanceof StorageFailure && PASSING.has(fault.kind)) {
    log.warn({ request_id: requestId, kind: fault.kind }, `request failed: ${fault.message}`);
    return;
  }
  log.error({ request_id: requestId, err: fault }, 'request failed');
}

/** The path is cut where a query could begin, because queries hold tokens and keys. */
export function requestLine(request: FinishedRequest) {
  const { requestId, operation, method, status, error, replayed, assistant, durationMs } = request;
  return {
    request_id: requestId,
    operation,
    method,
    // Some clients percent-encode the whole query with its separator.
    path: (request.path.split(/[?#;]|%3f|%23|%3b/i, 1)[0] ?? '').slice(0, MAX_PATH_LENGTH),
    status,
    error,
    ...(replayed ? { replayed } : {}),
    assistant,
    duration_ms: Math.round(durationMs * 10) / 10,
  };
}
