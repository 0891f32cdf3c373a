import type { Network, PlaceId } from '../catalogue/catalogue.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import { FIELD_RULES } from '../search/fields/rules.ts';
import { findPlace, foldedName, partsOf, placeNamesOf } from '../search/names/find-place.ts';
import { editDistance, foldText } from '../search/names/spelling.ts';
import type { FieldFault } from '../search/refusal.ts';
import type { CarriedOut } from '../search/search-observer.ts';
import type { SuppliedValue } from '../search/supplied-values.ts';

/** A place and month that a session asked for, and the outcome. Both are empty if unknown. */
export type Demand = {
  readonly place: PlaceId | '';
  readonly month: string;
  readonly reason: string;
  /** The mark by which it counts once for a session. */
  readonly mark: number;
};

/** The part of a request that is not on offer. */
type Unmet = {
  readonly demands: readonly Demand[];
  /** The folded name of a place that is not on the network; null if none was written. */
  readonly missing: { readonly name: string; readonly mark: number } | null;
};

export function demandFor(place: PlaceId | '', month: string, reason: string): Demand {
  return { place, month, reason, mark: markOf('wish', place, month, reason) };
}

/** 32 bits by FNV-1a, in a fraction of the time of a digest: a collision only loses a count of the same session. */
export function markOf(...parts: readonly (string | number)[]): number {
  const text = parts.join('\n');
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

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

/** Finds the unmet demand of a request. */
export function unmetDemand(step: CarriedOut, network: Network, now: number): Unmet {
  const { after, supplied, refusal, search } = step;
  const faults = refusal?.faults ?? [];
  const isPaused = step.isPaused === true;
  const isJustRefused = !isPaused && search?.outcome.kind === 'just_refused';
  const written = textOf('destination', supplied);
  const missingPlace = faults.find((fault) => isMissing(fault, written, network));
  // The first fault may stand for the operators' refusal, which is counted as such.
  const unmet = faults
    .slice(isJustRefused ? 1 : 0)
    .filter((fault) => fault === missingPlace || isOfTheOffer(fault));
  if (unmet.length === 0 && !isPaused) return { demands: [], missing: null };
  const isUntaken = (field: string) => isPaused || faults.some((fault) => fault.field === field);
  const meant = isUntaken('destination') ? placeWritten(written, network) : '';
  const rejected = ARRIVAL_FIELDS.filter(isUntaken);
  const month = monthWritten(rejected, supplied, now) ?? after.payload.check_in_month ?? '';
  const name = missingPlace ? foldedPlaceName(written) : null;
  const missing = name === null ? null : { name, mark: markOf('missing', name) };
  const standing = after.onlyPlace ?? '';
  const chosen = after.payload.destination ?? '';
  if (isPaused) return { demands: [demandFor(standing || meant || chosen, month, NOT_ON_OFFER)], missing };
  const demands = unmet.map(({ field, reason }) => {
    const place = field === 'destination' ? meant : standing || chosen || meant;
    return demandFor(place, month, reason?.code ?? '');
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

const ARRIVAL_FIELDS = ['check_in_day', 'check_in_month'] as const;

/** The month of a rejected arrival, if it can be read. */
function monthWritten(
  rejected: readonly (typeof ARRIVAL_FIELDS)[number][],
  supplied: readonly SuppliedValue[],
  now: number,
): string | undefined {
  for (const field of rejected) {
    const written = textOf(field, supplied);
    if (written === '') continue;
    const reading = FIELD_RULES[field].read(written);
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
 * make another name: Parma is not Palma.
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

const MAX_NAME_LENGTH = 40;
/** As in Las Palmas de Gran Canaria. A sentence has more. */
const MAX_WORDS = 5;
const MIN_LETTERS = 2;
/** A text with as many digits may be a telephone number, a street or a postcode. */
const SUSPECT_DIGITS = 3;

const NO_LETTER = /[^\p{L}\p{M}]+/gu;
const LETTER = /\p{L}/gu;
const DIGIT = /\p{N}/gu;
/** Digits as numbers are read out. 十 and larger ones are left out, because they occur in names such as 九十九里. */
const CHINESE_DIGITS = new RegExp(`[〇零一二三四五六七八九]{${SUSPECT_DIGITS}}`, 'u');
const NO_CHINESE_DIGIT = /[^\p{L}〇]+/gu;
const ESCAPE = /(?:%[0-9a-f]{2})+/giu;
/** A region or country is often written after the name. */
const AFTER_THE_NAME = /[,;(，；、].*/su;
/** An address with spelt-out or removed signs. */
const ADDRESS =
  /\b(?:https?|www|gmail|googlemail|hotmail|outlook|yahoo|icloud|protonmail|gmx|instagram|facebook|linkedin|whatsapp|telegram|tiktok)\b| (?:dot|arroba) | (?:com|net|org)$/;

/**
 * The name of an unknown place as it may be counted: lower-case words without accents, digits and signs. Null for a text that is no name,
 * or may be a person's contact details.
 */
export function foldedPlaceName(written: unknown): string | null {
  if (typeof written !== 'string') return null;
  const text = unescaped(written).normalize('NFKC');
  if (isAddressOrSecret(text) || text.search(ESCAPE) >= 0 || isNumber(text)) return null;
  const words = wordsIn(text);
  const name = isTooLong(words) ? wordsIn(text.replace(AFTER_THE_NAME, '')) : words;
  return isTooLong(name) || [words, name].some(isAddress) || lettersIn(name) < MIN_LETTERS ? null : name;
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function isNumber(text: string): boolean {
  return (
    (text.match(DIGIT)?.length ?? 0) >= SUSPECT_DIGITS ||
    CHINESE_DIGITS.test(text.replace(NO_CHINESE_DIGIT, ''))
  );
}

function wordsIn(text: string): string {
  return foldText(text).replace(NO_LETTER, ' ').trim();
}

function isTooLong(words: string): boolean {
  return Array.from(words).length > MAX_NAME_LENGTH || words.split(' ').length > MAX_WORDS;
}

function isAddress(words: string): boolean {
  return ADDRESS.test(words);
}

function lettersIn(words: string): number {
  return words.match(LETTER)?.length ?? 0;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** After these abbreviations a name may continue without a blank. */
const ABBREVIATION = /\b(?:ste?|st[ao]|mt|ft)\./giu;
/** Two letters on each side, because single letters have dots in names too: D.C. */
const DOT_IN_A_WORD = /[\p{L}\p{N}\p{M}]{2}[.。][\p{L}\p{N}\p{M}]{2}/u;
/** Towns with two names have one slash between them, and no dot: Biel/Bienne. */
const PATH = /\/.*\/|\p{L}\.\p{L}\S*\/|\/\S*\p{L}\.\p{L}/su;
const NEVER_IN_A_NAME = /[@_\\]/u;
const ESCAPED_SIGN = /%u[0-9a-f]|&#|&\w+;/iu;
const SIGN_IN_BRACKETS = /[([{<]\s*(?:a|ä|at|ät|arroba|dot|punkt|punto)\s*[)\]}>]/iu;

const WORD = /[\p{L}\p{M}]+/gu;
/** Prefixes before a capital inside a word: McAllen, LaSalle, KwaZulu, and initial changes in Irish and Zulu. */
const BEFORE_A_CAPITAL = /^(?:Ma?c|De[ls]?|Di|Du|Las?|Les?|Los|Van|Von|Fitz|Kwa|\p{Ll}{1,2})(?=\p{Lu})/u;
const CAPITAL_INSIDE = /\p{Ll}\p{Lu}/u;

/** Recognises signs and capitals of mail addresses, web addresses and keys, which no name of a place has. Expects NFKC. */
function isAddressOrSecret(text: string): boolean {
  const visible = text.replace(INVISIBLE, '');
  return (
    [NEVER_IN_A_NAME, ESCAPED_SIGN, SIGN_IN_BRACKETS, PATH].some((sign) => sign.test(visible)) ||
    DOT_IN_A_WORD.test(visible.replace(ABBREVIATION, ' ')) ||
    (visible.match(WORD) ?? []).some((word) => CAPITAL_INSIDE.test(withoutPrefix(word)))
  );
}

function withoutPrefix(word: string): string {
  return word.replace(BEFORE_A_CAPITAL, '');
}
