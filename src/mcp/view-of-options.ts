import type { Option } from '../contract/option.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import type { StaySort } from '../contract/tools/stay-arguments.ts';

/** The options that the traveller asked to see. Ranks stay those of the set, so that views cannot change what is cheapest. */
export function viewOfOptions(options: readonly Option[], view: StayView, now: number): readonly Option[] {
  const shown = options.filter(
    (option) =>
      (view.max_total === null || option.quote.amount <= view.max_total) &&
      (!view.free_cancellation || canCancelFreely(option, now)),
  );
  return shown.toSorted((one, other) => ORDERS[view.sort](one, other) || one.rank - other.rank);
}

function canCancelFreely({ cancellation }: Option, now: number): boolean {
  const until = cancellation.free_cancellation_until;
  return until !== null && Date.parse(until) > now;
}

/** Ties keep the order of the set. */
const ORDERS: Readonly<Record<StaySort, (one: Option, other: Option) => number>> = {
  price: () => 0,
  rating: (one, other) => share(other) - share(one),
  capacity: (one, other) => other.capacity.max_guests - one.capacity.max_guests,
};

/** Brands rate on different scales. A home that nobody rated comes last. */
function share({ rating }: Option): number {
  return rating.review_count === null || rating.review_count === 0 ? -1 : rating.score / rating.scale;
}
