import type { Network } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { PayloadField } from '../contract/payload-fields.ts';
import { askedFields } from '../search/payload.ts';
import type { Refusal } from '../search/refusal.ts';
import type { CarriedOut, SearchEnd, SearchObserver } from '../search/search-observer.ts';
import { CONSOLE_ASSISTANT, MAX_COUNTED, type Session, type SessionTally } from '../sessions/session.ts';
import { formatMonth, monthOf } from '../stay/day.ts';
import { todayIn } from '../stay/time-zone.ts';
import { countStanding, entryOf, type FirstCount, type SessionTallies } from './activity-recorder.ts';
import {
  bucketOf,
  type CountActivity,
  hourOf,
  type Labels,
  LEAD_BUCKETS,
  type Measure,
  TIME_BUCKETS,
} from './count.ts';
import { createDailyNames, createHourlyDemand } from './demand-limits.ts';
import { type Demand, demandFor, markOf, NOT_ON_OFFER, unmetDemand } from './unmet-demand.ts';

/** All names beyond the daily limit count once for a session, like a single name, because the report shows a number of sessions. */
const OTHER_NAMES = markOf('missing', '');

/** Counts the demand of sessions, and the stage of each. The owner's own trials in the console are left out. */
export function createSearchRecorder({
  count,
  tallies,
  network,
  clock,
  onFault,
}: {
  readonly count: CountActivity;
  readonly tallies: SessionTallies;
  readonly network: Network;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives a defect; the request is answered all the same. */
  readonly onFault: (fault: unknown) => void;
}): SearchObserver {
  const names = createDailyNames();
  const countedMonth = createHourlyDemand();

  function countOpened(session: Session): void {
    const { assistant, openedAt } = session;
    count('sessions', { brand: entryOf(session), assistant }, { hour: hourOf(openedAt) });
    countStanding(count, session, { stage: stageOf(session), refusal: '' }, 1);
  }

  function countStep(step: CarriedOut): void {
    const tally = tallies.of(step.before);
    const once = createOnce(tally, hourOf(clock.now()));
    const refused = countMove(step, tally);
    if (step.refusal || step.isPaused) countUnmet(step, once);
    if (step.search) countSearch(step, step.search, once);
    countAmenities(step, once);
    const isSameRefusal = refused.refusal === tally.refusal && refused.stage === tally.stage;
    if (isSameRefusal && once.firsts.length === 0) return;
    const changed = { changes: tally.changes + 1, ...refused, counted: once.counted };
    tallies.note(step.before, changed, once.firsts);
  }

  /** Moves the session to its new stage. Returns the last refusal there, which is counted once the tally is stored. */
  function countMove(step: CarriedOut, before: SessionTally): Pick<SessionTally, 'stage' | 'refusal'> {
    const [from, to] = [stageOf(step.before), stageOf(step.after)];
    if (from !== to) {
      countStanding(count, step.before, { stage: from, refusal: '' }, -1);
      countStanding(count, step.before, { stage: to, refusal: '' }, 1);
    }
    const refusal = refusedNow(step) ?? (before.stage === to ? before.refusal : '');
    return to === 'completed' || refusal === '' ? NOT_REFUSED : { stage: to, refusal };
  }

  function countUnmet(step: CarriedOut, once: Once): void {
    const { before } = step;
    const now = clock.now();
    const { demands, missing } = unmetDemand(step, network, now);
    for (const demand of demands) countDemand(before, demand, once);
    if (missing === null || once.isDone(missing.mark)) return;
    const asked = { brand: entryOf(before), name: missing.name, hour: hourOf(now) };
    const { name, hour } = names(before, asked);
    const mark = name === '' ? OTHER_NAMES : missing.mark;
    once.count(mark, () => ({ missing_places: { brand: asked.brand, facet: name }, hour }));
  }

  function countDemand(session: Session, { mark, place, month, reason }: Demand, once: Once): void {
    once.count(mark, () => {
      const { assistant } = session;
      const demand = { brand: entryOf(session), place, month, reason };
      const facet = countedMonth(assistant, demand, hourOf(clock.now()));
      return { wishes: { brand: demand.brand, assistant, place, facet, reason } };
    });
  }

  function countSearch({ before }: CarriedOut, search: SearchEnd, once: Once): void {
    const { assistant } = before;
    const brand = entryOf(before);
    const { milliseconds, outcome, criteria } = search;
    const { place } = criteria;
    const reason = endOf(outcome);
    count('searches', { brand, assistant, place, reason }, { sum: milliseconds });
    // No operator was asked, and the caller will try again.
    if (reason === 'too_many_searches') return;
    countDemand(
      before,
      demandFor(place, formatMonth(monthOf(criteria.checkIn)), DEMAND_OUTCOMES[reason]),
      once,
    );
    // A stay that operators refused a moment ago is not requested again.
    if (reason !== 'just_refused') countStay(before, criteria, once);
    if (outcome.kind !== 'compared') return;
    if (reason === 'compared' && stageOf(before) !== 'completed') countTimeToResult(before);
    for (const [position, option] of outcome.comparison.options.entries()) {
      const facet = position === 0 ? 'first' : 'other';
      count('options', { brand: option.brand.id, assistant, place, facet });
    }
  }

  function countStay(session: Session, criteria: SearchEnd['criteria'], once: Once): void {
    const { place, checkIn, checkOut, guests } = criteria;
    once.count(markOf('stay', place, checkIn, checkOut, guests), () => {
      const { assistant } = session;
      const brand = entryOf(session);
      const days = checkIn - todayIn(network.places.get(place)?.timeZone ?? 'UTC', clock.now());
      return {
        parties: { brand, place, facet: String(guests) },
        lengths: { brand, place, facet: String(checkOut - checkIn) },
        lead_times: { brand, assistant, place, facet: bucketOf(days, LEAD_BUCKETS) },
      };
    });
  }

  function countTimeToResult(session: Session): void {
    const { assistant, openedAt } = session;
    // The wall clock may have been set back since.
    const milliseconds = Math.max(0, clock.now() - openedAt);
    const facet = bucketOf(milliseconds / 1000, TIME_BUCKETS);
    const labels = { brand: entryOf(session), assistant, facet };
    count('times_to_result', labels, { sum: milliseconds, hour: hourOf(openedAt) });
  }

  function countAmenities({ before, after }: CarriedOut, once: Once): void {
    if (after.amenities === before.amenities) return;
    const place = after.onlyPlace ?? after.payload.destination ?? '';
    for (const amenity of after.amenities) {
      if (before.amenities.includes(amenity)) continue;
      once.count(markOf('amenity', amenity), () => ({
        amenities: { brand: entryOf(before), place, facet: amenity },
      }));
    }
  }

  return {
    opened(session) {
      if (session.assistant !== CONSOLE_ASSISTANT) guarded(() => countOpened(session));
    },
    carriedOut(step) {
      if (step.before.assistant !== CONSOLE_ASSISTANT) guarded(() => countStep(step));
    },
  };

  function guarded(work: () => void): void {
    try {
      work();
    } catch (fault) {
      onFault(fault);
    }
  }
}

