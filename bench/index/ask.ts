import { createAvailabilityIndex } from '../../src/inventory/availability-index/memory-index.ts';
import type { Property } from '../../src/inventory/catalogue.ts';
import type { CompleteCriteria, StayCriteria } from '../../src/inventory/stay-criteria.ts';
import type { MinorUnits } from '../../src/stay/money.ts';
import { type BenchHome, type BenchInventory, type HomeFacts, noonOf } from '../inventory/bench-inventory.ts';

/** The full question: how many homes match, what the cheapest cost, and how many have each amenity. */
export type FullAnswer = {
  readonly count: number;
  /** Of the cheapest, in rising order; null for those without a price, which come last. */
  readonly totals: readonly (MinorUnits | null)[];
  /** Amenity → how many of the matching homes have it; those that none has are left out. */
  readonly amenities: ReadonlyMap<string, number>;
};

export const CHEAPEST = 20;

/** The questions of a guided search, by what their answer offers. Each returns how much it offers, so that nothing is skipped. */
export const STEPS = [
  'destinations',
  'months',
  'days',
  'check-outs',
  'guests',
  'has match',
  'obstacle',
] as const;
export type Step = (typeof STEPS)[number];

/** The index as the benchmark asks it: the only file of the benchmark that knows its port. */
export type AskedIndex = {
  load(homes: Iterable<BenchHome>): void;
  replace(home: BenchHome): void;
  fullQuestion(criteria: CompleteCriteria): FullAnswer;
  step(name: Step, criteria: StayCriteria): number;
  /** Lets a night pass. Returns for how long it held the thread at most. */
  rollOver(): Promise<number>;
  /** Memory that Node does not count: of WebAssembly, and shared memory that can grow. */
  uncountedBytes(): number;
  /** Undefined where the index has no snapshots. */
  readonly snapshot?: {
    write(file: string): Promise<void>;
    read(file: string): Promise<void>;
  };
};

const MS_PER_DAY = 86_400_000;

export function createAskedIndex({ network, today }: Pick<BenchInventory, 'network' | 'today'>): AskedIndex {
  const index = createAvailabilityIndex(network);
  let now = noonOf(today);
  const steps: Record<Step, (criteria: StayCriteria) => number> = {
    destinations: (criteria) => index.destinations(criteria, now).length,
    months: (criteria) => index.checkInMonths(criteria, now).length,
    days: (criteria) => index.checkInDays(criteria, now).length,
    'check-outs': (criteria) => index.checkOutDays(criteria, now).length,
    guests: (criteria) => index.largestParty(criteria, now),
    'has match': (criteria) => (index.hasMatch(criteria, now) ? 1 : 0),
    obstacle: (criteria) => (index.obstacle(criteria, now) === null ? 0 : 1),
  };
  return {
    load(homes) {
      for (const { home, calendar } of homes) index.put(propertyOf(home), calendar);
    },
    replace: ({ home, calendar }) => index.put(propertyOf(home), calendar),
    fullQuestion(criteria) {
      const candidates = index.candidates(criteria, now);
      const counts = index.amenityCounts(candidates.map(({ property }) => property));
      return {
        count: candidates.length,
        totals: candidates.slice(0, CHEAPEST).map(({ indicativeTotal }) => indicativeTotal),
        amenities: new Map(counts.map(({ amenity, properties }) => [amenity, properties])),
      };
    },
    step: (name, criteria) => steps[name](criteria),
    // The present index reads its clock with every question, so the first ones after midnight are what takes long.
    async rollOver() {
      now += MS_PER_DAY;
      const anything = { brand: null, place: null, checkInMonth: null, checkIn: null, checkOut: null };
      const pauses = STEPS.map((name) => {
        const startedAt = performance.now();
        steps[name]({ ...anything, guests: null, amenities: [] });
        return performance.now() - startedAt;
      });
      return Math.max(...pauses);
    },
    uncountedBytes: () => 0,
  };
}

const TEXTS = {
  name: 'A home',
  location: 'Somewhere',
  summary: '',
  bedrooms: null,
  bathrooms: null,
  rating: { score: 0, scale: 5, reviewCount: 0 },
  cancellation: { summary: '', free: null },
  checkInTime: null,
  checkOutTime: null,
  images: [{ url: 'https://stay.example/home.jpg', alt: 'A home', type: 'exterior' }],
  url: 'https://stay.example/home',
  bookingMode: 'instant',
} as const satisfies Partial<Property>;

/** All homes share their texts, which are no part of what is measured. */
function propertyOf(home: HomeFacts): Property {
  return { ...TEXTS, ...home, reference: home.id.slice(home.brand.length + 1) };
}
