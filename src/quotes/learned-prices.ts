import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';

/** What a brand has really charged, from its own live quotes only. Each map is ordered by last update, and drops its oldest entry first. */
export type BrandPrices = {
  /** Quoted total over indicative total, by scope. */
  readonly ratios: Map<string, PriceSamples>;
  /** Quoted price of a night, by place and currency, and also by length of stay and party. */
  readonly nightly: Map<string, PriceSamples>;
  /**
   * Quoted price of a night, by home and kind of stay. A lower quote counts in full, because a home that one expensive date put back would
   * not be asked for again; a higher one by half, so that one cheap date does not put it first for ever.
   */
  readonly homes: Map<string, MinorUnits>;
};

export type LearnedPrices = ReadonlyMap<BrandId, BrandPrices>;

/** A live quote beside the calendar's price. */
export type PriceSample = {
  readonly property: PropertyId;
  readonly place: PlaceId;
  readonly indicativeTotal: MinorUnits | null;
  readonly total: MinorUnits;
};

/** The stay of all quotes of a search. */
export type QuotedStay = {
  readonly nights: number;
  readonly guests: number;
  readonly currency: string;
};

/** The shortest lengths of groups of stays with similar prices: a cleaning fee weighs most in a short stay, and weeks get discounts. */
const STAY_LENGTHS = [28, 14, 7, 4, 2, 1] as const;
/** The smallest parties of groups with similar prices: what six pay must not make a home look expensive for two. */
const PARTIES = [10, 7, 5, 3, 1] as const;
const ANY_LENGTH = 'any';
/** A brand's samples in one place are a better guide than all its samples, once there are enough. */
const MIN_SAMPLES_OF_PLACE = 8;
const MIN_SAMPLES_OF_KIND = 3;
/** Far above the ratio of any honest calendar, so that one absurd number cannot overflow an estimate. */
const MAX_LOG_RATIO = Math.log(1e6);
export const MAX_HOMES = 5000;
/** Enough for the usual kinds of stay in hundreds of places; a brand's prices are serialised in one turn of the event loop. */
export const MAX_SCOPES = 2000;

export function noPrices(): BrandPrices {
  return { ratios: new Map(), nightly: new Map(), homes: new Map() };
}

function stayLength(nights: number): number {
  return STAY_LENGTHS.find((first) => nights >= first) ?? 1;
}

function partySize(guests: number): number {
  return PARTIES.find((smallest) => guests >= smallest) ?? 1;
}

/** The quoted price of a night of a home, for stays of this kind. */
export function quotedNightly(
  prices: BrandPrices | undefined,
  stay: QuotedStay,
): (property: PropertyId) => MinorUnits | undefined {
  const kind = lengthAndParty(stay);
  return (property) => prices?.homes.get(`${property} ${kind}`);
}

function lengthAndParty({ nights, guests }: QuotedStay): string {
  return `${stayLength(nights)}/${partySize(guests)}`;
}

/** The key of `nightly` for stays of this kind (`alike`) or for any stay. */
export function nightlyScope(place: PlaceId, stay: QuotedStay, of: 'alike' | 'any'): string {
  return of === 'any' ? `${place} ${stay.currency}` : `${place} ${stay.currency} ${lengthAndParty(stay)}`;
}

/** The ratios of the narrowest scope with enough samples, in a place or (null) in all places; undefined when nothing was learned. */
export function ratioOf(
  prices: BrandPrices | undefined,
  place: PlaceId | null,
  stay: QuotedStay,
): PriceSamples | undefined {
  if (!prices) return undefined;
  const kind = lengthAndParty(stay);
  const ofPlace = place === null ? undefined : prices.ratios.get(`${place} ${kind}`);
  if (ofPlace && ofPlace.logs.length >= MIN_SAMPLES_OF_PLACE) return ofPlace;
  const ofKind = prices.ratios.get(kind);
  if (ofKind && ofKind.logs.length >= MIN_SAMPLES_OF_KIND) return ofKind;
  return prices.ratios.get(`${ANY_LENGTH}/${partySize(stay.guests)}`);
}

