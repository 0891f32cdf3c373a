import { PAYLOAD_FIELDS, type SearchField } from '../../contract/payload-fields.ts';
import type { NamedCell } from './report.ts';

/** Stages of a session in the order in which they are passed. */
export const STAGES: readonly string[] = [...PAYLOAD_FIELDS, 'prices', 'completed'];

const FIELD_WORDS: Readonly<Record<SearchField, string>> = {
  brand_locked: 'one brand or all',
  destination: 'destination',
  check_in_month: 'month of arrival',
  check_in_day: 'day of arrival',
  check_out: 'day of departure',
  guests: 'guests',
  amenities: 'amenities',
};

/** Codes whose own words would not tell. */
const WORDS: Readonly<Record<string, string>> = {
  ...FIELD_WORDS,
  completed: 'result',
  // Why a wish was not met
  not_on_network: 'not on the network',
  minimum_stay: 'shorter than the minimum stay',
  maximum_stay: 'longer than the maximum stay',
  closed_to_arrival: 'no arrival on that day',
  closed_to_departure: 'no departure on that day',
  lead_time: 'too soon to book',
  beyond_horizon: 'too far ahead',
  conflicts_with: 'does not fit the other answers',
  operators_silent: 'operators did not answer',
  not_on_offer: 'homes are paused',
  // How searches ended
  compared: 'prices were compared',
  empty: 'no home could be had',
  just_refused: 'refused a moment before',
  too_many_searches: 'too many searches at a time',
};

/** A code as people read it. One that is not known stays itself, without its underscores. */
export function wordsFor(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : code.replaceAll('_', ' ');
}

/** A code with its words; the empty one is none. */
export function codeCell(code: string): NamedCell {
  return { id: code === '' ? null : code, text: wordsFor(code) };
}

/** Kinds of booking systems; vendors by the names that they give themselves. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  open: 'open protocol',
  'rate-card': 'rate card',
  imported: 'imported file',
  bookingsync: 'BookingSync',
  lodgify: 'Lodgify',
  guesty: 'Guesty',
  hostaway: 'Hostaway',
  beds24: 'Beds24',
  qloapps: 'QloApps',
};

export function systemName(kind: string): string {
  return Object.hasOwn(SYSTEM_NAMES, kind) ? (SYSTEM_NAMES[kind] ?? kind) : kind;
}
