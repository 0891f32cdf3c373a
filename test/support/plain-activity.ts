import fc from 'fast-check';
import type { ActivityStore, CountedLabels } from '../../src/analytics/activity-store.ts';
import type { BookingOutcomes } from '../../src/analytics/bookings/booking-outcomes.ts';
import {
  bucketOf,
  type Count,
  DRIFT_BUCKETS,
  hourOf,
  type Labels,
  LEAD_BUCKETS,
  type Measure,
  NO_LABELS,
  TIME_BUCKETS,
} from '../../src/analytics/count.ts';
import type { BookingOutcome } from '../../src/quotes/booking.ts';

/** What happened, one by one, as nobody keeps it: what reports say is held against plain counts over these lists. Instants are in epoch milliseconds. */
export type PlainActivity = {
  readonly sessions: readonly PlainSession[];
  readonly wishes: readonly (Happened & {
    assistant: string;
    place: string;
    month: string;
    reason: string;
  })[];
  readonly missing: readonly (Happened & { name: string })[];
  readonly stays: readonly PlainStay[];
  readonly amenities: readonly (Happened & { place: string; amenity: string })[];
  readonly searches: readonly (Timed & { assistant: string; place: string; end: string })[];
  readonly shown: readonly (Happened & { assistant: string; place: string; isFirst: boolean })[];
  readonly requests: readonly (Omit<Timed, 'brand'> & { assistant: string; door: string; answer: string })[];
  readonly prices: readonly (Happened & { answer: string })[];
  readonly calls: readonly Timed[];
  readonly refusedOffers: readonly (Happened & { reason: string })[];
  readonly drifts: readonly (Happened & { permille: number })[];
  readonly readings: readonly (Timed & { end: string })[];
  readonly shed: readonly { at: number; kind: string }[];
  readonly bookings: readonly BookingOutcome[];
};

/** `brand` is the entry of a session or the operator, as the measure has it. */
type Happened = { at: number; brand: string };
type Timed = Happened & { milliseconds: number };

type PlainSession = {
  readonly openedAt: number;
  readonly brand: string;
  readonly assistant: string;
  /** Where it stood, one after the other. */
  readonly stands: readonly (readonly [stage: string, refusal: string])[];
  /** Null until it has a result. */
  readonly millisecondsToResult: number | null;
};

/** Once for a session and a stay. */
type PlainStay = Happened & {
  assistant: string;
  place: string;
  guests: number;
  nights: number;
  leadDays: number;
};

export const NO_ACTIVITY: PlainActivity = {
  sessions: [],
  wishes: [],
  missing: [],
  stays: [],
  amenities: [],
  searches: [],
  shown: [],
  requests: [],
  prices: [],
  calls: [],
  refusedOffers: [],
  drifts: [],
  readings: [],
  shed: [],
  bookings: [],
};

