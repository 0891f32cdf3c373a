import type { BrandId } from '../catalogue/catalogue.ts';
import type { BrandCandidates, EstimatedCandidate } from './estimate-candidates.ts';

export type AskingOrder = {
  /** The next candidate to ask for; undefined when none is left. */
  next(): EstimatedCandidate | undefined;
  /** A refusal does not use up the turn of its brand: otherwise one with a calendar that is behind would never be quoted. */
  giveTurnBack(brand: BrandId): void;
};

/** A brand that loses what it is asked for gets no more than this many times the questions that would do. */
const MAX_TIMES_ITS_SHARE = 3;

/**
 * Every brand is asked, whatever it publishes. First the cheapest home of each; then, in turn, the next brand's cheapest and
 * the home with the lowest estimate of all. Only brands whose quotes have borne their calendars out get the latter, so that
 * a calendar cannot buy questions.
 */
export function fairAskingOrder(
  brands: readonly BrandCandidates[],
  maxQuestionsPerBrand: number,
): AskingOrder {
  const queues: Queue[] = brands.map((brand) => ({ ...brand, asked: 0, turns: 0 }));
  let given = 0;

  const hasMore = ({ candidates, asked }: Queue) => asked < candidates.length && asked < maxQuestionsPerBrand;

  return {
    next() {
      const open = queues.filter(hasMore);
      const next = lowest(open, ({ turns }) => turns);
      if (!next) return undefined;
      const isTurnOfCheapest = next.asked > 0 && given % 2 === 1;
      const cheapest = isTurnOfCheapest
        ? lowest(open.filter(({ isPredictable }) => isPredictable))
        : undefined;
      if (!cheapest) next.turns += 1;
      const queue = cheapest ?? next;
      given += 1;
      queue.asked += 1;
      return queue.candidates[queue.asked - 1];
    },
    giveTurnBack(brand) {
      const queue = queues.find((one) => one.brand === brand);
      if (queue) queue.turns -= 1;
    },
  };
}

/** How many questions one brand may get in a search, so that refusing everything does not lead through its whole catalogue. */
export function maxQuestionsPerBrand({
  brands,
  maxOptions,
  maxQuotes,
}: {
  readonly brands: number;
  readonly maxOptions: number;
  readonly maxQuotes: number;
}): number {
  const share = Math.ceil(Math.max(maxOptions, maxQuotes) / Math.max(1, brands));
  return MAX_TIMES_ITS_SHARE * Math.max(share, maxOptions);
}

/** How many candidates are worth an estimate: enough of the cheapest for every question, and of each brand for its share of them. */
export function candidatesWanted({
  maxOptions,
  maxQuotes,
}: {
  readonly maxOptions: number;
  readonly maxQuotes: number;
}): { readonly cheapest: number; readonly cheapestOfBrand: (brands: number) => number } {
  const questions = Math.max(maxOptions, maxQuotes);
  return {
    cheapest: MAX_TIMES_ITS_SHARE * questions,
    cheapestOfBrand: (brands) => MAX_TIMES_ITS_SHARE * Math.ceil(questions / Math.max(1, brands)),
  };
}

type Queue = {
  readonly brand: BrandId;
  readonly candidates: readonly EstimatedCandidate[];
  readonly isPredictable: boolean;
  asked: number;
  /** Questions that it got because it was next, less all that it refused, also of those that it got as the cheapest. */
  turns: number;
};

/** Equal ones by the estimate of their next candidate, then by name. */
function lowest(queues: readonly Queue[], measure: (queue: Queue) => number = () => 0): Queue | undefined {
  let best: Queue | undefined;
  for (const queue of queues) {
    if (!best || compare(queue, best, measure) < 0) best = queue;
  }
  return best;
}

function compare(one: Queue, other: Queue, measure: (queue: Queue) => number): number {
  const nextEstimate = ({ candidates, asked }: Queue) => candidates[asked]?.estimate ?? 0;
  return (
    measure(one) - measure(other) ||
    nextEstimate(one) - nextEstimate(other) ||
    (one.brand < other.brand ? -1 : 1)
  );
}
