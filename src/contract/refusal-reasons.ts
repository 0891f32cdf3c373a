import { type Static, Type } from 'typebox';
import { CLOSED, Text } from './scalars.ts';

/**
 * Why a value was refused. The sentence follows "Invalid value for field: …" in the message; a name in braces is a fact of
 * the reason. Nothing that a caller or an operator wrote appears in it.
 */
const reasons = {
  not_on_network: {
    sentence: 'Nothing on this network has that name.',
    meaning: 'No place, or no amenity, of the network has that identifier or name.',
  },
  ambiguous: {
    sentence: 'Several places have that name; choose one of candidates.',
    meaning: 'The name fits more than one place. candidates lists their identifiers.',
  },
  no_such_date: {
    sentence: 'The calendar has no such date.',
    meaning: 'Well written, but not a date, such as 30 February.',
  },
  not_a_date: {
    sentence: 'It is not written as {format}.',
    meaning: 'The text is not a date or a month in the one form that is accepted: format.',
  },
  in_the_past: {
    sentence: 'It is in the past.',
    meaning: 'Today has passed it, on the local calendar of the place.',
  },
  beyond_horizon: {
    sentence: 'It is too far ahead: stays can end on {last_day} at the latest.',
    meaning: 'Calendars are searched up to last_day.',
  },
  minimum_stay: {
    sentence: 'The stay is too short: at least {nights} nights are needed.',
    meaning: 'nights is the smallest minimum stay among the homes that would otherwise fit.',
  },
  maximum_stay: {
    sentence: 'The stay is too long: at most {nights} nights are possible.',
    meaning: 'nights is the largest maximum stay among the homes that would otherwise fit.',
  },
  closed_to_arrival: {
    sentence: 'Homes that are free do not take arrivals on that day.',
    meaning: 'The nights are free, but no stay may begin then.',
  },
  closed_to_departure: {
    sentence: 'Homes that are free do not let a stay end on that day.',
    meaning: 'The nights are free, but no stay may end then.',
  },
  lead_time: {
    sentence: 'It is too soon: a stay must be booked at least {days} days ahead.',
    meaning: 'days is the smallest lead time among the homes that would otherwise fit.',
  },
  nothing_free: {
    sentence: 'Nothing is free then.',
    meaning: 'Every home that would fit is booked or closed.',
  },
  party_too_large: {
    sentence: 'No home that fits the other answers sleeps so many; {largest} is the most.',
    meaning: 'largest is the largest party that fits everything received.',
  },
  conflicts_with: {
    sentence: 'It does not fit together with what was received for: {fields}.',
    meaning: 'Without the answers to fields the value would be on offer. They can be changed too.',
  },
  one_amenity_per_request: {
    sentence: 'Only one amenity can be supplied in a request.',
    meaning: 'Filters add up, one request each.',
  },
  not_discriminating: {
    sentence: 'It does not tell the options apart.',
    meaning: 'Every option has the amenity, or none has.',
  },
  wrong_type: {
    sentence: 'It has the wrong type or form; the schema says what the field takes.',
    meaning: 'Such as an object where a text is needed, or a word where a number is.',
  },
} as const satisfies Record<string, { readonly sentence: string; readonly meaning: string }>;

export type ReasonCode = keyof typeof reasons;
export const REASON_CODES = Object.keys(reasons) as readonly ReasonCode[];
export const REASONS: Readonly<Record<ReasonCode, { readonly sentence: string; readonly meaning: string }>> =
  reasons;

export const RefusalReason = Type.Object(
  {
    code: Type.Enum([...REASON_CODES], { description: 'Which reason it is.' }),
    format: Type.Optional(Text('How a date is written: not_a_date.')),
    last_day: Type.Optional(Text('The last day on which a stay can end: beyond_horizon.')),
    nights: Type.Optional(Type.Integer({ description: 'minimum_stay, maximum_stay.' })),
    days: Type.Optional(Type.Integer({ description: 'Days from today to the earliest arrival: lead_time.' })),
    largest: Type.Optional(Type.Integer({ description: 'The largest party that fits: party_too_large.' })),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'The other fields that stand in the way: conflicts_with.' }),
    ),
  },
  { ...CLOSED, description: 'Beyond the base interface: why the value was refused, with its facts.' },
);
export type RefusalReason = Static<typeof RefusalReason>;

/** The reason as a sentence. */
export function sentenceOf({ code, ...facts }: RefusalReason): string {
  return Object.entries(facts).reduce(
    (sentence, [name, fact]) =>
      sentence.replace(`{${name}}`, Array.isArray(fact) ? fact.join(', ') : String(fact)),
    REASONS[code].sentence,
  );
}