/** The counts of it, by the rules of `measures.ts`. */
export function countsOf(activity: PlainActivity): readonly Count[] {
  const counts: Count[] = [];
  const add = (measure: Measure, at: number, labels: Partial<Labels>, count = 1, sum = 0) =>
    counts.push({ ...NO_LABELS, ...labels, measure, hour: hourOf(at), count, sum });
  const seconds = (milliseconds: number) => bucketOf(milliseconds / 1000, TIME_BUCKETS);

  for (const { openedAt, brand, assistant, stands, millisecondsToResult } of activity.sessions) {
    add('sessions', openedAt, { brand, assistant });
    for (const [at, [facet, reason]] of stands.entries()) {
      const before = stands[at - 1];
      if (before) add('standings', openedAt, { brand, assistant, facet: before[0] }, -1);
      add('standings', openedAt, { brand, assistant, facet });
      if (reason !== '') add('refusals', openedAt, { brand, assistant, facet, reason });
    }
    if (millisecondsToResult !== null) {
      const facet = seconds(millisecondsToResult);
      add('times_to_result', openedAt, { brand, assistant, facet }, 1, millisecondsToResult);
    }
  }
  for (const { at, brand, assistant, place, month, reason } of activity.wishes)
    add('wishes', at, { brand, assistant, place, facet: month, reason });
  for (const { at, brand, name } of activity.missing) add('missing_places', at, { brand, facet: name });
  for (const { at, brand, assistant, place, guests, nights, leadDays } of activity.stays) {
    add('parties', at, { brand, place, facet: String(guests) });
    add('lengths', at, { brand, place, facet: String(nights) });
    add('lead_times', at, { brand, assistant, place, facet: bucketOf(leadDays, LEAD_BUCKETS) });
  }
  for (const { at, brand, place, amenity } of activity.amenities)
    add('amenities', at, { brand, place, facet: amenity });
  for (const { at, brand, assistant, place, end, milliseconds } of activity.searches)
    add('searches', at, { brand, assistant, place, reason: end }, 1, milliseconds);
  for (const { at, brand, assistant, place, isFirst } of activity.shown)
    add('options', at, { brand, assistant, place, facet: isFirst ? 'first' : 'other' });
  for (const { at, assistant, door, answer, milliseconds } of activity.requests)
    add('requests', at, { assistant, facet: door, reason: answer }, 1, milliseconds);
  for (const { at, brand, answer } of activity.prices) add('prices', at, { brand, reason: answer });
  for (const { at, brand, milliseconds } of activity.calls)
    add('price_calls', at, { brand, facet: seconds(milliseconds) }, 1, milliseconds);
  for (const { at, brand, reason } of activity.refusedOffers) add('refused_offers', at, { brand, reason });
  for (const { at, brand, permille } of activity.drifts)
    add('drifts', at, { brand, facet: bucketOf(permille, DRIFT_BUCKETS) }, 1, permille);
  for (const { at, brand, end, milliseconds } of activity.readings)
    add('readings', at, { brand, reason: end }, 1, milliseconds);
  for (const { at, kind } of activity.shed) add('shed', at, { reason: kind });
  return counts;
}

/** A store that goes through all counts at each question. */
export function plainActivityStore(
  counts: readonly Count[],
): Pick<ActivityStore, 'read' | 'mostCounted' | 'span'> {
  return {
    async span() {
      const hours = counts.map(({ hour }) => hour);
      return hours.length === 0 ? null : { from: Math.min(...hours), to: Math.max(...hours) };
    },
    async read({ from, to, measures, brand, byHour = false }) {
      const sums = new Map<string, CountedLabels>();
      for (const { hour, count, sum, ...labels } of counts) {
        if (hour < from || hour > to || !measures.includes(labels.measure)) continue;
        if (brand !== undefined && labels.brand !== brand) continue;
        const key = JSON.stringify([labels, byHour ? hour : null]);
        const before = sums.get(key) ?? { count: 0, sum: 0 };
        sums.set(key, {
          ...labels,
          hour: byHour ? hour : null,
          count: before.count + count,
          sum: before.sum + sum,
        });
      }
      return [...sums.values()].filter(({ count, sum }) => count !== 0 || sum !== 0);
    },
    async mostCounted({ from, to, measure, brand, atLeast, limit }) {
      const asked = counts.filter(
        (one) =>
          one.measure === measure &&
          one.hour >= from &&
          one.hour <= to &&
          (brand === undefined || one.brand === brand),
      );
      const countOf = (facet: string) =>
        asked.filter((one) => one.facet === facet).reduce((sum, one) => sum + one.count, 0);
      const all = [...new Set(asked.map(({ facet }) => facet))]
        .toSorted()
        .filter((facet) => facet !== '' && countOf(facet) > 0)
        .map((facet) => ({ facet, count: countOf(facet) }));
      const enough = all
        .filter(({ count }) => count >= atLeast)
        .toSorted((one, other) => other.count - one.count);
      return {
        facets: enough.slice(0, limit),
        beyondLimit: enough.slice(limit).length,
        fewer: all.length - enough.length,
        unnamed: countOf(''),
      };
    },
  };
}

