import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { Deadline } from '../limits/deadline.ts';
import type { Operator, OperatorVerdicts } from './ask-operator.ts';
import type { AskingOrder } from './asking-order.ts';
import type { UnavailableReason } from './booking-system.ts';
import type { GivenTotal, IsImplausible } from './implausible-totals.ts';
import { isMostlyPaidElsewhere } from './judge-answer.ts';
import type { BrandCoverage, Collected, CollectedQuote, QuoteSearch } from './quote-search.ts';

/** Once the places are filled, brands are asked again only if their answers can be expected by then. */
const MAX_FURTHER_ROUNDS_MS = 1000;

type FilledPlaces = {
  readonly collected: Omit<Collected, 'failures' | 'askableAfterMs'>;
  /** The first failure of each brand that gave no usable answer for some homes. */
  readonly failures: ReadonlyMap<BrandId, FailureKind>;
  /** The plausible totals, with their candidates. */
  readonly believed: readonly GivenTotal[];
  /** Candidates with implausible totals. */
  readonly implausible: readonly Candidate[];
};

/** A lost candidate was declined, has failed, was implausible, or is of a brand that has failed. */
type CandidateState = 'waiting' | 'asked' | 'quoted' | 'lost';

type PropertyFate = 'quoted' | 'unavailable' | 'failed' | 'implausible';

/** A candidate whose turn has come, with its position in the order of asking. */
type Turn = {
  readonly position: number;
  readonly candidate: Candidate;
  state: CandidateState;
};

/** A candidate that a call asks for. */
type Asked = { readonly turn: Turn; readonly brand: BrandId; readonly reference: string };

/**
 * Prices the first `maxOptions` candidates that can be had. A candidate is needed while fewer than `maxOptions` of those before it are
 * asked for or quoted, so a lost one makes the next one needed immediately, without waiting for the other calls. Operators that price many
 * in one call are also asked for a surplus, `maxQuotes` in all not counting declined ones: estimates can be wrong, and a cheaper home may
 * come later in the order. Operators that price one per call are spared the surplus, except for one home of a brand that has no place at
 * all, or the next when that one is declined.
 *
 * No search waits for the rounds of a slow brand that declines its stays. With the places filled, only answers that can be expected soon
 * are worth another question, and the search ends when every call of the first round has had its time. With some filled, no brand takes
 * longer over all its rounds than it may take over one; with none, the deadline alone counts.
 */
