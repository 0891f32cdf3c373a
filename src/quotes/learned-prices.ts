import type { BrandId, PlaceId, PropertyId } from '../inventory/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';
import { type PriceSamples, thinned, withNewSamples } from './price-samples.ts';

/** What a brand has really charged, from its own live quotes only. */
export type BrandPrices = {
  /** Quoted total over indicative total, by scope. */
  readonly ratios: Map<string, PriceSamples>;
  /** Quoted price of a night, by place and currency, and by length of stay besides. */
  readonly nightly: Map<string, PriceSamples>;
  /** Least recently quoted first. */
  readonly homes: Map<PropertyId, HomePrice>;
};

export type HomePrice = {
  /** Logarithm of how far its last total was from its indicative one times the ratio of its brand; null without an indicative one. */
  readonly deviation: number | null;
  /** Price of a night in its last quote. */
  readonly nightly: MinorUnits;
  /** Of the stay that was quoted. */
  readonly nights: number;
};

export type LearnedPrices = ReadonlyMap<BrandId, BrandPrices>;

/** A live quote beside what the calendar said. */
export type PriceSample = {
  readonly property: PropertyId;
  readonly place: PlaceId;
  readonly indicativeTotal: MinorUnits | null;
  readonly total: MinorUnits;
};

/** What all quotes of a search are for. */
export type QuotedStay = { readonly nights: number; readonly currency: string };

/** The first nights of the groups of stays that are priced alike: a cleaning fee weighs most in a short one, discounts come with weeks. */
const STAY_LENGTHS = [28, 14, 7, 4, 2, 1] as const;
const ANY_LENGTH = 'any';
/** A brand's homes in one place say more than all its homes, once there are enough of them. */
const MIN_SAMPLES_OF_PLACE = 8;
const MIN_SAMPLES_OF_LENGTH = 3;
/** Far beyond any honest calendar, so that one absurd number cannot overflow an estimate. */
const MAX_LOG_RATIO = Math.log(1e6);
export const MAX_HOMES_REMEMBERED = 5000;

export function noPrices(): BrandPrices {
  return { ratios: new Map(), nightly: new Map(), homes: new Map() };
}

export function stayLength(nights: number): number {
  return STAY_LENGTHS.find((first) => nights >= first) ?? 1;
}

/** Of stays of any length, or (with nights) of those that are priced alike. */
export function nightlyScope(place: PlaceId, currency: string, nights?: number): string {
  return nights === undefined ? `${place} ${currency}` : `${place} ${currency} ${stayLength(nights)}`;
}

/** The narrowest scope with enough samples, in a place or (null) in all of them; undefined when nothing was learned. */
export function ratioOf(
  prices: BrandPrices | undefined,
  place: PlaceId | null,
  nights: number,
): PriceSamples | undefined {
  if (!prices) return undefined;
  const length = stayLength(nights);
  const ofPlace = place === null ? undefined : prices.ratios.get(`${place} ${length}`);
  if (ofPlace && ofPlace.logs.length >= MIN_SAMPLES_OF_PLACE) return ofPlace;
  const ofLength = prices.ratios.get(String(length));
  if (ofLength && ofLength.logs.length >= MIN_SAMPLES_OF_LENGTH) return ofLength;
  return prices.ratios.get(ANY_LENGTH);
}

/** Adds to `prices` what one search has shown of the brand. */
export function learnPrices(
  prices: BrandPrices,
  { nights, currency }: QuotedStay,
  samples: readonly PriceSample[],
): void {
  const length = stayLength(nights);
  const ratios = thinned(ratiosOf(samples));
  const byPlace = Map.groupBy(samples, (sample) => sample.place);
  for (const [place, ofPlace] of byPlace) {
    const nightly = thinned(ofPlace.map(({ total }) => Math.log(total / nights)));
    add(prices.nightly, [nightlyScope(place, currency), nightlyScope(place, currency, nights)], nightly);
    // Most searches are in one place, and their ratios need not be worked out again.
    add(prices.ratios, [`${place} ${length}`], byPlace.size === 1 ? ratios : thinned(ratiosOf(ofPlace)));
  }
  add(prices.ratios, [String(length), ANY_LENGTH], ratios);
  rememberHomes(prices, nights, samples);
}

function ratiosOf(samples: readonly PriceSample[]): number[] {
  const ratios: number[] = [];
  for (const { indicativeTotal, total } of samples) {
    if (indicativeTotal !== null) ratios.push(bounded(Math.log(total / indicativeTotal)));
  }
  return ratios;
}

function add(known: Map<string, PriceSamples>, scopes: readonly string[], logs: readonly number[]): void {
  if (logs.length === 0) return;
  for (const scope of scopes) known.set(scope, withNewSamples(known.get(scope), logs));
}

function rememberHomes(prices: BrandPrices, nights: number, samples: readonly PriceSample[]): void {
  const { homes } = prices;
  const usual = new Map<PlaceId, number>();
  for (const { property, place, indicativeTotal, total } of samples) {
    const ofPlace = usual.get(place) ?? ratioOf(prices, place, nights)?.median ?? 0;
    usual.set(place, ofPlace);
    const deviation = indicativeTotal === null ? null : bounded(Math.log(total / indicativeTotal) - ofPlace);
    homes.delete(property);
    homes.set(property, { deviation, nightly: Math.max(1, Math.round(total / nights)), nights });
  }
  for (const oldest of homes.keys()) {
    if (homes.size <= MAX_HOMES_REMEMBERED) return;
    homes.delete(oldest);
  }
}

function bounded(log: number): number {
  return Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, log));
}
