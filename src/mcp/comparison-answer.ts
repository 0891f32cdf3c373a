import type { Option } from '../contract/option.ts';
import type { ResultBody } from '../contract/result-body.ts';
import { notesForTools } from '../contract/result-notes.ts';
import type { StayAnswer, StayComparison, StayRefusal, StayView } from '../contract/tools/stay-answer.ts';
import type { StaySort } from '../contract/tools/stay-arguments.ts';
import { freeCancellationAt, ratingOf, summaryOf } from '../stay/wording.ts';
import { sideEffectsOf } from './questions-and-refusals.ts';

/** More would cost tokens in every answer; `refine_stays` accepts the others too. */
const MAX_NARROWING_AMENITIES = 5;

/** A comparison set, shaped for models. */
export function comparisonAnswer(
  body: ResultBody,
  view: StayView,
  /** Refusals of all requests of the call. */
  refusals: readonly StayRefusal[],
  now: number,
): StayAnswer & { readonly comparison: StayComparison } {
  return {
    outcome: 'comparison',
    session: body.session,
    ...(refusals.length === 0 ? {} : { refusals: [...refusals] }),
    ...sideEffectsOf(body),
    comparison: comparisonOf(body, view, now),
  };
}

function comparisonOf(body: ResultBody, view: StayView, now: number): StayComparison {
  const { query, comparison_set: set } = body;
  const { fitting, unpublishedCancellation } = viewOfOptions(body.results, view, now);
  const shown = fitting.slice(0, view.max_options);
  return {
    destination: query.destination,
    check_in: query.check_in,
    check_out: query.check_out,
    nights: query.nights,
    guests: query.guests,
    currency: set.currency,
    totals_include_taxes_and_fees: set.totals_include_taxes_and_fees,
    prices_read_at: set.quotes_retrieved_at,
    prices_valid_until: set.quotes_valid_until,
    matches: set.total_matches,
    priced: set.selection.priced,
    complete: set.selection.complete,
    lowest_total: body.results[0]?.quote.amount ?? null,
    options_in_set: set.options_count,
    view,
    filters: body.applied_filters.amenities,
    narrow_by_in_all: body.available_requests.refine?.options.length ?? 0,
    narrow_by: narrowingAmenities(body),
    silent_brands: set.coverage.filter(({ failed }) => failed > 0).map(({ brand }) => brand),
    all_results_url: body.all_results_url,
    ...(set.unpublished_amenities ? { unpublished_amenities: set.unpublished_amenities } : {}),
    ...(unpublishedCancellation > 0 ? { unpublished_cancellation: unpublishedCancellation } : {}),
    notes: [...limitOfView(body, view), notesForTools(body.notes)].join(' '),
    more_options: fitting.length - shown.length,
    options: shown.map((option) => summaryOf(option, now)),
  };
}

function narrowingAmenities({ available_requests: { refine } }: ResultBody): StayComparison['narrow_by'] {
  return (refine?.options ?? [])
    .slice(0, MAX_NARROWING_AMENITIES)
    .map(({ value, match_count }) => ({ amenity: value, matches: match_count }));
}

/** Warns that homes outside the set may fit the view too. */
function limitOfView({ comparison_set: set }: ResultBody, view: StayView): readonly string[] {
  if (chosenInView(view).length === 0 || set.total_matches <= set.options_count) return [];
  return [
    `This view is of the set, ${set.options_count} out of ${set.total_matches} matches: others may fit it too. Fewer matches, by amenities or another stay, bring them into the set.`,
  ];
}

type ViewOfOptions = {
  /** In the order of the view, shown or not. Ranks are those of the set, so that no view changes which option is cheapest. */
  readonly fitting: readonly Option[];
  /** Options that only the free-cancellation filter left out, because their operator publishes no terms: they may fit. */
  readonly unpublishedCancellation: number;
};

/** The options that match the traveller's view. */
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

/** A member of a view without a filter does not compile. */
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

/** A budget covers all payments. A refundable deposit is none. */
function everythingPaid({ amount, due_on_site, deposit }: Option['quote']): number {
  return amount + (due_on_site ?? 0) + (deposit && !deposit.refundable ? deposit.amount : 0);
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

/** Brands rate on different scales. Unrated homes come last. */
function share(option: Option): number {
  const rating = ratingOf(option);
  return rating === null ? -1 : rating.score / rating.scale;
}