export function plainOutcomes(bookings: readonly BookingOutcome[]): Pick<BookingOutcomes, 'read'> {
  return {
    async read({ from, before, brand, after, limit }) {
      const inTime = bookings
        .filter(({ bookedAt }) => bookedAt >= from && bookedAt < before)
        .filter((one) => brand === undefined || one.brand === brand)
        .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
      return inTime.filter((one) => !after || orderOf(one) > orderOf(after)).slice(0, limit);
    },
  };
}

type BookingPlace = Pick<BookingOutcome, 'bookedAt' | 'brand' | 'reference'>;

function orderOf({ bookedAt, brand, reference }: BookingPlace): string {
  return [String(bookedAt).padStart(16, '0'), brand, reference].join(' ');
}

export const BRANDS = ['hearthlane', 'casas', 'gone'] as const;
const ASSISTANTS = ['chatgpt', 'claude', 'stranger-once'] as const;
const PLACES = ['lisbon-pt', 'portugal', 'florence-it', 'left'] as const;
const MONTHS = ['2026-12', '2027-05', '2027-06', '2031-01', ''] as const;
const FIELDS = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
] as const;
const REASONS = ['nothing_free', 'minimum_stay', 'party_too_large', 'refused_by_operators', 'found'] as const;
const ANSWERS = [
  '',
  'incomplete_payload',
  'invalid_value',
  'unknown_field',
  'session_expired',
  'rate_limited',
  'unknown_caller',
  'suspended',
  'internal_error',
  'upstream_unavailable',
  'nothing_on_offer',
  'abandoned',
] as const;

/** Anything that can have happened in the days before `now`. */
export function randomActivity(now: number, days: number): fc.Arbitrary<PlainActivity> {
  const at = randomInstant(now, days);
  const brand = fc.constantFrom(...BRANDS);
  const entry = fc.constantFrom('', ...BRANDS);
  const assistant = fc.constantFrom(...ASSISTANTS);
  const place = fc.constantFrom('', ...PLACES);
  const milliseconds = fc.oneof(
    fc.integer({ min: 0, max: 2_000_000 }),
    fc.constantFrom(100, 250, 1000, 900_000),
  );
  const some = <Event>(event: fc.Arbitrary<Event>, maxLength = 12) => fc.array(event, { maxLength });

  const refusal = fc.constantFrom(
    '',
    'check_in_day:nothing_free',
    'destination:not_on_network',
    'unknown_field',
  );
  const stand = fc.tuple(fc.constantFrom<string>(...FIELDS, 'prices'), refusal);
  const session = fc
    .record({
      openedAt: at,
      brand: entry,
      assistant,
      stands: fc.array(stand, { minLength: 1, maxLength: 4 }),
      millisecondsToResult: fc.option(milliseconds),
    })
    .map((one): PlainSession => {
      const isCompleted = one.millisecondsToResult !== null;
      return { ...one, stands: isCompleted ? [...one.stands, ['completed', '']] : one.stands };
    });

  return fc.record({
    sessions: some(session, 25),
    wishes: some(
      fc.record({
        at,
        brand: entry,
        assistant,
        place,
        month: fc.constantFrom(...MONTHS),
        reason: fc.constantFrom(...REASONS),
      }),
      30,
    ),
    missing: some(
      fc.record({ at, brand: entry, name: fc.constantFrom('atlantis', 'el dorado', 'ys', '') }),
      15,
    ),
    stays: some(
      fc.record({
        at,
        brand: entry,
        assistant,
        place,
        guests: fc.integer({ min: 1, max: 12 }),
        nights: fc.oneof(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 25, max: 90 })),
        leadDays: fc.integer({ min: 0, max: 500 }),
      }),
    ),
    amenities: some(fc.record({ at, brand: entry, place, amenity: fc.constantFrom('pool', 'wifi', 'moat') })),
    searches: some(
      fc.record({
        at,
        brand: entry,
        assistant,
        place,
        end: fc.constantFrom('compared', 'empty', 'operators_silent', 'just_refused', 'too_many_searches'),
        milliseconds,
      }),
    ),
    shown: some(fc.record({ at, brand, assistant, place, isFirst: fc.boolean() })),
    requests: some(
      fc.record({
        at,
        assistant: fc.constantFrom('', ...ASSISTANTS),
        door: fc.constantFrom('search', 'auth', 'mcp'),
        answer: fc.constantFrom(...ANSWERS),
        milliseconds,
      }),
      30,
    ),
    prices: some(
      fc.record({
        at,
        brand,
        answer: fc.constantFrom('quoted', 'quoted', 'unavailable', 'timeout', 'garbled'),
      }),
      30,
    ),
    calls: some(fc.record({ at, brand, milliseconds })),
    refusedOffers: some(fc.record({ at, brand, reason: fc.constantFrom('booked', 'minimum_stay') })),
    drifts: some(fc.record({ at, brand, permille: fc.integer({ min: -400, max: 400 }) })),
    readings: some(
      fc.record({ at, brand, end: fc.constantFrom('succeeded', 'timeout', 'rejected'), milliseconds }),
    ),
    shed: some(fc.record({ at, kind: fc.constantFrom('search', 'auth') }), 4),
    bookings: some(randomBooking(now, at), 15).map(withOwnReferences),
  });
}

