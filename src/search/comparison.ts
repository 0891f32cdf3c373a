import type { AmenityCount, Matches } from '../availability/availability-index.ts';
import { isSharedAmenity } from '../catalogue/amenities.ts';
import {
  type Brand,
  type BrandId,
  hasScore,
  type Network,
  type Place,
  type PlaceId,
  type Property,
  type PropertyId,
} from '../catalogue/catalogue.ts';
import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { AmenityOffer } from '../contract/payload-fields.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import { paidBesides } from '../quotes/judge-answer.ts';
import type { BrandFailure, Collected, CollectedQuote } from '../quotes/quote-search.ts';
import type { MinorUnits } from '../stay/money.ts';
import type { Alternatives, RefusedHomes } from './alternatives.ts';

/** The most amenities in an answer and a session: operators may name any number. */
const MAX_AMENITIES_OFFERED = 60;

/** A complete comparison set as data. */
export type Comparison = {
  readonly criteria: CompleteCriteria;
  readonly place: Place;
  /** The cheapest priced match of each brand, then the cheapest of all, ordered by total. */
  readonly options: readonly ComparedOption[];
  /** Matches in the index, without those that their operator has just declined. */
  readonly totalMatches: number;
  /** Whether a cheaper match is hidden because another brand's cheapest took its place. */
  readonly skipsCheaper: boolean;
  /** How many of the matches were priced, shown or not. */
  readonly pricedMatches: number;
  /** Matches without the amenities of the criteria, left out because their operator publishes no amenities. */
  readonly unpublishedAmenities: number;
  /** For an empty set: whether all brands that were asked quote final totals. */
  readonly totalsAreFinal: boolean;
  readonly amenityOffers: readonly AmenityOffer[];
  readonly coverage: Collected['coverage'];
  /** Brands that gave no usable answer for some or all homes, by name. */
  readonly silent: readonly SilentBrand[];
  /** Brands that may have matches and could not be read, by name. */
  readonly unsearchable: readonly Brand[];
  /** For an empty set: brands with matches that were paused during the search, by name. */
  readonly paused: readonly Brand[];
  /** Why operators declined matches. */
  readonly refused: RefusedHomes;
  /** For an empty set: other stays on offer. */
  readonly alternatives: Alternatives;
  /** The earliest time to ask a silent brand again; null when asking now makes sense. */
  readonly askAgainAt: number | null;
  /** The end of the session, when the set of quotes expires. */
  readonly validUntil: number;
};

/** `held`: the operator promised the price until `validUntil`. `at_retrieval`: it was the price when it was read. */
type PriceGuarantee = 'held' | 'at_retrieval';

export type ComparedOption = {
  readonly nxq: string;
  readonly property: Property;
  readonly brand: Brand;
  readonly timeZone: string;
  readonly quote: CollectedQuote;
  readonly guarantee: PriceGuarantee;
  /** The earlier of the operator's hold and the end of the session. */
  readonly validUntil: number;
};

/** A brand that gave no usable answer, and why. */
export type SilentBrand = {
  readonly brand: Brand;
  readonly kind: FailureKind;
  /** When it may be asked again; null when it may be asked now, as far as is known. */
  readonly askableAt: number | null;
};

type ComparisonFacts = {
  readonly criteria: CompleteCriteria;
  /** As of the time when the operators were asked. */
  readonly matches: Matches;
  /** The matches after the search. Given when a brand was paused meanwhile; otherwise computed from the declined homes. */
  readonly left?: Pick<Matches, 'total' | 'amenities'>;
  readonly unpublishedAmenities: number;
  readonly maxOptions: number;
  readonly collected: Collected;
  /** The listings as of the time when their operators were asked. */
  readonly listing: (id: PropertyId) => Property | undefined;
  /** Whether it is still on offer. */
  readonly isOffered: (id: PropertyId) => boolean;
  readonly isCommonAmenity: (amenity: string) => boolean;
  readonly network: Network;
  readonly sessionEnd: number;
  readonly newQuoteId: () => string;
} & Pick<Comparison, 'silent' | 'unsearchable' | 'paused' | 'refused' | 'alternatives' | 'askAgainAt'>;

