import type { Network, PlaceId } from '../catalogue/catalogue.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import { FIELD_RULES } from '../search/fields/rules.ts';
import { findPlace, foldedName, partsOf, placeNamesOf } from '../search/names/find-place.ts';
import { editDistance, foldText } from '../search/names/spelling.ts';
import type { FieldFault } from '../search/refusal.ts';
import type { CarriedOut } from '../search/search-observer.ts';
import type { SuppliedValue } from '../search/supplied-values.ts';

/** A place and month that a session asked for, and the outcome. Place and month are empty if unknown. */
export type Demand = {
  readonly place: PlaceId | '';
  readonly month: string;
  readonly reason: string;
};

/** These reasons mean that the requested value is not on offer; others mean that it was malformed. */
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

/** Travellers plan no further ahead. A later month counts as unknown, or a caller could fill the counts with thousands of months. */
const MAX_YEARS_AHEAD = 3;
/** No place has a longer name, with its region and country. */
const MAX_TEXT_LENGTH = 400;

/** The unmet demand of a request, and the folded name of a place that is not on the network; null if none was written. */
export function unmetDemand(
  { after, supplied, refusal, search, isPaused = false }: CarriedOut,
  network: Network,
  now: number,
): { readonly demands: readonly Demand[]; readonly missing: string | null } {
  const faults = refusal?.faults ?? [];
  const written = textOf('destination', supplied);
  const missingPlace = faults.find((fault) => isMissing(fault, written, network));
  // The first fault may stand for the operators' refusal, which is counted as such.
  const others = !isPaused && search?.outcome.kind === 'just_refused' ? faults.slice(1) : faults;
  const unmet = others.filter((fault) => fault === missingPlace || isOfTheOffer(fault));
  if (unmet.length === 0 && !isPaused) return { demands: [], missing: null };
  const isUntaken = (field: string) => isPaused || faults.some((fault) => fault.field === field);
  const meant = isUntaken('destination') ? placeWritten(written, network) : '';
  const rejected = (['check_in_day', 'check_in_month'] as const).filter(isUntaken);
  const month = monthWritten(rejected, supplied, now) ?? after.payload.check_in_month ?? '';
  const missing = missingPlace ? foldedPlaceName(written) : null;
  const standing = after.onlyPlace ?? '';
  const chosen = after.payload.destination ?? '';
  if (isPaused) {
    return { demands: [{ place: standing || meant || chosen, month, reason: NOT_ON_OFFER }], missing };
  }
  const demands = unmet.map(({ field, reason }) => {
    const place = field === 'destination' ? meant : standing || chosen || meant;
    return { place, month, reason: reason?.code ?? '' };
  });
  return { demands, missing };
}

function textOf(field: string, supplied: readonly SuppliedValue[]): string {
  const raw = supplied.find((one) => one.field === field)?.raw;
  return typeof raw === 'string' && raw.length <= MAX_TEXT_LENGTH ? raw : '';
}

function isOfTheOffer({ code, field, reason }: FieldFault): boolean {
  return (
    code === 'invalid_value' && field !== 'amenities' && reason !== null && OF_THE_OFFER.has(reason.code)
  );
}

/** A misspelt name of a suggested place means that place. */
function isMissing({ field, reason, suggestions }: FieldFault, written: string, network: Network): boolean {
  return (
    field === 'destination' && reason?.code === 'not_on_network' && !isMisspelt(written, suggestions, network)
  );
}

/** The place that a destination names, if it is unique. */
function placeWritten(written: string, network: Network): PlaceId | '' {
  const lookup = findPlace(written, network, () => []);
  return lookup.kind === 'found' ? lookup.place : '';
}

/** The month of a rejected arrival, if it can be read. */
function monthWritten(
  rejected: readonly ('check_in_day' | 'check_in_month')[],
  supplied: readonly SuppliedValue[],
  now: number,
): string | undefined {
  for (const field of rejected) {
    const written = textOf(field, supplied);
    if (written === '') continue;
    const reading = FIELD_RULES[field].read(written);
    if (reading.kind !== 'read') continue;
    const month = reading.value.slice(0, 'YYYY-MM'.length);
    const thisMonth = new Date(now).toISOString().slice(0, 'YYYY-MM'.length);
    const last = `${Number(thisMonth.slice(0, 4)) + MAX_YEARS_AHEAD}${thisMonth.slice(4)}`;
    return month >= thisMonth && month <= last ? month : '';
  }
  return undefined;
}

/** Too many shorter names differ by one letter. */
const MIN_LENGTH = 5;

/** A letter missing, a letter too many, or two letters swapped. A replaced letter may make another name: Parma is not Palma. */
function isMisspelt(text: string, places: readonly PlaceId[], network: Network): boolean {
  const written = foldedName(partsOf(text)[0] ?? '').joined;
  const sorted = (name: string) => Array.from(name).sort().join('');
  return places.flatMap(placeNamesOf(network).namesOf).some(({ joined }) => {
    if (joined.length < MIN_LENGTH || editDistance(written, joined, 1) !== 1) return false;
    return written.length !== joined.length || sorted(written) === sorted(joined);
  });
}

const MAX_NAME_LENGTH = 40;
/** As in Las Palmas de Gran Canaria. A sentence has more. */
const MAX_WORDS = 5;
const NAME = /^(?:[\p{L}\p{M}\s'’ʻ·\-–—]|\.(?=\s|$)){2,}$/u;
/** A key or a web address without its dots: names with a capital inside are not listed. */
const CAPITAL_INSIDE = /\p{Ll}\p{Lu}/u;
const SPELT_ADDRESS =
  /\b(?:https?|www|gmail|googlemail|hotmail|outlook|yahoo|icloud|protonmail|gmx|instagram|facebook|linkedin|whatsapp|telegram|tiktok)\b| (?:dot|arroba|at) | (?:com|net|org)$/;
/** A number as it is read out. 十 is left out, because it occurs in names such as 九十九里. */
const CHINESE_NUMBER = /[〇零一二三四五六七八九]{3}/u;

/**
 * The name of an unknown place as it may be counted: lower-case words without accents and signs, up to a comma, slash or bracket. Null for
 * anything else, which may be a person's text: digits, addresses, sentences.
 */
export function foldedPlaceName(written: string): string | null {
  const name = (
    written
      .normalize('NFKC')
      .trim()
      .split(/[,;/(（，；、]/u)[0] ?? ''
  ).trim();
  if (!NAME.test(name) || CAPITAL_INSIDE.test(name) || CHINESE_NUMBER.test(name)) return null;
  const words = foldText(name)
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
  const isLong = words.length > MAX_NAME_LENGTH || words.split(' ').length > MAX_WORDS;
  return isLong || words.length < 2 || SPELT_ADDRESS.test(words) ? null : words;
}
