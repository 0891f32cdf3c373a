import type { Network, PlaceId } from '../catalogue/catalogue.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import { readValue } from '../search/fields/rules.ts';
import { editDistance } from '../search/names/edit-distance.ts';
import { findPlace } from '../search/names/find-place.ts';
import { foldedName, placeNamesOf } from '../search/names/place-names.ts';
import { partsOf } from '../search/names/places-meant.ts';
import type { FieldFault } from '../search/refusal.ts';
import type { CarriedOut } from '../search/search-observer.ts';
import type { SuppliedValue } from '../search/supplied-values.ts';
import { markOf } from './count-once.ts';
import { foldedPlaceName } from './place-name.ts';

/** What a session asked for, and what came of it. Place and month are empty if unknown. */
export type Wish = {
  readonly place: PlaceId | '';
  readonly month: string;
  readonly reason: string;
  /** By which it counts once for a session. */
  readonly mark: number;
};

/** What a request asked for that is not on offer. */
export type Unmet = {
  readonly wishes: readonly Wish[];
  /** The name of a place that is not on the network, as it may be counted; null where none was written. */
  readonly missing: { readonly name: string; readonly mark: number } | null;
};

export function wishFor(place: PlaceId | '', month: string, reason: string): Wish {
  return { place, month, reason, mark: markOf('wish', place, month, reason) };
}

/** These mean that what was asked for cannot be had; other reasons mean that the value was malformed. */
const OF_THE_OFFER: ReadonlySet<string> = new Set<ReasonCode>([
  'nothing_free',
  'not_on_offer',
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'beyond_horizon',
  'party_too_large',
  'conflicts_with',
]);

/** The owner has taken the homes off offer. */
export const NOT_ON_OFFER = 'not_on_offer' satisfies ReasonCode;

/** How far ahead a traveller plans at most. A later month counts as unknown, or a caller could fill the counts with thousands of months. */
const MAX_YEARS_AHEAD = 3;
/** No place has a longer name, with all that it lies in. */
const MAX_TEXT_LENGTH = 400;
const MAX_REMEMBERED = 1000;
const DAY_MS = 86_400_000;

const WRITTEN = ['destination', 'check_in_month', 'check_in_day'] as const;
/** `end` is `paused` or `just_refused`. */
const STANDING = ['end', 'onlyPlace', 'standingPlace', 'standingMonth'] as const;
const TEXTS = [...WRITTEN, ...STANDING] as const;

/** All that unmet wishes of a day depend on, and nothing else: it is also the key by which they are remembered. A text is empty where there is none. */
type AskedInVain = Readonly<Record<(typeof TEXTS)[number], string>> & {
  readonly faults: readonly FaultInVain[];
};

type FaultInVain = {
  readonly field: string;
  readonly reason: ReasonCode | '';
  /** Whether it is a value that is refused, and not a field. */
  readonly isOfValue: boolean;
  /** Only of a place that is not on the network. */
  readonly suggestions: readonly PlaceId[];
};

/**
 * Tells what a request asked for in vain. Travellers ask for the same again and again, and finding out takes a tenth of the time of such a
 * request, so what was found out is remembered.
 */
export function createUnmetWishes(network: Network): (step: CarriedOut, now: number) => Unmet {
  let remembered = new Map<string, Unmet>();
  let today = 0;

  return (step, now) => {
    const day = Math.floor(now / DAY_MS);
    if (day !== today || remembered.size >= MAX_REMEMBERED) remembered = new Map();
    today = day;
    const asked = askedIn(step);
    const key = keyOf(asked);
    const known = remembered.get(key);
    if (known) return known;
    const unmet = unmetIn(asked, network, today * DAY_MS);
    remembered.set(key, unmet);
    return unmet;
  };
}

function askedIn({ after, supplied, refusal, isPaused, search }: CarriedOut): AskedInVain {
  return {
    destination: textOf('destination', supplied),
    check_in_month: textOf('check_in_month', supplied),
    check_in_day: textOf('check_in_day', supplied),
    end: isPaused ? 'paused' : search?.outcome.kind === 'just_refused' ? 'just_refused' : '',
    onlyPlace: after.onlyPlace ?? '',
    standingPlace: after.payload.destination ?? '',
    standingMonth: after.payload.check_in_month ?? '',
    faults: refusal?.faults.map(askedFault) ?? [],
  };
}

function textOf(field: (typeof WRITTEN)[number], supplied: readonly SuppliedValue[]): string {
  const raw = supplied.find((one) => one.field === field)?.raw;
  return typeof raw === 'string' && raw.length <= MAX_TEXT_LENGTH ? raw : '';
}