export function fillPlaces({
  search,
  clock,
  order,
  operators,
  isPaused,
  plausibility,
  maxOptions,
  maxQuotes,
  deadline,
  firstRoundMs,
}: {
  readonly search: QuoteSearch;
  readonly clock: Clock;
  readonly order: AskingOrder;
  readonly operators: ReadonlyMap<BrandId, Operator>;
  /** A brand that the owner has paused, even during the search, is neither asked nor shown. */
  readonly isPaused: (brand: BrandId) => boolean;
  /** Judges by learned prices and by the totals given. */
  readonly plausibility: (given: readonly GivenTotal[]) => IsImplausible;
  readonly maxOptions: number;
  readonly maxQuotes: number;
  /** Ended early when the places are filled and no other answer is worth the wait. */
  readonly deadline: Deadline;
  /** The timeout of the slowest operator. */
  readonly firstRoundMs: number;
}): Promise<FilledPlaces> {
  const { candidates, checkIn, checkOut, guests, currency } = search;
  const { promise, resolve, reject } = Promise.withResolvers<FilledPlaces>();
  const turns: Turn[] = [];
  let quoted: { readonly turn: Turn; readonly quote: CollectedQuote }[] = [];
  const refused: { property: PropertyId; reason: UnavailableReason }[] = [];
  const implausible: Candidate[] = [];
  const coverage = new Map<BrandId, Record<PropertyFate, number>>();
  /** Not asked any more in this search. */
  const lostBrands = new Set<BrandId>();
  const failureOf = new Map<BrandId, FailureKind>();
  const startedAt = clock.elapsed();
  const times = createBrandTimes(clock);
  const askedBrands = new Set<BrandId>();
  const answeredBrands = new Set<BrandId>();
  const isImplausible = plausibility([]);
  let callsInFlight = 0;
  /** No turn before this position waits, or will wait again. */
  let firstWaiting = 0;
  /** A flag, because a timer may fire a fraction of a millisecond early by the clock. */
  let isFirstRoundOver = false;
  /** Asked for and not declined. A failure is not replaced: that would prolong a search that has waited already. */
  let spent = 0;
  const spentOnBrand = new Map<BrandId, number>();

  const isFilled = () => quoted.length >= maxOptions;
  const elapsedMs = () => clock.elapsed() - startedAt;
  const isTooLateForMore = () => isFilled() && elapsedMs() > MAX_FURTHER_ROUNDS_MS;

  /** Whether another answer of the brand is worth the wait. */
  function isWorthTheWait(brand: BrandId): boolean {
    const { waitedMs, longestMs } = times.of(brand);
    if (isFilled()) return elapsedMs() + longestMs <= MAX_FURTHER_ROUNDS_MS;
    return quoted.length === 0 || waitedMs + longestMs <= (operators.get(brand)?.timeoutMs ?? 0);
  }

  function turnAt(position: number): Turn | undefined {
    const next = position < turns.length ? undefined : order.next();
    if (next) turns.push({ position, candidate: next.candidate, state: 'waiting' });
    return turns[position];
  }

  /** A property counts as asked for once its fate is known, even without a call for it. */
  function countFate(turn: Turn, fate: PropertyFate): void {
    turn.state = fate === 'quoted' ? 'quoted' : 'lost';
    const { brand } = turn.candidate;
    const counts = coverage.get(brand) ?? { quoted: 0, unavailable: 0, failed: 0, implausible: 0 };
    coverage.set(brand, counts);
    counts[fate] += 1;
  }

  function spend(count: 1 | -1, brand: BrandId): void {
    spent += count;
    spentOnBrand.set(brand, (spentOnBrand.get(brand) ?? 0) + count);
  }

  function refuse(turn: Turn, reason: UnavailableReason): void {
    refused.push({ property: turn.candidate.property, reason });
    order.giveTurnBack(turn.candidate.brand);
    if (turn.state === 'asked') spend(-1, turn.candidate.brand);
    countFate(turn, 'unavailable');
  }

  /** Undefined for a candidate that can no longer be asked for. */
  function take(turn: Turn): Asked | undefined {
    if (turn.state !== 'waiting') return undefined;
    const { brand } = turn.candidate;
    if (lostBrands.has(brand) || isPaused(brand)) {
      turn.state = 'lost';
      return undefined;
    }
    if (!isWorthTheWait(brand)) return undefined;
    const property = search.property(turn.candidate.property);
    if (!property) {
      // It left its operator's catalogue while this search was running.
      refuse(turn, 'unknown_property');
      return undefined;
    }
    turn.state = 'asked';
    spend(1, brand);
    return { turn, brand, reference: property.reference };
  }

  function takeNeeded(): readonly Asked[] {
    const taken: Asked[] = [];
    let filled = 0;
    for (let position = 0; filled < maxOptions; position += 1) {
      const turn = turnAt(position);
      if (!turn) break;
      const needed = take(turn);
      if (needed) taken.push(needed);
      if (turn.state === 'asked' || turn.state === 'quoted') filled += 1;
    }
    return taken;
  }

  function takeSurplus(): readonly Asked[] {
    const taken: Asked[] = [];
    while (firstWaiting < turns.length && turns[firstWaiting]?.state !== 'waiting') firstWaiting += 1;
    for (let position = firstWaiting; spent < maxQuotes; position += 1) {
      const turn = turnAt(position);
      if (!turn) break;
      const { brand } = turn.candidate;
      const operator = operators.get(brand);
      const isSpared = !operator || (operator.batchSize === 1 && (spentOnBrand.get(brand) ?? 0) > 0);
      const surplus = isSpared ? undefined : take(turn);
      if (surplus) taken.push(surplus);
    }
    return taken;
  }

  function askForMore(): void {
    while (!deadline.signal.aborted && !isTooLateForMore()) {
      const taken = [...takeNeeded(), ...takeSurplus()];
      if (taken.length === 0) break;
      askFor(taken);
    }
    if (callsInFlight > 0) return;
    if (rejectDisprovenTotals()) askForMore();
    else finish();
  }

  function reportProgress(): void {
    search.onProgress?.({ asked: askedBrands.size, answered: answeredBrands.size });
  }

  function askFor(taken: readonly Asked[]): void {
    const askedBefore = askedBrands.size;
    for (const [brand, ofBrand] of Map.groupBy(taken, (asked) => asked.brand)) {
      const operator = operators.get(brand);
      if (operator) sendBatches(brand, operator, ofBrand);
      else failBrand(brand, ofBrand);
    }
    if (askedBrands.size > askedBefore) reportProgress();
  }

  function failBrand(brand: BrandId, asked: readonly Asked[]): void {
    lostBrands.add(brand);
    for (const { turn } of asked) countFate(turn, 'failed');
  }

  function noteFailure(brand: BrandId, failure: FailureKind): void {
    if (!failureOf.has(brand)) failureOf.set(brand, failure);
  }

  function sendBatches(brand: BrandId, { ask, batchSize }: Operator, ofBrand: readonly Asked[]): void {
    for (let start = 0; start < ofBrand.length; start += batchSize) {
      const batch = ofBrand.slice(start, start + batchSize);
      const references = batch.map(({ reference }) => reference);
      callsInFlight += 1;
      askedBrands.add(brand);
      const answered = times.begin(brand);
      const request = { references, checkIn, checkOut, guests, currency };
      ask(request, deadline.signal, search.caller, search.onLeftBehind)
        .then((answer) => {
          callsInFlight -= 1;
          answered();
          if (!answeredBrands.has(brand)) {
            answeredBrands.add(brand);
            reportProgress();
          }
          if (isPaused(brand)) loseBatch(batch);
          else if (answer.failure === null) takeAnswer(batch, answer);
          else {
            noteFailure(brand, answer.failure);
            failBrand(brand, batch);
          }
          endOnceFilled();
          askForMore();
        })
        .catch(reject);
    }
  }

  /** As if they had not been asked for. */
  function loseBatch(batch: readonly Asked[]): void {
    for (const { turn } of batch) turn.state = 'lost';
  }

  function takeAnswer(batch: readonly Asked[], { verdicts }: OperatorVerdicts): void {
    for (const { turn, brand, reference } of batch) {
      const verdict = verdicts.get(reference);
      if (verdict?.kind === 'quoted') {
        const isRejected = isImplausible(turn.candidate, verdict.total) || isMostlyPaidElsewhere(verdict);
        if (isRejected) rejectTotal(turn);
        else {
          // Spread first, so that V8 copies the object whole instead of member by member.
          quoted.push({ turn, quote: { ...verdict, property: turn.candidate.property, brand } });
          countFate(turn, 'quoted');
        }
      } else if (verdict?.kind === 'unavailable') refuse(turn, verdict.reason);
      else {
        if (verdict) noteFailure(brand, verdict.failure);
        countFate(turn, 'failed');
      }
    }
  }

  function rejectTotal(turn: Turn): void {
    implausible.push(turn.candidate);
    countFate(turn, 'implausible');
  }

  /**
   * Judges all totals again by those of the other brands in this search, which the first answers were judged without. Returns whether any
   * was implausible: its place goes to another brand.
   */
  function rejectDisprovenTotals(): boolean {
    if (new Set(quoted.map(({ quote }) => quote.brand)).size < 2) return false;
    const isImplausibleNow = plausibility(quoted.map(givenTotal));
    const before = quoted.length;
    quoted = quoted.filter(({ turn, quote }) => {
      if (!isImplausibleNow(turn.candidate, quote.total)) return true;
      const counts = coverage.get(quote.brand);
      if (counts) counts.quoted -= 1;
      rejectTotal(turn);
      lostBrands.add(quote.brand);
      return false;
    });
    return quoted.length < before;
  }

  function endOnceFilled(): void {
    if (!isFilled() || !isFirstRoundOver) return;
    // Checked before the end: totals that the other brands disprove must not occupy places.
    rejectDisprovenTotals();
    if (isFilled()) deadline.end(new BookingSystemFailure('timeout', 'the places were filled'));
    else askForMore();
  }

  function finish(): void {
    stopWatching();
    const believed = quoted
      .filter(({ quote }) => !isPaused(quote.brand))
      .sort((a, b) => a.turn.position - b.turn.position);
    resolve({
      collected: {
        quoted: believed.map(({ quote }) => quote),
        refused,
        coverage: brandCoverage(coverage).filter(({ brand }) => !isPaused(brand)),
        everyOperatorFailed:
          candidates.some(({ brand }) => !isPaused(brand)) &&
          believed.length === 0 &&
          refused.length === 0 &&
          implausible.length === 0,
      },
      failures: new Map([...failureOf].filter(([brand]) => !isPaused(brand))),
      believed: believed.map(givenTotal),
      implausible,
    });
  }

  const stopWatching = clock.after(firstRoundMs, () => {
    isFirstRoundOver = true;
    endOnceFilled();
  });
  askForMore();
  return promise;
}