/** Some of them at the edges of hours and days, where a count is most easily in the wrong one. */
function randomInstant(now: number, days: number): fc.Arbitrary<number> {
  const edge = (length: number) =>
    fc
      .tuple(fc.nat({ max: Math.floor((days * 86_400_000) / length) }), fc.constantFrom(0, 1))
      .map(([back, before]) => (Math.floor(now / length) - back) * length - before);
  return fc.oneof(fc.integer({ min: now - days * 86_400_000, max: now }), edge(3_600_000), edge(86_400_000));
}

function randomBooking(now: number, bookedAt: fc.Arbitrary<number>): fc.Arbitrary<BookingOutcome> {
  const amount = fc.integer({ min: 1, max: 300_000 });
  const currency = fc.constantFrom('EUR', 'JPY');
  return fc
    .record({
      brand: fc.constantFrom(...BRANDS),
      status: fc.constantFrom('booked' as const, 'booked' as const, 'cancelled' as const),
      bookedAt,
      waited: fc.integer({ min: -5_000, max: 20 * 86_400_000 }),
      amount,
      currency,
      isAsQuoted: fc.boolean(),
      quote: fc.option(
        fc.record({
          assistant: fc.constantFrom(...ASSISTANTS),
          property: fc.constant('hearthlane:1'),
          place: fc.constantFrom('', ...PLACES),
          leadDays: fc.integer({ min: -1, max: 400 }),
          checkOut: fc.constant('2027-12-01'),
          guests: fc.constant(2),
          amount,
          currency,
        }),
      ),
    })
    .map(({ waited, isAsQuoted, quote, ...booking }) => {
      if (quote === null)
        return { ...booking, reference: '', nxq: null, reportedAt: now, collectedAt: null, quote };
      const { leadDays, ...rest } = quote;
      const retrievedAt = booking.bookedAt - waited;
      const checkIn = new Date(retrievedAt + leadDays * 86_400_000).toISOString().slice(0, 10);
      const quoted = isAsQuoted ? { amount: booking.amount, currency: booking.currency } : {};
      return {
        ...booking,
        reference: '',
        nxq: 'nxq_1',
        reportedAt: now,
        collectedAt: null,
        quote: { ...rest, ...quoted, checkIn, retrievedAt },
      };
    });
}

function withOwnReferences(bookings: readonly BookingOutcome[]): readonly BookingOutcome[] {
  return bookings.map((one, at) => ({ ...one, reference: `R-${at}` }));
}
