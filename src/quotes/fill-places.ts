import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { Deadline } from '../limits/deadline.ts';
import type { AskOperator, OperatorVerdicts } from './ask-operator.ts';
import type { AskingOrder } from './asking-order.ts';
import type { UnavailableReason } from './booking-system.ts';
import { createBrandTimes } from './brand-times.ts';
import type { GivenTotal, IsImplausible } from './implausible-totals.ts';
import { isMostlyPaidElsewhere } from './paid-besides.ts';
import type { BrandCoverage, Collected, CollectedQuote, QuoteSearch } from './quote-search.ts';

export type Operator = {
  readonly ask: AskOperator;
  readonly batchSize: number;
  /** For one call. */
  readonly timeoutMs: number;
};

/** Once the places are filled, brands are asked further only if their answers can be expected by then. */
const MAX_FURTHER_ROUNDS_MS = 1000;

export type FilledPlaces = {
  readonly collected: Omit<Collected, 'failures' | 'askableAfterMs'>;
  /** Why brands gave no usable answer for some homes: the first failure of each. */
  readonly failures: ReadonlyMap<BrandId, FailureKind>;
  /** The totals that were believed, with their candidates. */
  readonly believed: readonly GivenTotal[];
  /** Candidates whose totals cannot be true. */
  readonly implausible: readonly Candidate[];
};

/** What has become of a candidate. A lost one was refused, has failed, was not believed, or is of a brand that has failed. */
type CandidateState = 'waiting' | 'asked' | 'quoted' | 'lost';

type PropertyFate = 'quoted' | 'unavailable' | 'failed' | 'implausible';

/** A candidate whose turn has come, with its place in the order of asking. */
type Turn = {
  readonly position: number;
  readonly candidate: Candidate;
  state: CandidateState;
};

/** A candidate that is asked for. */
type Asked = { readonly turn: Turn; readonly brand: BrandId; readonly reference: string };

/**
 * Prices the first `maxOptions` candidates that can be had. A candidate is needed while fewer than `maxOptions` of those before
 * it are asked for or quoted, so one that is lost makes the next one needed at once, without waiting for the other calls.
 * Operators that price many in one call are also asked for a surplus, `maxQuotes` in all without those refused: estimates are
 * only that, and a cheaper one may come later in the order. Operators that price one in a call are spared the surplus, but for
 * one home of a brand that has no place at all, or the next when that one is refused.
 *
 * Nobody waits for the rounds of a slow brand that refuses what it is asked for. With the places filled, only answers that can be
 * expected soon are worth another question, and the search ends when every call of the first round has had its time. With some
 * of them filled, no brand takes longer over all its rounds than it may take over one; with none, the deadline alone counts.
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
  /** Nothing is asked or shown of a brand that its owner has paused, be it in the middle of a search. */
  readonly isPaused: (brand: BrandId) => boolean;
  /** Judges by what was known before this search and by the totals given. */
  readonly plausibility: (given: readonly GivenTotal[]) => IsImplausible;
  readonly maxOptions: number;
  readonly maxQuotes: number;
  /** Ended early when the places are filled and nobody else is worth the wait. */
  readonly deadline: Deadline;
  /** The time of the longest call. */
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
  /** All turns before it were taken, and never wait again. */
  let firstWaiting = 0;
  /** A timer may fire a fraction of a millisecond early, so the time that has passed does not tell. */
  let isFirstRoundOver = false;
  /** Asked for and not refused. A failure is not made up for: that would prolong a search which waited already. */
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

  /** A property counts as asked for once its fate is known, also where no call was made for it. */
  function settle(turn: Turn, fate: PropertyFate): void {
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
    settle(turn, 'unavailable');
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
    if (disbelieveInHindsight()) askForMore();
    else finish();
  }

  function tellProgress(): void {
    search.onProgress?.({ asked: askedBrands.size, answered: answeredBrands.size });
  }

  function askFor(taken: readonly Asked[]): void {
    const askedBefore = askedBrands.size;
    for (const [brand, ofBrand] of Map.groupBy(taken, (asked) => asked.brand)) {
      const operator = operators.get(brand);
      if (operator) sendBatches(brand, operator, ofBrand);
      else failBrand(brand, ofBrand);
    }
    if (askedBrands.size > askedBefore) tellProgress();
  }

  function failBrand(brand: BrandId, asked: readonly Asked[]): void {
    lostBrands.add(brand);
    for (const { turn } of asked) settle(turn, 'failed');
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
            tellProgress();
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

  /** As if nobody had been asked. */
  function loseBatch(batch: readonly Asked[]): void {
    for (const { turn } of batch) turn.state = 'lost';
  }

  function takeAnswer(batch: readonly Asked[], { verdicts }: OperatorVerdicts): void {
    for (const { turn, brand, reference } of batch) {
      const verdict = verdicts.get(reference);
      if (verdict?.kind === 'quoted') {
        const isUntrue = isImplausible(turn.candidate, verdict.total) || isMostlyPaidElsewhere(verdict);
        if (isUntrue) disbelieve(turn);
        else {
          // The verdict first: V8 then copies it whole instead of member by member.
          quoted.push({ turn, quote: { ...verdict, property: turn.candidate.property, brand } });
          settle(turn, 'quoted');
        }
      } else if (verdict?.kind === 'unavailable') refuse(turn, verdict.reason);
      else {
        if (verdict) noteFailure(brand, verdict.failure);
        settle(turn, 'failed');
      }
    }
  }

  function disbelieve(turn: Turn): void {
    implausible.push(turn.candidate);
    settle(turn, 'implausible');
  }

  /**
   * What the other brands have quoted in this search is evidence too, which the first answers were judged without. Says whether there was
   * something to disbelieve: its places go to other brands.
   */
  function disbelieveInHindsight(): boolean {
    if (new Set(quoted.map(({ quote }) => quote.brand)).size < 2) return false;
    const isImplausibleNow = plausibility(quoted.map(givenTotal));
    const before = quoted.length;
    quoted = quoted.filter(({ turn, quote }) => {
      if (!isImplausibleNow(turn.candidate, quote.total)) return true;
      const counts = coverage.get(quote.brand);
      if (counts) counts.quoted -= 1;
      disbelieve(turn);
      lostBrands.add(quote.brand);
      return false;
    });
    return quoted.length < before;
  }

  function endOnceFilled(): void {
    if (!isFilled() || !isFirstRoundOver) return;
    // Before the end: a call that is held must not keep places for totals that the other brands disprove.
    disbelieveInHindsight();
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

/** By name, whichever operator answered first. */
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