function givenTotal({ turn, quote }: { readonly turn: Turn; readonly quote: CollectedQuote }): GivenTotal {
  return { candidate: turn.candidate, total: quote.total };
}

/** Ordered by brand, independent of which operator answered first. */
function brandCoverage(
  coverage: ReadonlyMap<BrandId, Record<PropertyFate, number>>,
): readonly BrandCoverage[] {
  return Array.from(coverage, ([brand, { quoted, unavailable, failed, implausible }]) => ({
    brand,
    asked: quoted + unavailable + failed + implausible,
    quoted,
    unavailable,
    failed,
    implausible,
  })).sort((one, other) => (one.brand < other.brand ? -1 : 1));
}

type BrandTime = {
  /** The time in which at least one of its calls was under way. */
  readonly waitedMs: number;
  /** Of its calls that were answered. */
  readonly longestMs: number;
};

/** How long one search has waited for each brand. */
type BrandTimes = {
  /** Starts a call; call the returned function when it is answered. */
  begin(brand: BrandId): () => void;
  of(brand: BrandId): BrandTime;
};

const NOT_ASKED: BrandTime = { waitedMs: 0, longestMs: 0 };

export function createBrandTimes(clock: Clock): BrandTimes {
  const times = new Map<BrandId, { waitedMs: number; longestMs: number; calls: number; busySince: number }>();

  return {
    begin(brand) {
      const beganAt = clock.elapsed();
      const time = times.get(brand) ?? { waitedMs: 0, longestMs: 0, calls: 0, busySince: beganAt };
      times.set(brand, time);
      if (time.calls === 0) time.busySince = beganAt;
      time.calls += 1;
      return () => {
        const now = clock.elapsed();
        time.calls -= 1;
        time.waitedMs += now - time.busySince;
        time.busySince = now;
        time.longestMs = Math.max(time.longestMs, now - beganAt);
      };
    },
    of: (brand) => times.get(brand) ?? NOT_ASKED,
  };
}