export function compareQuotes(facts: ComparisonFacts): Comparison {
  const { criteria, matches, collected, listing, isOffered, network, sessionEnd, maxOptions } = facts;
  const refused = [...new Set(collected.refused.map(({ property }) => property))];
  const left = facts.left ?? {
    total: matches.total - refused.length,
    amenities: countsWithout(refused, matches.amenities, listing),
  };
  const ranked = rankQuotes(collected.quoted, (property) => listing(property)?.rating);
  // Without homes that a refresh has removed or redescribed in the meantime.
  const isListed = ({ property }: CollectedQuote) => {
    const described = listing(property);
    return isOffered(property) && described !== undefined && suitsCriteria(described, criteria, network);
  };
  // More homes are priced than shown, and loading a listing is expensive.
  const chosen = choosePlaces(ranked, maxOptions, isListed);
  const isShown = new Set(chosen);
  const cheaper = ranked.slice(0, ranked.findLastIndex((quote) => isShown.has(quote)) + 1);
  const options = chosen.flatMap((quote) => optionFrom(quote, facts));
  return {
    criteria,
    place: required(network.places.get(criteria.place), criteria.place),
    options,
    totalMatches: left.total,
    skipsCheaper: cheaper.some((quote) => !isShown.has(quote) && isListed(quote)),
    pricedMatches: collected.quoted.length,
    unpublishedAmenities: facts.unpublishedAmenities,
    totalsAreFinal: options.length > 0 ? options.every(isFinal) : areAllIn(collected.coverage, network),
    amenityOffers: options.length === 0 ? [] : offersFrom(left.amenities, left.total, facts),
    coverage: collected.coverage,
    silent: facts.silent,
    unsearchable: facts.unsearchable,
    paused: facts.paused,
    refused: facts.refused,
    alternatives: facts.alternatives,
    askAgainAt: facts.askAgainAt,
    validUntil: sessionEnd,
  };
}

/** Below every rating: a share of the scale is at least 0. */
const NO_SCORE = -1;

/**
 * Lowest total first; equal totals by rating, best first, then by property id, so that the order is reproducible. A home without a score
 * comes after all with one: otherwise it would pay to hide a bad score.
 */
export function rankQuotes<Quote extends { readonly property: PropertyId; readonly total: MinorUnits }>(
  quoted: readonly Quote[],
  ratingOf: (property: PropertyId) => Property['rating'] | undefined,
): readonly Quote[] {
  const share = (property: PropertyId) => {
    const rating = ratingOf(property);
    return rating && rating.scale > 0 && hasScore(rating) ? rating.score / rating.scale : NO_SCORE;
  };
  return quoted
    .map((quote) => ({ quote, share: share(quote.property) }))
    .sort(
      (a, b) =>
        a.quote.total - b.quote.total || b.share - a.share || (a.quote.property < b.quote.property ? -1 : 1),
    )
    .map(({ quote }) => quote);
}

/**
 * Chooses `places` listed quotes and keeps their order: the first of each brand, so that no brand crowds another out, then the first of all.
 * Calls `isListed` only for quotes that may be chosen.
 */
export function choosePlaces<Quote extends { readonly brand: BrandId }>(
  ranked: readonly Quote[],
  places: number,
  isListed: (quote: Quote) => boolean = () => true,
): readonly Quote[] {
  const ofBrands = new Map<BrandId, Quote>();
  for (const quote of ranked) {
    if (!ofBrands.has(quote.brand) && isListed(quote)) ofBrands.set(quote.brand, quote);
  }
  const chosen = new Set([...ofBrands.values()].slice(0, places));
  for (const quote of ranked) {
    if (chosen.size >= places) break;
    if (!chosen.has(quote) && isListed(quote)) chosen.add(quote);
  }
  return ranked.filter((quote) => chosen.has(quote));
}

