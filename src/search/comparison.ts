import type { AvailabilityIndex, Candidate } from '../inventory/availability-index/availability-index.ts';
import type { Brand, Network, Place, Property } from '../inventory/catalogue.ts';
import type { CompleteCriteria } from '../inventory/stay-criteria.ts';
import type { Collected, CollectedQuote } from '../quotes/quote-search.ts';
import { rankQuotes } from '../quotes/rank.ts';
import type { AmenityOffer } from '../sessions/session.ts';

/** A complete comparison set as data. */
export type Comparison = {
  readonly criteria: CompleteCriteria;
  readonly place: Place;
  readonly options: readonly ComparedOption[];
  /** Matches in the index, without those that their operator has just refused. */
  readonly totalMatches: number;
  readonly totalsAreFinal: boolean;
  readonly amenityOffers: readonly AmenityOffer[];
  readonly coverage: Collected['coverage'];
  /** The earliest price validity. The session and the set of quotes end then too. */
  readonly validUntil: number;
};

export type ComparedOption = {
  readonly nxq: string;
  readonly property: Property;
  readonly brand: Brand;
  readonly timeZone: string;
  readonly quote: CollectedQuote;
  readonly validUntil: number;
};

export type ComparisonFacts = {
  readonly criteria: CompleteCriteria;
  readonly candidates: readonly Candidate[];
  readonly collected: Collected;
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly sessionEnd: number;
  readonly newQuoteId: () => string;
};

export function compareQuotes(facts: ComparisonFacts): Comparison {
  const { criteria, candidates, collected, index, network, sessionEnd } = facts;
  const refused = new Set(collected.refused.map(({ property }) => property));
  const matches = candidates.map(({ property }) => property).filter((property) => !refused.has(property));
  const ranked = rankQuotes(collected.quoted, (property) => index.property(property)?.rating);
  const options = ranked.flatMap((quote) => optionFrom(quote, facts));
  return {
    criteria,
    place: required(network.places.get(criteria.place), criteria.place),
    options,
    totalMatches: matches.length,
    totalsAreFinal: options.length > 0 && options.every(({ brand }) => brand.allInTotals),
    amenityOffers: options.length === 0 ? [] : narrowingAmenities(index, matches),
    coverage: collected.coverage,
    validUntil: Math.min(sessionEnd, ...options.map((option) => option.validUntil)),
  };
}

/** Empty for a property that a refresh has removed from the catalogue in the meantime. */
function optionFrom(
  quote: CollectedQuote,
  { index, network, sessionEnd, newQuoteId }: ComparisonFacts,
): ComparedOption[] {
  const property = index.property(quote.property);
  if (!property) return [];
  return [
    {
      nxq: newQuoteId(),
      property,
      brand: required(network.brands.get(property.brand), property.brand),
      timeZone: required(network.places.get(property.place), property.place).timeZone,
      quote,
      // Rounded down to seconds, as in the answer: a price is never shown as valid for longer than it is.
      validUntil: Math.min(sessionEnd, wholeSeconds(quote.heldUntil ?? sessionEnd)),
    },
  ];
}

/** An amenity that all matches have, or none, would not narrow the set. */
function narrowingAmenities(index: AvailabilityIndex, matches: readonly string[]): AmenityOffer[] {
  return index
    .amenityCounts(matches)
    .filter(({ properties }) => properties > 0 && properties < matches.length)
    .map(({ amenity, properties }) => ({ value: amenity, match_count: properties, of: matches.length }));
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}

function required<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`the network does not know ${id}`);
  return value;
}
