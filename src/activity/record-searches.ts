import { hash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { CarriedOut, SearchEnd, SearchObserver } from '../search/search-observer.ts';
import type { Session } from '../sessions/session.ts';
import { MAX_COUNTED, type SessionTally } from '../sessions/session-tally.ts';
import { formatMonth, monthOf } from '../stay/month.ts';
import { todayIn } from '../stay/time-zone.ts';
import { hourOf } from './count.ts';
import { isCounted } from './counted-assistants.ts';
import { bucketOf, LEAD_BUCKETS, TIME_BUCKETS } from './measures.ts';
import { foldedPlaceName } from './place-name.ts';
import { refusalLabel, stageOf } from './session-stage.ts';
import type { SessionTallies } from './session-tallies.ts';
import type { CountActivity } from './sums.ts';
import { isMissingPlace, unmetWishes } from './unmet-wishes.ts';

/** Counts what sessions ask for, and where they stand. */
export function createSearchRecorder({
  count,
  tallies,
  network,
  clock,
  onFault,
}: {
  readonly count: CountActivity;
  readonly tallies: Pick<SessionTallies, 'of' | 'note'>;
  readonly network: Network;
  readonly clock: Pick<Clock, 'now'>;
  /** A defect: the request was answered all the same. */
  readonly onFault: (fault: unknown) => void;
}): SearchObserver {
  /** Of one session, in the hour in which it was opened. */
  function countStanding(session: Session, stage: string, refusal: string, by: number): void {
    const { assistant, openedAt } = session;
    const labels = { brand: entryOf(session), assistant, facet: stage, reason: refusal };
    count('standings', labels, { count: by, hour: hourOf(openedAt) });
  }

  function countOpened(session: Session): void {
    const { assistant, openedAt } = session;
    count('sessions', { brand: entryOf(session), assistant }, { hour: hourOf(openedAt) });
    countStanding(session, stageOf(session), '', 1);
  }

  function countStep(step: CarriedOut): void {
    const tally = tallies.of(step.before);
    const once = createOnce(tally);
    const refusal = countMove(step, tally.refusal);
    if (step.refusal) countUnmet(step, once.isFirst);
    if (step.search) countSearch(step, step.search, once.isFirst);
    countAmenities(step, once.isFirst);
    if (refusal === tally.refusal && once.counted === tally.counted) return;
    tallies.note(step.before.id, { changes: tally.changes + 1, refusal, counted: once.counted });
  }

  /** Each session stands at one stage, with the last refusal there. Returns that refusal. */
  function countMove(step: CarriedOut, refusedBefore: string): string {
    const { before, after } = step;
    const [from, to] = [stageOf(before), stageOf(after)];
    const refused = refusedNow(step) ?? (from === to ? refusedBefore : '');
    const label = to === 'completed' ? '' : refused;
    if (from !== to || label !== refusedBefore) {
      countStanding(before, from, refusedBefore, -1);
      countStanding(before, to, label, 1);
    }
    return label;
  }

  function countUnmet(step: CarriedOut, isFirst: IsFirst): void {
    const { before, supplied, refusal } = step;
    const brand = entryOf(before);
    for (const wish of unmetWishes(step, { network, now: clock.now() })) countWish(before, wish, isFirst);
    if (!refusal?.faults.some(isMissingPlace)) return;
    const name = foldedPlaceName(supplied.find(({ field }) => field === 'destination')?.raw);
    if (name !== null && isFirst('missing', name)) count('missing_places', { brand, facet: name });
  }

  function countWish(
    session: Session,
    { place, month, reason }: { readonly place: string; readonly month: string; readonly reason: string },
    isFirst: IsFirst,
  ): void {
    if (!isFirst('wish', place, month, reason)) return;
    const { assistant } = session;
    count('wishes', { brand: entryOf(session), assistant, place, facet: month, reason });
  }

  function countSearch({ before }: CarriedOut, search: SearchEnd, isFirst: IsFirst): void {
    const { assistant } = before;
    const brand = entryOf(before);
    const { milliseconds, outcome, criteria } = search;
    const { place } = criteria;
    const reason = endOf(outcome);
    count('searches', { brand, assistant, place, reason }, { sum: milliseconds });
    // Nobody was asked, and the caller comes again.
    if (reason === 'too_many_searches') return;
    countWish(
      before,
      { place, month: formatMonth(monthOf(criteria.checkIn)), reason: WISH_OF[reason] },
      isFirst,
    );
    // What was refused a moment ago is not asked for again.
    if (reason !== 'just_refused') countStay(before, criteria, isFirst);
    if (outcome.kind !== 'compared') return;
    if (reason === 'compared' && stageOf(before) !== 'completed') countTimeToResult(before);
    for (const [position, option] of outcome.comparison.options.entries()) {
      const facet = position === 0 ? 'first' : 'other';
      count('options', { brand: option.brand.id, assistant, place, facet });
    }
  }

  function countStay(session: Session, criteria: SearchEnd['criteria'], isFirst: IsFirst): void {
    const { place, checkIn, checkOut, guests } = criteria;
    if (!isFirst('stay', place, checkIn, checkOut, guests)) return;
    const { assistant } = session;
    const brand = entryOf(session);
    const days = checkIn - todayIn(network.places.get(place)?.timeZone ?? 'UTC', clock.now());
    count('parties', { brand, place, facet: String(guests) });
    count('lengths', { brand, place, facet: String(checkOut - checkIn) });
    count('lead_times', { brand, assistant, place, facet: bucketOf(days, LEAD_BUCKETS) });
  }

  function countTimeToResult(session: Session): void {
    const { assistant, openedAt } = session;
    // The wall clock may have been set back since.
    const milliseconds = Math.max(0, clock.now() - openedAt);
    const facet = bucketOf(milliseconds / 1000, TIME_BUCKETS);
    const labels = { brand: entryOf(session), assistant, facet };
    count('times_to_result', labels, { sum: milliseconds, hour: hourOf(openedAt) });
  }

  function countAmenities({ before, after }: CarriedOut, isFirst: IsFirst): void {
    if (after.amenities === before.amenities) return;
    const place = after.onlyPlace ?? after.payload.destination ?? '';
    for (const amenity of after.amenities) {
      if (before.amenities.includes(amenity) || !isFirst('amenity', amenity)) continue;
      count('amenities', { brand: entryOf(before), place, facet: amenity });
    }
  }

  return {
    opened(session) {
      if (isCounted(session.assistant)) guarded(() => countOpened(session));
    },
    carriedOut(step) {
      if (isCounted(step.before.assistant)) guarded(() => countStep(step));
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

/** Empty for a session that was opened without a brand. */
function entryOf({ source }: Session): string {
  return source ?? '';
}

/** Undefined where nothing was. A result without an option is refused as a whole, whatever else the request had wrong. */
function refusedNow({ refusal, search }: CarriedOut): string | undefined {
  if (search && endOf(search.outcome) === 'empty') return WISH_OF.empty;
  return refusal ? refusalLabel(refusal) : undefined;
}

type SearchReason = 'compared' | 'empty' | 'operators_silent' | 'just_refused' | 'too_many_searches';

function endOf(outcome: SearchEnd['outcome']): SearchReason {
  return outcome.kind === 'compared' && outcome.comparison.options.length === 0 ? 'empty' : outcome.kind;
}

const WISH_OF: Readonly<Record<Exclude<SearchReason, 'too_many_searches'>, string>> = {
  compared: 'found',
  empty: 'refused_by_operators',
  just_refused: 'refused_by_operators',
  operators_silent: 'operators_silent',
};

type IsFirst = (...parts: readonly (string | number)[]) => boolean;

/** Tells whether a session has been counted for something, and remembers it. Beyond a limit nothing is the first any more. */
function createOnce({ counted }: SessionTally) {
  const once = { counted, isFirst };
  return once;

  function isFirst(...parts: readonly (string | number)[]): boolean {
    const mark = Number.parseInt(hash('sha256', parts.join('\n')).slice(0, 8), 16);
    if (once.counted.includes(mark) || once.counted.length >= MAX_COUNTED) return false;
    once.counted = [...once.counted, mark];
    return true;
  }
}