function askedFault({ code, field, reason, suggestions }: FieldFault): FaultInVain {
  return {
    field: field ?? '',
    reason: reason?.code ?? '',
    isOfValue: code === 'invalid_value',
    suggestions: reason?.code === 'not_on_network' ? suggestions : [],
  };
}

function keyOf(asked: AskedInVain): string {
  let key = '';
  for (const text of TEXTS) key += `${asked[text]}\n`;
  for (const { field, reason, isOfValue, suggestions } of asked.faults) {
    key += `${field} ${reason} ${isOfValue} ${suggestions}\n`;
  }
  return key;
}

function unmetIn(asked: AskedInVain, network: Network, now: number): Unmet {
  const { faults, end, destination, onlyPlace, standingPlace } = asked;
  const missingPlace = faults.find((fault) => isMissing(fault, destination, network));
  // The first fault may stand for what the operators refused, and that is counted as such.
  const unmet = faults
    .slice(end === 'just_refused' ? 1 : 0)
    .filter((fault) => fault === missingPlace || isOfTheOffer(fault));
  if (unmet.length === 0 && end !== 'paused') return { wishes: [], missing: null };
  const meant = isUntaken('destination', asked) ? placeWritten(destination, network) : '';
  const month = monthWritten(asked, now) ?? asked.standingMonth;
  const name = missingPlace ? foldedPlaceName(destination) : null;
  const missing = name === null ? null : { name, mark: markOf('missing', name) };
  if (end === 'paused') {
    const place = onlyPlace || meant || standingPlace;
    return { wishes: [wishFor(place, month, NOT_ON_OFFER)], missing };
  }
  const wishes = unmet.map(({ field, reason }) => {
    const place = field === 'destination' ? meant : onlyPlace || standingPlace || meant;
    return wishFor(place, month, reason);
  });
  return { wishes, missing };
}

function isOfTheOffer({ isOfValue, field, reason }: FaultInVain): boolean {
  return isOfValue && field !== 'amenities' && OF_THE_OFFER.has(reason);
}

/** A slip in the name of a place that is suggested asks for that one. */
function isMissing({ field, reason, suggestions }: FaultInVain, written: string, network: Network): boolean {
  return field === 'destination' && reason === 'not_on_network' && !isMisspelt(written, suggestions, network);
}

function isUntaken(field: string, { faults, end }: AskedInVain): boolean {
  return end === 'paused' || faults.some((fault) => fault.field === field);
}

/** The place that a destination names, where it names one. */
function placeWritten(written: string, network: Network): PlaceId | '' {
  const lookup = findPlace(written, network, () => []);
  return lookup.kind === 'found' ? lookup.place : '';
}

/** The month of an arrival that was not taken, where it can be read. */
function monthWritten(asked: AskedInVain, now: number): string | undefined {
  for (const name of ['check_in_day', 'check_in_month'] as const) {
    if (asked[name] === '' || !isUntaken(name, asked)) continue;
    const reading = readValue(name, asked[name]);
    if (reading.kind !== 'read') continue;
    const month = reading.value.slice(0, 'YYYY-MM'.length);
    return isNear(month, now) ? month : '';
  }
  return undefined;
}

function isNear(month: string, now: number): boolean {
  const thisMonth = new Date(now).toISOString().slice(0, 'YYYY-MM'.length);
  const last = `${Number(thisMonth.slice(0, 4)) + MAX_YEARS_AHEAD}${thisMonth.slice(4)}`;
  return month >= thisMonth && month <= last;
}

/** Too many shorter names differ by one letter. */
const MIN_LENGTH = 5;

/**
 * Whether a text is the name of one of these places with a letter missing, a letter too many, or two letters swapped. A replaced letter may
 * as well make another name: whoever asks for Parma does not mean Palma.
 */
export function isMisspelt(text: string, places: readonly PlaceId[], network: Network): boolean {
  const written = foldedName(partsOf(text)[0] ?? '').joined;
  const { namesOf } = placeNamesOf(network);
  return places.some((place) => namesOf(place).some(({ joined }) => isSlip(written, joined)));
}

function isSlip(written: string, name: string): boolean {
  if (name.length < MIN_LENGTH || editDistance(written, name, 1) !== 1) return false;
  return written.length !== name.length || lettersOf(written) === lettersOf(name);
}

function lettersOf(name: string): string {
  return Array.from(name).sort().join('');
}
