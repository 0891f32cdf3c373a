/** The key of a count; a label that does not apply is empty. No label holds a caller's text, except folded names of places. */
export type Labels = {
  readonly brand: string;
  readonly assistant: string;
  readonly place: string;
  readonly facet: string;
  readonly reason: string;
};

export const NO_LABELS: Labels = { brand: '', assistant: '', place: '', facet: '', reason: '' };

/** One count of an hour. Both numbers can be negative: a session that moves on is subtracted from its previous stage. */
export type Count = Labels & {
  readonly measure: Measure;
  /** Since the epoch, in UTC. */
  readonly hour: number;
  readonly count: number;
  /** The sum of the measured values, such as milliseconds; an integer, 0 for measures without values. */
  readonly sum: number;
};

/** Adds to a count. Never throws and never waits, because a caller is waiting for an answer. */
export type CountActivity = (measure: Measure, labels: Partial<Labels>, amounts?: Amounts) => void;

type Amounts = {
  /** 1 by default. */
  readonly count?: number;
  /** Rounded to an integer. */
  readonly sum?: number;
  /** The hour it belongs to; the current one by default. */
  readonly hour?: number;
};

const HOUR_MS = 3_600_000;

export function hourOf(instant: number): number {
  return Math.floor(instant / HOUR_MS);
}

export function startOfHour(hour: number): number {
  return hour * HOUR_MS;
}

/**
 * All measures with their labels; a label that is not named here is empty. "Entry" means that `brand` is the brand through which the
 * session was opened (empty for a direct one), "operator" that it is the brand of the homes.
 *
 * Session counts ("by opening") belong to the hour in which the session was opened, so that they are comparable; all others to the hour of
 * the event.
 */
const measures = {
  /** Entry, assistant. By opening. */
  sessions: 'sessions that were opened',
  /**
   * Entry, assistant, facet: the stage at which it stands. By opening. A session that moves on is subtracted from its previous stage, so
   * each is counted at one stage, and all stages together add up to `sessions`.
   */
  standings: 'where sessions stand',
  /** Entry, assistant, facet: the stage at which the session stood afterwards, reason: the first fault. Each time it was answered. */
  refusals: 'refused values, and stays without a price',
  /** Entry, assistant, facet: a bucket of `TIME_BUCKETS`. The sum is in milliseconds. By opening. */
  times_to_result: 'from the opening of a session to its first result with a price',
  /**
   * Assistant (empty for a stranger), facet: operation or transport, reason: the error, or why the caller was refused. The sum is in
   * milliseconds.
   */
  requests: 'requests',
  /** Entry, assistant, place, reason: `compared`, `empty`, `operators_silent`, `just_refused` or `too_many_searches`. The sum is in milliseconds. */
  searches: 'searches for prices',
  /** Entry, assistant, place, facet: month of arrival, reason: `found` or why not. Once for a session and each of these. */
  wishes: 'what sessions asked for',
  /**
   * Entry, facet: the folded name, empty beyond the daily limit of an assistant. Once for a session and a name.
   */
  missing_places: 'names of places that are not on the network',
  /** Entry, place, facet: guests. Once for a session and a stay whose prices were requested, as are `lengths` and `lead_times`. */
  parties: 'sizes of parties',
  /** Entry, place, facet: nights. */
  lengths: 'lengths of stays',
  /** Entry, assistant, place, facet: a bucket of `LEAD_BUCKETS`. */
  lead_times: 'days until the arrival',
  /** Entry, place, facet: the amenity. Once for a session and an amenity. */
  amenities: 'amenities by which a set was narrowed',
  /** Operator, assistant, place, facet: `first` for the cheapest of a set, else `other`. */
  options: 'homes that were shown with a price',
  /** Operator, reason: `quoted`, `unavailable`, or why there was no answer. */
  prices: 'homes whose price was asked for',
  /** Operator, facet: a bucket of `TIME_BUCKETS`. The sum is in milliseconds. */
  price_calls: 'calls for prices',
  /** Operator, reason: the operator's reason. */
  refused_offers: 'stays that a calendar offered and its operator refused',
  /** Operator, facet: a bucket of `DRIFT_BUCKETS`. The sum is in thousandths of the indicative price. */
  drifts: 'how far quoted totals were from indicative prices',
  /** Operator, reason: `succeeded`, or why it failed. The sum is in milliseconds. */
  readings: 'readings of an operator’s catalogue and calendars',
  /** Reason: the kind of request. */
  shed: 'requests that were refused because the service was busy',
} as const;

export type Measure = keyof typeof measures;
export const MEASURES = Object.keys(measures) as readonly Measure[];

/** Upper bounds in seconds; the last bucket is `more`. */
export const TIME_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 900] as const;
/** Upper bounds in days, inclusive; the last bucket is `more`. */
export const LEAD_BUCKETS = [1, 3, 7, 14, 30, 60, 90, 180, 365] as const;
/** Upper bounds in thousandths of the indicative price, inclusive; the last bucket is `more`. */
export const DRIFT_BUCKETS = [-200, -50, -10, 10, 50, 200] as const;

/** The label of the first bucket whose bound is not exceeded. */
export function bucketOf(value: number, bounds: readonly number[]): string {
  const bound = bounds.find((one) => value <= one);
  return bound === undefined ? 'more' : String(bound);
}
