import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';
import { type PriceSamples, thinned, withNewSamples } from './price-samples.ts';

/** What a brand has really charged, from its own live quotes only. Of each map, what was learned longest ago is first, and goes first. */
export type BrandPrices = {
  /** Quoted total over indicative total, by scope. */
  readonly ratios: Map<string, PriceSamples>;
  /** Quoted price of a night, by place and currency, and by length of stay besides. */
  readonly nightly: Map<string, PriceSamples>;
  /**
   * Quoted price of a night, by home and kind of stay. A lower quote counts in full, because a home that one
   * dear date hid would not be asked for again; a higher one by half, so that one cheap date does not put it first for ever.
   */
  readonly homes: Map<string, MinorUnits>;
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
export type QuotedStay = {
  readonly nights: number;
  readonly guests: number;
  readonly currency: string;
};

/** The first nights of the groups of stays that are priced alike: a cleaning fee weighs most in a short one, discounts come with weeks. */
const STAY_LENGTHS = [28, 14, 7, 4, 2, 1] as const;
/** The smallest parties of the groups that are priced alike: what six pay must not make a home look dear to two. */
const PARTIES = [10, 7, 5, 3, 1] as const;
const ANY_LENGTH = 'any';
/** A brand's homes in one place say more than all its homes, once there are enough of them. */
const MIN_SAMPLES_OF_PLACE = 8;
const MIN_SAMPLES_OF_KIND = 3;
/** Far beyond any honest calendar, so that one absurd number cannot overflow an estimate. */
const MAX_LOG_RATIO = Math.log(1e6);
export const MAX_HOMES_REMEMBERED = 5000;
/** Enough for the kinds of stay that are asked for in hundreds of places; what is learned of a brand is written in one turn of the event loop. */
export const MAX_SCOPES_REMEMBERED = 2000;

export function noPrices(): BrandPrices {
  return { ratios: new Map(), nightly: new Map(), homes: new Map() };
}

export function stayLength(nights: number): number {
  return STAY_LENGTHS.find((first) => nights >= first) ?? 1;
}

export function partySize(guests: number): number {
  return PARTIES.find((smallest) => guests >= smallest) ?? 1;
}

/** The price of a night that homes were quoted at for stays that are priced like this one. */
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

/** Of stays that are priced alike, or of any. */
export function nightlyScope(place: PlaceId, stay: QuotedStay, of: 'alike' | 'any'): string {
  return of === 'any' ? `${place} ${stay.currency}` : `${place} ${stay.currency} ${lengthAndParty(stay)}`;
}

/** The narrowest scope with enough samples, in a place or (null) in all of them; undefined when nothing was learned. */
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

/** Adds to `prices` what one search has shown of the brand. */
export function learnPrices(prices: BrandPrices, stay: QuotedStay, samples: readonly PriceSample[]): void {
  const { nights, guests } = stay;
  const kind = lengthAndParty(stay);
  const ratios = thinned(ratiosOf(samples));
  const byPlace = Map.groupBy(samples, (sample) => sample.place);
  for (const [place, ofPlace] of byPlace) {
    const nightly = thinned(ofPlace.map(({ total }) => Math.log(total / nights)));
    add(prices.nightly, [nightlyScope(place, stay, 'any'), nightlyScope(place, stay, 'alike')], nightly);
    // Most searches are in one place, and their ratios need not be worked out again.
    add(prices.ratios, [`${place} ${kind}`], byPlace.size === 1 ? ratios : thinned(ratiosOf(ofPlace)));
  }
  add(prices.ratios, [kind, `${ANY_LENGTH}/${partySize(guests)}`], ratios);
  rememberHomes(prices.homes, stay, samples);
}

function ratiosOf(samples: readonly PriceSample[]): number[] {
  const ratios: number[] = [];
  for (const { indicativeTotal, total } of samples) {
    if (indicativeTotal !== null) ratios.push(ratioBetween(total, indicativeTotal));
  }
  return ratios;
}

function add(known: Map<string, PriceSamples>, scopes: readonly string[], logs: readonly number[]): void {
  if (logs.length === 0) return;
  for (const scope of scopes) {
    remember(known, scope, withNewSamples(known.get(scope), logs), MAX_SCOPES_REMEMBERED);
  }
}

function rememberHomes(homes: BrandPrices['homes'], stay: QuotedStay, samples: readonly PriceSample[]): void {
  const kind = lengthAndParty(stay);
  for (const { property, total } of samples) {
    const scope = `${property} ${kind}`;
    const nightly = Math.max(1, Math.round(total / stay.nights));
    const before = homes.get(scope) ?? nightly;
    const known = Math.min(nightly, Math.round(Math.sqrt(before * nightly)));
    remember(homes, scope, known, MAX_HOMES_REMEMBERED);
  }
}

function remember<Value>(known: Map<string, Value>, scope: string, value: Value, most: number): void {
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
