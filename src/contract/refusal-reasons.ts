import { type Static, Type } from 'typebox';
import { isSharedAmenity } from '../catalogue/amenities.ts';
import { FIELDS, type SearchField } from './payload-fields.ts';
import { Closed, Count, Described, Text, Texts } from './vocabulary.ts';

/** For a day or month of arrival, where the length of the stay is not known yet. */
const onArrival = (sentence: string) => ({ check_in_month: sentence, check_in_day: sentence });

/**
 * Why a value was refused. The sentence follows "Invalid value for field: …" in the message; a name in braces is a fact of
 * the reason. Nothing that a caller or an operator wrote appears in it.
 */
const reasons = {
  not_on_network: {
    sentence: 'No place on this network has that name.',
    forField: { amenities: 'No match publishes an amenity of that name.' },
    meaning:
      'No place of the network has that identifier, name or alias; no match publishes an amenity with that key or label.',
  },
  ambiguous: {
    sentence: 'Several places have that name; choose one of candidates.',
    forField: { amenities: 'Operators call several amenities by that name; name one by its key.' },
    meaning:
      'The name fits more than one place, and candidates lists their identifiers; or more than one amenity: name it by its key, as in suggestions or in the amenities of an option.',
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
    forField: onArrival('Homes that are free then need at least {nights} nights, and so many cannot be had.'),
    withoutFact: 'Some homes that are free for that stay take longer ones only, and no other home takes it.',
    meaning:
      'nights is the smallest minimum stay among the homes that would otherwise fit. Left out where other homes take shorter stays from that day.',
  },
  maximum_stay: {
    sentence: 'The stay is too long: it may have at most {nights} nights.',
    forField: onArrival(
      'Homes that are free then take at most {nights} nights, and no such stay can be had.',
    ),
    withoutFact: 'Some homes that are free for that stay take shorter ones only, and no other home takes it.',
    meaning:
      'nights is the largest maximum stay among the homes that would otherwise fit. Left out where other homes take longer stays from that day.',
  },
  closed_to_arrival: {
    sentence: 'Homes that are free do not take arrivals on that day.',
    forField: { check_out: 'Homes that are free for that stay do not take arrivals on its first day.' },
    meaning: 'The nights are free, but no stay may begin then.',
  },
  closed_to_departure: {
    sentence: 'Homes that are free do not let a stay end on that day.',
    forField: onArrival('Homes that are free then do not let such a stay end.'),
    meaning: 'The nights are free, but no stay may end then.',
  },
  lead_time: {
    sentence: 'It is too soon: a stay must be booked at least {days} days ahead.',
    withoutFact: 'Some homes that are free then must be booked earlier, and no other home takes such a stay.',
    meaning:
      'days is the smallest lead time among the homes that would otherwise fit. Left out where other homes can be booked sooner.',
  },
  nothing_free: {
    sentence: 'No home that takes such a stay is free then.',
    forField: { destination: 'Nothing can be booked there.', brand_locked: 'Nothing can be booked there.' },
    meaning: 'Every home that takes such a stay is booked or closed.',
  },
  not_on_offer: {
    sentence: 'Homes there are not on offer here at present, which does not mean that they are booked.',
    meaning:
      'The place has no home on offer at present, and may have some again. Others can be chosen meanwhile.',
  },
  party_too_large: {
    sentence: 'No home that fits the other answers sleeps so many; {largest} is the most.',
    withoutFact: 'No home that fits the other answers sleeps so many.',
    meaning:
      'largest is the largest party that fits the other fields; filters give way to it. Left out where it would differ after the other corrections.',
  },
  conflicts_with: {
    sentence: 'It does not fit together with what stands for: {fields}.',
    meaning: 'Without the answers to fields the value would be on offer. They can be changed too.',
  },
  one_amenity_per_request: {
    sentence: 'Only one amenity can be applied in a request; {amenity} can be applied next.',
    meaning:
      'Filters add up, one request each: another amenity of the request was applied, and amenity waits.',
  },
  already_applied: {
    sentence: 'That filter is applied already.',
    meaning: 'The word stands for an amenity that is among the filters.',
  },
  not_discriminating: {
    sentence: 'It does not tell the options apart: {having} of {of} matches have it.',
    meaning: 'Every match has the amenity, or none has: having, of.',
  },
  wrong_type: {
    sentence: 'It has the wrong type or form. What the field takes: {accepts}',
    meaning: 'Such as an object where a text is needed, or a word where a number is.',
  },
} as const satisfies Record<string, ReasonDescription>;

type ReasonDescription = {
  readonly sentence: string;
  /** Where the sentence does not suit a field. */
  readonly forField?: Readonly<Partial<Record<SearchField, string>>>;
  /** For homes that differ, so that no fact holds for all of them. */
  readonly withoutFact?: string;
  readonly meaning: string;
};

export type ReasonCode = keyof typeof reasons;
export const REASON_CODES = Object.keys(reasons) as readonly ReasonCode[];
export const REASONS: Readonly<Record<ReasonCode, ReasonDescription>> = reasons;