type Once = ReturnType<typeof createOnce>;
type LabelsOfFirst = Partial<Record<Measure, Partial<Labels>>> & { readonly hour?: number };

/** Collects the first occurrences of a session. After MAX_COUNTED marks nothing more is counted. */
function createOnce(tally: SessionTally, thisHour: number) {
  const firsts: FirstCount[] = [];
  const once = {
    firsts,
    counted: tally.counted,
    isDone: (mark: number) => once.counted.includes(mark) || once.counted.length >= MAX_COUNTED,
    /** Counts this mark in each measure, unless the session has it already; only then are the labels computed. */
    count(mark: number, labelsOf: () => LabelsOfFirst): void {
      if (once.isDone(mark)) return;
      once.counted = [...once.counted, mark];
      const { hour = thisHour, ...byMeasure } = labelsOf();
      for (const [measure, labels] of Object.entries(byMeasure)) {
        firsts.push({ mark, measure: measure as Measure, labels, hour });
      }
    },
  };
  return once;
}

const NOT_REFUSED = { stage: '', refusal: '' };

/** Undefined without a refusal. A search without options counts as the refusal, before any other fault of the request. */
function refusedNow({ refusal, isPaused, search }: CarriedOut): string | undefined {
  if (isPaused) return NOT_ON_OFFER;
  const end = search && endOf(search.outcome);
  if (end === 'empty' || end === 'operators_silent') return DEMAND_OUTCOMES[end];
  return refusal ? refusalLabel(refusal) : undefined;
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

/** The first fault, in our own words only: a field with its reason, or another error code. */
function refusalLabel({ faults: [{ code, field, reason }] }: Refusal): string {
  return field !== null && reason !== null ? `${field}:${reason.code}` : code;
}
