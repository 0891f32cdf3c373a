import type { Brand, Property } from '../../src/catalogue/catalogue.ts';
import type { CompleteCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { CollectedQuote } from '../../src/quotes/quote-search.ts';
import type { ComparedOption, Comparison } from '../../src/search/comparison.ts';
import { parseDay } from '../../src/stay/day.ts';
import { sampleProperty } from './sample-property.ts';

/** Three nights in Lisbon for two. */
export const sampleCriteria: CompleteCriteria = {
  brand: null,
  place: 'lisbon-pt',
  checkInMonth: null,
  checkIn: parseDay('2027-04-10') ?? 0,
  checkOut: parseDay('2027-04-13') ?? 0,
  guests: 2,
  amenities: [],
};

/** A brand whose website has its own parameter names. */
export const casas: Brand = {
  id: 'casas',
  name: 'Casas de Lisboa',
  singleLocation: null,
  inventorySource: 'rate_card',
  allInTotals: true,
  website: {
    hosts: ['casas.example'],
    stayParameters: { checkIn: 'from', checkOut: 'to', guests: 'people', source: 'via', destination: 'city' },
    resultsUrl: 'https://casas.example/search?lang=en',
  },
};

export function sampleOption({
  property = {},
  quote = {},
  ...facts
}: Partial<Omit<ComparedOption, 'property' | 'quote'>> & {
  readonly property?: Partial<Property>;
  readonly quote?: Partial<CollectedQuote>;
} = {}): ComparedOption {
  return {
    nxq: 'nxq_1',
    property: sampleProperty({ brand: 'casas', reference: '1', ...property }),
    brand: casas,
    timeZone: 'Europe/Lisbon',
    quote: {
      kind: 'quoted',
      property: 'casas:1',
      brand: 'casas',
      total: 30_000,
      lines: [],
      linesAvailable: false,
      heldUntil: null,
      retrievedAt: Date.parse('2026-11-15T09:30:00.900Z'),
      deposit: null,
      dueOnSite: null,
      ...quote,
    },
    guarantee: 'at_retrieval',
    validUntil: Date.parse('2026-11-15T10:00:00Z'),
    ...facts,
  };
}

/** One option of one brand, without a refine step. */
export function sampleComparison(facts: Partial<Comparison> = {}): Comparison {
  return {
    criteria: sampleCriteria,
    place: {
      id: 'lisbon-pt',
      name: 'Lisbon',
      aliases: [],
      kind: 'city',
      parent: null,
      timeZone: 'Europe/Lisbon',
      currency: 'EUR',
    },
    options: [sampleOption()],
    totalMatches: 1,
    skipsCheaper: false,
    pricedMatches: 1,
    unpublishedAmenities: 0,
    totalsAreFinal: true,
    amenityOffers: [],
    coverage: [{ brand: 'casas', asked: 1, quoted: 1, unavailable: 0, failed: 0, implausible: 0 }],
    silent: [],
    unsearchable: [],
    paused: [],
    refused: [],
    alternatives: {},
    askAgainAt: null,
    validUntil: Date.parse('2026-11-15T10:00:00Z'),
    ...facts,
  };
}
