import type { Option } from '../contract/option.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import type { StaySort } from '../contract/tools/stay-arguments.ts';
import { ratingOf } from './rating-of.ts';

export type ViewOfOptions = {
  /** In the order of the view, shown or not. Ranks stay those of the set, so that views cannot change what is cheapest. */
  readonly fitting: readonly Option[];
  /** Options that only the filter on free cancellation left out and that may have it: their operator publishes no terms. */
  readonly unpublishedCancellation: number;
};

/** The options that fit what the traveller asked to see. */
export function viewOfOptions(options: readonly Option[], view: StayView, now: number): ViewOfOptions {
  const fits = (option: Option, asked: StayView) =>
    Object.values(FILTERS).every((filter) => filter(option, asked, now));
  const fitting = options
    .filter((option) => fits(option, view))
    .toSorted((one, other) => ORDERS[view.sort](one, other) || one.rank - other.rank);
  const withoutTerms = options.filter(
    (option) =>
      option.cancellation.free_cancellation === 'unpublished' &&
      fits(option, { ...view, free_cancellation: false }),
  );
  return { fitting, unpublishedCancellation: view.free_cancellation ? withoutTerms.length : 0 };
}

/** A member of a view that nothing looks at does not compile. */
const FILTERS: Readonly<
  Record<
    Exclude<keyof StayView, 'sort' | 'max_options'>,
    (option: Option, view: StayView, now: number) => boolean
  >
> = {
  max_total: ({ quote }, { max_total }) => max_total === null || everythingPaid(quote) <= max_total,
  free_cancellation: (option, view, now) =>
    !view.free_cancellation || freeCancellationAt(option, now) === 'until',
};

/** Whoever names a budget means all of it. A deposit that is given back is none of it. */
function everythingPaid({ amount, due_on_site, deposit }: Option['quote']): number {
  return amount + (due_on_site ?? 0) + (deposit && !deposit.refundable ? deposit.amount : 0);
}

/** A set is shown for as long as its session lasts, in which a free period can end. */
export function freeCancellationAt(
  { cancellation }: Option,
  now: number,
): Option['cancellation']['free_cancellation'] {
  const { free_cancellation, free_cancellation_until: until } = cancellation;
  return until !== null && Date.parse(until) <= now ? 'over' : free_cancellation;
}

/** The members that leave options out or reorder them. */
export function chosenInView({ max_total, free_cancellation, sort }: StayView): readonly (keyof StayView)[] {
  return [
    ...(max_total === null ? [] : (['max_total'] as const)),
    ...(free_cancellation ? (['free_cancellation'] as const) : []),
    ...(sort === 'price' ? [] : (['sort'] as const)),
  ];
}

/** Ties keep the order of the set. */
const ORDERS: Readonly<Record<StaySort, (one: Option, other: Option) => number>> = {
  price: () => 0,
  rating: (one, other) => share(other) - share(one),
  capacity: (one, other) => other.capacity.max_guests - one.capacity.max_guests,
};

/** Brands rate on different scales. A home that nobody rated comes last. */
function share(option: Option): number {
  const rating = ratingOf(option);
  return rating === null ? -1 : rating.score / rating.scale;
}