/** Comes first where it applies: only then does a departure conflict with the day of arrival. */
const AFTER_ARRIVAL = 'A departure must be after the arrival. ';
/** Added where it applies: a home that publishes nothing may have it. */
const UNPUBLISHED = ' The amenities of {unpublished} of the homes are not published, so those may have it.';

/** Added where it applies, so that no assistant answers "there is none". */
const NEXT_BEST =
  ' Nearest to it of what they publish, but not the same: {next_best}. Ask the traveller whether that will do.';

export const RefusalReason = Described(
  'Beyond the base interface: why the value was refused, with its facts.',
  {
    code: Type.Enum([...REASON_CODES], { description: 'Which reason it is.' }),
    format: Type.Optional(Text('How a date is written: not_a_date.')),
    last_day: Type.Optional(Text('The last day on which a stay can end: beyond_horizon.')),
    nights: Type.Optional(Count('minimum_stay, maximum_stay.')),
    days: Type.Optional(Count('Days from today to the earliest arrival: lead_time.')),
    largest: Type.Optional(Count('The largest party that fits: party_too_large.')),
    having: Type.Optional(Count('How many matches have the amenity: not_discriminating.')),
    of: Type.Optional(Count('How many matches there are: not_discriminating.')),
    unpublished: Type.Optional(Count('Homes that publish no amenities, where an amenity was refused.')),
    next_best: Type.Optional(
      Texts('Amenities of the matches that come next to a refused one, nearest first.'),
    ),
    amenity: Type.Optional(Text('The amenity that was not applied, by its key: one_amenity_per_request.')),
    fields: Type.Optional(Texts('The other fields that stand in the way: conflicts_with.')),
  },
);
export type RefusalReason = Static<typeof RefusalReason>;

/** Answers do not repeat refused values, so this identifies the value. */
export const Position = Type.Optional(
  Count('Beyond the base interface: which of several amenities of the request was refused, counted from 1.'),
);

/** One refused field, where an answer lists several or is not an error itself. */
export const FieldRefusal = Closed({
  field: Type.Optional(Text('The field that was refused. Left out for a name that is not repeated.')),
  error: Text('Error code of the registry.'),
  message: Text('What was wrong.'),
  reason: Type.Optional(RefusalReason),
  position: Position,
  did_you_mean: Type.Optional(Text('The field that an unknown name was probably meant for.')),
  suggestions: Type.Optional(Texts('Values on offer, nearest to what was meant first.')),
});
export type FieldRefusal = Static<typeof FieldRefusal>;

/** A value that cannot be read states nothing about the traveller's request. */
export function isUnreadable({ code }: RefusalReason): boolean {
  return code === 'wrong_type' || code === 'not_a_date' || code === 'no_such_date';
}

/** Filters that need no replacement: they are active, hold for every match, or come with a later request. */
const NEEDS_NO_OTHER: readonly ReasonCode[] = [
  'already_applied',
  'not_discriminating',
  'one_amenity_per_request',
];

/** Whether only the traveller can replace a value that has no suggestions. */
export function isForTraveller(reason: RefusalReason): boolean {
  return !isUnreadable(reason) && !NEEDS_NO_OTHER.includes(reason.code);
}

/** The reason without its facts, where they do not hold for everything that the answer offers. */
export function withoutFacts(reason: RefusalReason): RefusalReason {
  const { code } = reason;
  return REASONS[code].withoutFact === undefined ? reason : { code };
}

/** The reason as a sentence about a field. */
export function sentenceOf({ code, ...facts }: RefusalReason, field: string | null): string {
  const { sentence, forField = {}, withoutFact } = REASONS[code];
  const isWithoutFact = Object.keys(facts).length === 0 && withoutFact !== undefined;
  const suited = isWithoutFact ? withoutFact : isSearchField(field) ? forField[field] : undefined;
  const isTooEarly = field === 'check_out' && facts.fields?.includes('check_in_day');
  const template =
    (isTooEarly ? AFTER_ARRIVAL : '') +
    (suited ?? sentence) +
    (facts.next_best ? NEXT_BEST : '') +
    (facts.unpublished ? UNPUBLISHED : '');
  return Object.entries(facts).reduce(
    (text, [name, fact]) => withFact(text, name, fact),
    template.replace('{accepts}', acceptedBy(field)),
  );
}

/** Inserts a fact. A count adapts its noun: `{nights} nights` becomes `1 night`. An operator's own key is not repeated. */
function withFact(text: string, name: string, fact: string | number | readonly string[]): string {
  const singular = fact === 1 ? text.replace(`{${name}} ${name}`, `1 ${name.slice(0, -1)}`) : text;
  const isOwnWord = name === 'amenity' && !isSharedAmenity(String(fact));
  return singular.replace(`{${name}}`, isOwnWord ? 'this one' : [fact].flat().join(', '));
}

function acceptedBy(field: string | null): string {
  return isSearchField(field) ? FIELDS[field].description.accepts : 'see the schema.';
}

function isSearchField(name: string | null): name is SearchField {
  return name !== null && Object.hasOwn(FIELDS, name);
}
