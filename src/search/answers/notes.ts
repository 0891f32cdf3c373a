import { isNotYetRated, isRatingUnpublished } from '../../catalogue/catalogue.ts';
import { NOTE_WORDS } from '../../contract/result-notes.ts';
import type { AlternativeField, Alternatives } from '../alternatives.ts';
import type { ComparedOption, Comparison } from '../comparison.ts';
import {
  canAskAgain,
  earliestAgain,
  notOnOffer,
  notRead,
  refusedHomes,
  silentInSet,
} from './coverage-text.ts';

const NOTHING_FREE = 'No operator could offer this stay, so there is nothing to compare.';
const CHANGE = `Change the dates, the destination or the guests${NOTE_WORDS.change.rest}`;
const NOTHING_COMPARABLE =
  'No price came back that can be compared, which does not mean that nothing is free.';
const TRUE_AT_RETRIEVAL =
  'A price with price_guarantee at_retrieval was true at retrieved_at and is confirmed on the operator’s website.';
const CATALOGUES = 'Catalogue pages elsewhere are indicative only.';
const INCOMPLETE = `Not every match was priced, so a home that was not priced may be cheaper than rank 1${NOTE_WORDS.pricedCount.rest}`;
const SKIPS_CHEAPER =
  'Every brand that quoted has its cheapest home in the set, so some homes that are not shown cost less than the last options.';
const NOTHING_PRICED = `Not every match was priced, so a home that was not priced may still be free${NOTE_WORDS.pricedCount.rest}`;
const SOME_SILENT = 'At least one brand gave no usable answer for some homes or for all';
const STILL_FREE = 'Those homes may still be free';
const IMPLAUSIBLE = `Totals far below all that is known of a property and its place, or far below what other brands ask there, were taken for mistakes and left out${NOTE_WORDS.implausibleCount.rest}`;
const UNPUBLISHED_AMENITIES =
  'Matches that publish no amenities were left out by the filter; unpublished_amenities says how many.';
const NOT_FINAL =
  'At least one operator does not state that its totals hold every tax and fee, so amounts may not be final.';
const DUE_ON_SITE =
  'For at least one option something is paid at the property besides the total; quote.due_on_site says how much.';
const DIFFERENT_SCALES = 'Ratings have different scales: compare rating.score as a share of rating.scale.';
const RATING_UNPUBLISHED =
  'A rating score of 0 with review_count null means that the rating is not published, not that it is bad.';

const SOURCES = {
  live_booking_system: 'booking systems',
  rate_card: 'rate cards',
} as const;

/** The `notes` of a result. No sentence repeats an operator's text: brand names are the network's. */
export function notesOn(comparison: Comparison): string {
  const { options, coverage, unsearchable, paused, totalMatches, pricedMatches, unpublishedAmenities } =
    comparison;
  const isEmpty = options.length === 0;
  const isIncomplete = pricedMatches < totalMatches;
  const someSilent = coverage.some(({ failed }) => failed > 0);
  const someImplausible = coverage.some(({ implausible }) => implausible > 0);
  const mayStillBeFree =
    isIncomplete || someSilent || someImplausible || unsearchable.length > 0 || paused.length > 0;
  return [
    ...(isEmpty ? sentencesOnNothing(comparison, mayStillBeFree) : sentencesOnPrices(comparison)),
    ...(isIncomplete ? [isEmpty ? NOTHING_PRICED : INCOMPLETE] : []),
    ...(comparison.skipsCheaper ? [SKIPS_CHEAPER] : []),
    ...(someSilent ? sentencesOnSilence(comparison) : []),
    ...(unsearchable.length > 0 ? [notRead(unsearchable)] : []),
    ...(paused.length > 0 ? [notOnOffer(paused)] : []),
    ...(someImplausible ? [IMPLAUSIBLE] : []),
    ...(unpublishedAmenities > 0 ? [UNPUBLISHED_AMENITIES] : []),
    ...(options.some(({ brand }) => !brand.allInTotals) ? [NOT_FINAL] : []),
    ...(options.some(({ quote }) => (quote.dueOnSite ?? 0) > 0) ? [DUE_ON_SITE] : []),
    ...(options.some(leavesSomethingUnpublished) ? [NOTE_WORDS.nullIsUnpublished.rest.trim()] : []),
    ...(options.some(({ property }) => isNotYetRated(property.rating))
      ? [NOTE_WORDS.notYetRated.rest.trim()]
      : []),
    ...(options.some(({ property }) => isRatingUnpublished(property.rating)) ? [RATING_UNPUBLISHED] : []),
    ...(new Set(options.map(({ property }) => property.rating.scale)).size > 1 ? [DIFFERENT_SCALES] : []),
    NOTE_WORDS.operatorText.rest.trim(),
  ].join(' ');
}

function leavesSomethingUnpublished({ quote, property }: ComparedOption): boolean {
  const hours = property.bookingMode === 'request' ? property.confirmationHours : null;
  return [quote.deposit, quote.dueOnSite, hours ?? null].includes(null);
}

function sentencesOnNothing({ refused, alternatives }: Comparison, mayStillBeFree: boolean): string[] {
  const near = nearby(alternatives);
  return [
    mayStillBeFree ? NOTHING_COMPARABLE : NOTHING_FREE,
    ...(refused.length > 0 ? [refusedHomes(refused)] : []),
    ...(near.length > 0
      ? [`By the calendars still free nearby: ${near.join('; ')}.`, NOTE_WORDS.nearest.rest.trim()]
      : []),
    ...(near.length > 0 || mayStillBeFree ? [] : [CHANGE]),
  ];
}

const NEARBY = {
  check_in_day: (stays) => `as many nights from ${stays}`,
  check_out: (days) => `departures on ${days}`,
  guests: (parties) => `parties of ${parties}`,
} as const satisfies Record<AlternativeField, (values: string) => string>;

function nearby(alternatives: Alternatives): string[] {
  return (Object.keys(NEARBY) as AlternativeField[]).flatMap((field) => {
    const ways = alternatives[field] ?? [];
    const values = ways.map((way) => way.map(({ value }) => value).join(' to ')).join(', ');
    return ways.length === 0 ? [] : [NEARBY[field](values)];
  });
}

function sentencesOnSilence(comparison: Comparison): string[] {
  const { askAgainAt, silent, validUntil } = comparison;
  const who = silent.length === 0 ? '' : `: ${silentInSet(silent, validUntil)}`;
  const whose = `${SOME_SILENT}${who}${NOTE_WORDS.silentCount.rest}`;
  if (!canAskAgain(comparison)) return [whose, `${STILL_FREE}.`];
  return [
    whose,
    `${STILL_FREE}${NOTE_WORDS.askAgain.rest}`,
    ...(askAgainAt === null ? [] : [`Before ${earliestAgain(askAgainAt)} that is of no use.`]),
  ];
}

function sentencesOnPrices({ options }: Comparison): string[] {
  const sources = [...new Set(options.map(({ brand }) => SOURCES[brand.inventorySource]))].sort();
  const live = `Prices are live quotes from the operators’ ${sources.join(' and ')}, held until price_valid_until`;
  return options.every(({ guarantee }) => guarantee === 'held')
    ? [`${live}.`, CATALOGUES]
    : [`${live} where price_guarantee is held.`, TRUE_AT_RETRIEVAL, CATALOGUES];
}
