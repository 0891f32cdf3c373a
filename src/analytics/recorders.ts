import { LRUCache } from 'lru-cache';
import { type BrandId, brandOfProperty, type Network, type PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { PayloadField } from '../contract/payload-fields.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { QuoteObserver } from '../quotes/ask-operator.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import type { PriceSample } from '../quotes/learned-prices.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import { askedFields } from '../search/payload.ts';
import type { Refusal } from '../search/refusal.ts';
import type { CarriedOut, SearchEnd, SearchObserver } from '../search/search-observer.ts';
import { CONSOLE_ASSISTANT, type Session, type SessionId } from '../sessions/session.ts';
import { formatMonth, monthOf } from '../stay/day.ts';
import { todayIn } from '../stay/time-zone.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';
import { bucketOf, type CountActivity, DRIFT_BUCKETS, hourOf, LEAD_BUCKETS, TIME_BUCKETS } from './count.ts';
import { type Demand, NOT_ON_OFFER, unmetDemand } from './unmet-demand.ts';

/** More missing places than an owner would ever review. */
export const MAX_NAMES_A_DAY = 200;
/** More than the travellers of one assistant ask for in an hour. */
const MAX_DEMANDS_AN_HOUR = 2000;
/** Further things that a session asks for are not counted. */
export const MAX_COUNTED = 32;
/** The things counted of a session are forgotten once so many others were active: it may then be counted for one of them again. */
const MAX_SESSIONS = 20_000;

/** Counts what sessions ask for and how far they come. The owner's own trials in the console are left out. */
export function createSearchRecorder({
  count,
  network,
  clock,
  onFault,
}: {
  readonly count: CountActivity;
  readonly network: Network;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives a defect; the request is answered all the same. */
  readonly onFault: (fault: unknown) => void;
}): SearchObserver {
  const counted = new LRUCache<SessionId, Set<string>>({ max: MAX_SESSIONS });
  const isListedName = createRowLimit(MAX_NAMES_A_DAY);
  const isListedDemand = createRowLimit(MAX_DEMANDS_AN_HOUR);

  /** True once for each thing of a session that this node serves. */
  function isFirst(session: Session, ...thing: readonly (string | number)[]): boolean {
    const known = counted.get(session.id) ?? new Set();
    counted.set(session.id, known);
    const key = thing.join('\n');
    if (known.has(key) || known.size >= MAX_COUNTED) return false;
    known.add(key);
    return true;
  }

  function countOpened(session: Session): void {
    count('sessions', entryOf(session), { hour: hourOf(session.openedAt) });
    countStage(session, stageOf(session), 1);
  }

  function countStage(session: Session, facet: SessionStage, by: number): void {
    count('standings', { ...entryOf(session), facet }, { count: by, hour: hourOf(session.openedAt) });
  }

  function countStep(step: CarriedOut): void {
    const { before, after, refusal, isPaused, search } = step;
    const [from, to] = [stageOf(before), stageOf(after)];
    if (from !== to) {
      countStage(before, from, -1);
      countStage(before, to, 1);
    }
    const reason = refusedNow(step);
    if (reason !== undefined && to !== 'completed') {
      count('refusals', { ...entryOf(before), facet: to, reason });
    }
    if (refusal || isPaused) countUnmet(step);
    if (search) countSearch(before, search);
    if (after.amenities !== before.amenities) countAmenities(step);
  }

  function countUnmet(step: CarriedOut): void {
    const { before } = step;
    const { brand, assistant } = entryOf(before);
    const now = clock.now();
    const { demands, missing } = unmetDemand(step, network, now);
    for (const demand of demands) countDemand(before, demand);
    if (missing === null || !isFirst(before, 'missing', missing)) return;
    const isListed = isListedName(assistant, `${brand}\n${missing}`, Math.floor(hourOf(now) / 24));
    count('missing_places', { brand, facet: isListed ? missing : '' });
  }

  function countDemand(session: Session, { place, month, reason }: Demand): void {
    if (!isFirst(session, 'demand', place, month, reason)) return;
    const { brand, assistant } = entryOf(session);
    const key = [brand, place, month, reason].join('\n');
    const facet = isListedDemand(assistant, key, hourOf(clock.now())) ? month : '';
    count('wishes', { brand, assistant, place, facet, reason });
  }

  function countSearch(session: Session, { criteria, milliseconds, outcome }: SearchEnd): void {
    const { brand, assistant } = entryOf(session);
    const { place, checkIn, checkOut, guests } = criteria;
    const reason = endOf(outcome);
    count('searches', { brand, assistant, place, reason }, { sum: milliseconds });
    // No operator was asked, and the caller will try again.
    if (reason === 'too_many_searches') return;
    countDemand(session, { place, month: formatMonth(monthOf(checkIn)), reason: DEMAND_OUTCOMES[reason] });
    // A stay that operators refused a moment ago is not requested again.
    if (reason !== 'just_refused' && isFirst(session, 'stay', place, checkIn, checkOut, guests)) {
      const days = checkIn - todayIn(network.places.get(place)?.timeZone ?? 'UTC', clock.now());
      count('parties', { brand, place, facet: String(guests) });
      count('lengths', { brand, place, facet: String(checkOut - checkIn) });
      count('lead_times', { brand, assistant, place, facet: bucketOf(days, LEAD_BUCKETS) });
    }
    if (outcome.kind !== 'compared') return;
    if (reason === 'compared' && stageOf(session) !== 'completed') countTimeToResult(session);
    for (const [position, option] of outcome.comparison.options.entries()) {
      const facet = position === 0 ? 'first' : 'other';
      count('options', { brand: option.brand.id, assistant, place, facet });
    }
  }

  function countTimeToResult(session: Session): void {
    // The wall clock may have been set back since.
    const sum = Math.max(0, clock.now() - session.openedAt);
    const facet = bucketOf(sum / 1000, TIME_BUCKETS);
    count('times_to_result', { ...entryOf(session), facet }, { sum, hour: hourOf(session.openedAt) });
  }

  function countAmenities({ before, after }: CarriedOut): void {
    const place = after.onlyPlace ?? after.payload.destination ?? '';
    for (const facet of after.amenities) {
      if (before.amenities.includes(facet) || !isFirst(before, 'amenity', facet)) continue;
      count('amenities', { brand: entryOf(before).brand, place, facet });
    }
  }

  function guarded(session: Session, work: () => void): void {
    if (session.assistant === CONSOLE_ASSISTANT) return;
    try {
      work();
    } catch (fault) {
      onFault(fault);
    }
  }

  return {
    opened: (session) => guarded(session, () => countOpened(session)),
    carriedOut: (step) => guarded(step.before, () => countStep(step)),
  };
}

/** Whether a key has a row of its own in the counts: callers invent keys, so each assistant has a limit for a period. */
function createRowLimit(max: number): (assistant: string, key: string, period: number) => boolean {
  let current = 0;
  const keys = new Map<string, Set<string>>();
  return (assistant, key, period) => {
    if (period !== current) keys.clear();
    current = period;
    const own = keys.get(assistant) ?? new Set();
    keys.set(assistant, own);
    if (own.size < max) own.add(key);
    return own.has(key);
  };
}

/** The brand through which a session was opened, empty for a direct one, and its assistant. */
function entryOf({ source, assistant }: Session) {
  return { brand: source ?? '', assistant };
}

/** Undefined without a refusal. A search without options counts as the refusal, before any other fault of the request. */
function refusedNow({ refusal, isPaused, search }: CarriedOut): string | undefined {
  if (isPaused) return NOT_ON_OFFER;
  const end = search && endOf(search.outcome);
  if (end === 'empty' || end === 'operators_silent') return DEMAND_OUTCOMES[end];
  return refusal ? refusalLabel(refusal) : undefined;
}

/** The first fault, in our own words only: a field with its reason, or another error code. */
function refusalLabel({ faults: [{ code, field, reason }] }: Refusal): string {
  return field !== null && reason !== null ? `${field}:${reason.code}` : code;
}

type SearchReason = 'compared' | 'empty' | 'operators_silent' | 'just_refused' | 'too_many_searches';

function endOf(outcome: SearchEnd['outcome']): SearchReason {
  return outcome.kind === 'compared' && outcome.comparison.options.length === 0 ? 'empty' : outcome.kind;
}

const DEMAND_OUTCOMES: Readonly<Record<Exclude<SearchReason, 'too_many_searches'>, string>> = {
  compared: 'found',
  empty: 'refused_by_operators',
  just_refused: 'refused_by_operators',
  operators_silent: 'operators_silent',
};

/** The field that is requested next, `prices` once all are given, and `completed` for good once a result had an option with a price. */
type SessionStage = PayloadField | 'prices' | 'completed';

function stageOf(session: Session): SessionStage {
  if (session.hasHadPrices) return 'completed';
  return askedFields(session).order.find((field) => session.payload[field] === undefined) ?? 'prices';
}

/** Counts requests that need access. Not counted: the owner's own trials, public pages, and requests abandoned before their caller was identified. */
export function createRequestRecorder(count: CountActivity): (request: FinishedRequest) => void {
  return ({ access, operation, error, durationMs }) => {
    if (access === null) return;
    // Empty for a stranger, also for one that only claims to be an assistant.
    const assistant = access.way === null ? '' : (access.assistant ?? '');
    if (assistant === CONSOLE_ASSISTANT) return;
    const reason = access.kind === 'refused' ? access.cause : (error ?? '');
    count('requests', { assistant, facet: operation, reason }, { sum: durationMs });
  };
}

/** Counts calls, refusals and prices of operators, in the searches of all assistants. */
type OperatorRecorder = Pick<QuoteObserver, 'call'> & {
  /** The operator refused a stay that its calendar offered. */
  refused(property: PropertyId, reason: UnavailableReason): void;
  /** Totals that were accepted as plausible. */
  priced(brand: BrandId, samples: readonly PriceSample[]): void;
} & Pick<SyncObserver, 'refreshed' | 'failed'>;

/** Without a call to the operator there is no time to count. */
const NOT_CALLED: ReadonlySet<FailureKind | 'abandoned'> = new Set(['circuit_open', 'overloaded']);

export function createOperatorRecorder(count: CountActivity): OperatorRecorder {
  return {
    call(brand, milliseconds, { quoted, unavailable, failures }) {
      if (quoted > 0) count('prices', { brand, reason: 'quoted' }, { count: quoted });
      if (unavailable > 0) count('prices', { brand, reason: 'unavailable' }, { count: unavailable });
      for (const [reason, homes] of failures) count('prices', { brand, reason }, { count: homes });
      const isCall = quoted + unavailable > 0 || failures.keys().some((kind) => !NOT_CALLED.has(kind));
      if (!isCall) return;
      const facet = bucketOf(milliseconds / 1000, TIME_BUCKETS);
      count('price_calls', { brand, facet }, { sum: milliseconds });
    },
    refused: (property, reason) => count('refused_offers', { brand: brandOfProperty(property), reason }),
    priced(brand, samples) {
      for (const { indicativeTotal, total } of samples) {
        if (indicativeTotal === null || indicativeTotal <= 0) continue;
        const drift = Math.round(((total - indicativeTotal) / indicativeTotal) * 1000);
        count('drifts', { brand, facet: bucketOf(drift, DRIFT_BUCKETS) }, { sum: drift });
      }
    },
    refreshed: (brand, milliseconds) =>
      count('readings', { brand, reason: 'succeeded' }, { sum: milliseconds }),
    failed: (brand, kind) => count('readings', { brand, reason: kind }),
  };
}