function optionFrom(
  quote: CollectedQuote,
  { listing, network, sessionEnd, newQuoteId }: ComparisonFacts,
): ComparedOption[] {
  const property = listing(quote.property);
  if (!property) return [];
  return [
    {
      nxq: newQuoteId(),
      property,
      brand: required(network.brands.get(property.brand), property.brand),
      timeZone: required(network.places.get(property.place), property.place).timeZone,
      quote,
      guarantee: quote.heldUntil === null ? 'at_retrieval' : 'held',
      // Rounded down to seconds, as in the answer: a price is never shown as valid for longer than it is.
      validUntil: Math.min(sessionEnd, wholeSeconds(quote.heldUntil ?? sessionEnd)),
    },
  ];
}

/** Nothing is added later, neither by the operator's rules nor on site. */
function isFinal({ brand, quote }: ComparedOption): boolean {
  return brand.allInTotals && paidBesides(quote) === 0;
}

function areAllIn(coverage: Collected['coverage'], network: Network): boolean {
  return (
    coverage.length > 0 && coverage.every(({ brand }) => network.brands.get(brand)?.allInTotals === true)
  );
}

/** The counts without the homes declined in this search. */
function countsWithout(
  refused: readonly PropertyId[],
  counts: readonly AmenityCount[],
  listing: ComparisonFacts['listing'],
): readonly AmenityCount[] {
  if (refused.length === 0) return counts;
  const left = new Map(counts.map(({ amenity, properties }) => [amenity, properties]));
  for (const id of refused) {
    for (const amenity of Object.keys(listing(id)?.amenities ?? {})) {
      left.set(amenity, (left.get(amenity) ?? 0) - 1);
    }
  }
  return [...left]
    .map(([amenity, properties]) => ({ amenity, properties }))
    .sort((one, other) => other.properties - one.properties || (one.amenity < other.amenity ? -1 : 1));
}

/** Offers only amenities that narrow the set. The shared vocabulary comes first, then the most frequent. */
function offersFrom(counts: readonly AmenityCount[], of: number, facts: ComparisonFacts): AmenityOffer[] {
  const narrowing = counts.filter(({ properties }) => properties > 0 && properties < of);
  const shared = narrowing.filter(({ amenity }) => isSharedAmenity(amenity));
  const others = narrowing.filter(({ amenity: key }) => !isSharedAmenity(key) && facts.isCommonAmenity(key));
  return [...shared, ...others]
    .slice(0, MAX_AMENITIES_OFFERED)
    .map(({ amenity, properties }) => ({ value: amenity, match_count: properties, of }));
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}

function required<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`the network does not know ${id}`);
  return value;
}

/**
 * Whether a listing meets the criteria. The index takes a changed listing over with its next calendar; until then it can find a home by an
 * outdated listing.
 */
function suitsCriteria(
  { place, currency, maxGuests, amenities }: Property,
  criteria: CompleteCriteria,
  { places }: Network,
): boolean {
  const isThere = (id: PlaceId | null): boolean =>
    id !== null && (id === criteria.place || isThere(places.get(id)?.parent ?? null));
  return (
    maxGuests >= criteria.guests &&
    criteria.amenities.every((amenity) => Object.hasOwn(amenities ?? {}, amenity)) &&
    currency === places.get(criteria.place)?.currency &&
    isThere(place)
  );
}

export function silentAmong(
  failures: readonly BrandFailure[],
  { brands }: Pick<Network, 'brands'>,
  now: number,
): readonly SilentBrand[] {
  return failures.flatMap(({ brand: id, kind, askableAfterMs }) => {
    const brand = brands.get(id);
    return brand ? [{ brand, kind, askableAt: askableAfterMs === 0 ? null : now + askableAfterMs }] : [];
  });
}