/** Adds the brand's quotes of one search to `prices`. */
export function learnPrices(prices: BrandPrices, stay: QuotedStay, samples: readonly PriceSample[]): void {
  const { nights, guests } = stay;
  const kind = lengthAndParty(stay);
  const ratios = thinned(ratiosOf(samples));
  const byPlace = Map.groupBy(samples, (sample) => sample.place);
  for (const [place, ofPlace] of byPlace) {
    const nightly = thinned(ofPlace.map(({ total }) => Math.log(total / nights)));
    addSamples(
      prices.nightly,
      [nightlyScope(place, stay, 'any'), nightlyScope(place, stay, 'alike')],
      nightly,
    );
    // Most searches are in one place: reuse their ratios.
    addSamples(prices.ratios, [`${place} ${kind}`], byPlace.size === 1 ? ratios : thinned(ratiosOf(ofPlace)));
  }
  addSamples(prices.ratios, [kind, `${ANY_LENGTH}/${partySize(guests)}`], ratios);
  addHomes(prices.homes, stay, samples);
}

function ratiosOf(samples: readonly PriceSample[]): number[] {
  const ratios: number[] = [];
  for (const { indicativeTotal, total } of samples) {
    if (indicativeTotal !== null) ratios.push(ratioBetween(total, indicativeTotal));
  }
  return ratios;
}

function addSamples(
  known: Map<string, PriceSamples>,
  scopes: readonly string[],
  logs: readonly number[],
): void {
  if (logs.length === 0) return;
  for (const scope of scopes) {
    putNewest(known, scope, withNewSamples(known.get(scope), logs), MAX_SCOPES);
  }
}

function addHomes(homes: BrandPrices['homes'], stay: QuotedStay, samples: readonly PriceSample[]): void {
  const kind = lengthAndParty(stay);
  for (const { property, total } of samples) {
    const scope = `${property} ${kind}`;
    const nightly = Math.max(1, Math.round(total / stay.nights));
    const before = homes.get(scope) ?? nightly;
    const known = Math.min(nightly, Math.round(Math.sqrt(before * nightly)));
    putNewest(homes, scope, known, MAX_HOMES);
  }
}

function putNewest<Value>(known: Map<string, Value>, scope: string, value: Value, most: number): void {
  known.delete(scope);
  known.set(scope, value);
  for (const oldest of known.keys()) {
    if (known.size <= most) return;
    known.delete(oldest);
  }
}

function ratioBetween(total: MinorUnits, indicativeTotal: MinorUnits): number {
  return Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, Math.log(total / indicativeTotal)));
}

/** Logarithms of the last observations, newest last, with their quantiles. As logarithms, a ratio and its inverse are equally far from 0. */
type PriceSamples = {
  readonly logs: readonly number[];
  readonly median: number;
  readonly lowerQuartile: number;
  /** The distance between the quartiles. */
  readonly spread: number;
};

/** Odd, so that the median is a sample. Few enough that a change in pricing shows after some searches. */
const MAX_SAMPLES = 31;
/** From one search: a single busy night must not push out all earlier samples. */
const MAX_NEW_SAMPLES = 9;

export function samplesOf(logs: readonly number[]): PriceSamples {
  return new SortedWhenRead(logs.slice(-MAX_SAMPLES));
}

/** Adds the samples of one search, which must be thinned. */
function withNewSamples(known: PriceSamples | undefined, logs: readonly number[]): PriceSamples {
  return samplesOf(known ? known.logs.concat(logs) : logs);
}

/** Sorts on the first read: a search updates some fifty of these, and few are read before the next update. */
class SortedWhenRead implements PriceSamples {
  readonly logs: readonly number[];
  #sorted: readonly number[] | undefined;

  constructor(logs: readonly number[]) {
    this.logs = logs;
  }

  get median(): number {
    return this.#at(0.5);
  }

  get lowerQuartile(): number {
    return this.#at(0.25);
  }

  get spread(): number {
    return this.#at(0.75) - this.#at(0.25);
  }

  #at(share: number): number {
    this.#sorted ??= sorted(this.logs);
    return this.#sorted[Math.floor((this.#sorted.length - 1) * share)] ?? 0;
  }
}

/** The samples of one search, evenly chosen over their range when there are more than one search may add. */
function thinned(logs: readonly number[]): readonly number[] {
  if (logs.length <= MAX_NEW_SAMPLES) return logs;
  const inOrder = sorted(logs);
  const step = (inOrder.length - 1) / (MAX_NEW_SAMPLES - 1);
  return Array.from({ length: MAX_NEW_SAMPLES }, (_, at) => inOrder[Math.round(at * step)] ?? 0);
}

function sorted(logs: readonly number[]): readonly number[] {
  return logs.toSorted((one, other) => one - other);
}
