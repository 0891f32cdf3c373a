import type { TObject } from 'typebox';
import { isRepeatableName } from '../contract/errors.ts';
import { isPayloadField } from '../contract/payload-fields.ts';
import type { StayView } from '../contract/tools/stay-answer.ts';
import {
  DEFAULT_SHOWN_OPTIONS,
  DescribeNetworkArguments,
  MAX_AMENITIES_PER_CALL,
  MAX_SHOWN_OPTIONS,
  RefineStaysArguments,
  SearchStaysArguments,
  ShowStayArguments,
  SORTS,
  type StaySort,
} from '../contract/tools/stay-arguments.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';

/** Arguments of a tool, unchecked. */
export type RawArguments = Readonly<Record<string, unknown>>;

export type SearchArguments = {
  readonly session: string | null;
  readonly source: string | null;
  /** Fields of the search, unchecked. The interface reads them and refuses unknown ones. */
  readonly values: RawArguments;
  readonly amenities: readonly string[];
  readonly view: StayView;
};

export type RefineArguments = {
  readonly session: string;
  readonly amenities: readonly string[];
  readonly clearFilters: boolean;
  readonly isForCard: boolean;
  readonly view: StayView;
};

/** The fault, as a sentence for a model. */
type ArgumentFault = string;

const SESSION_NEEDED =
  'session is missing: send the session of the answer of search_stays, or call search_stays first.';

/** Arguments that are not for the tool itself go to the interface unchanged. */
export function readSearchArguments(raw: RawArguments): Reading<SearchArguments, ArgumentFault> {
  const session = textAt(raw, 'session');
  const source = textAt(raw, 'source');
  const amenities = amenitiesIn(raw);
  const view = viewIn(raw);
  const faults = faultsOf([session, source, amenities, view]);
  if (faults.length > 0) return invalid(...faults);
  const values = Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) => value !== null && (isPayloadField(name) || !isOwnArgument(name)),
    ),
  );
  return valid({
    session: readValue(session),
    source: readValue(source),
    values,
    amenities: readValue(amenities),
    view: readValue(view),
  });
}

/** Sent only by the card, to get its data. Not advertised, because it would cost models tokens. */
const FOR_CARD = 'for_card';

export function readRefineArguments(raw: RawArguments): Reading<RefineArguments, ArgumentFault> {
  const { [FOR_CARD]: _forCard, ...advertised } = raw;
  const unknown = unknownArguments(advertised, RefineStaysArguments);
  const session = textAt(raw, 'session');
  const amenities = amenitiesIn(raw);
  const clearFilters = booleanAt(raw, 'clear_filters');
  const isForCard = booleanAt(raw, FOR_CARD);
  const view = viewIn(raw);
  const faults = [...unknown, ...faultsOf([session, amenities, clearFilters, isForCard, view])];
  if (faults.length > 0) return invalid(...faults);
  const token = readValue(session);
  if (token === null) return invalid(SESSION_NEEDED);
  return valid({
    session: token,
    amenities: readValue(amenities),
    clearFilters: readValue(clearFilters),
    isForCard: readValue(isForCard),
    view: readValue(view),
  });
}

export type ShowArguments = { readonly session: string; readonly wanted: WantedOption };
export type WantedOption = { readonly property_id: string } | { readonly rank: number };

export function readShowArguments(raw: RawArguments): Reading<ShowArguments, ArgumentFault> {
  const unknown = unknownArguments(raw, ShowStayArguments);
  const session = textAt(raw, 'session');
  const id = textAt(raw, 'property_id');
  const faults = [...unknown, ...faultsOf([session, id])];
  if (faults.length > 0) return invalid(...faults);
  const token = readValue(session);
  if (token === null) return invalid(SESSION_NEEDED);
  const propertyId = readValue(id);
  if (propertyId !== null) return valid({ session: token, wanted: { property_id: propertyId } });
  const rank = Number(raw.rank);
  return Number.isInteger(rank) && rank >= 1
    ? valid({ session: token, wanted: { rank } })
    : invalid('Name the option: property_id as the set gives it, or rank, a whole number from 1 on.');
}

export function readSource(raw: RawArguments): Reading<string | null, ArgumentFault> {
  const unknown = unknownArguments(raw, DescribeNetworkArguments);
  return unknown.length > 0 ? invalid(...unknown) : textAt(raw, 'source');
}

/** An ignored argument must not look accepted. For `search_stays` the interface refuses unknown ones. */
function unknownArguments(raw: RawArguments, { properties }: TObject): ArgumentFault[] {
  return Object.keys(raw)
    .filter((name) => !Object.hasOwn(properties, name) && raw[name] !== null)
    .map((name) => {
      if (isPayloadField(name)) return `${name} is changed with search_stays and the session, not here.`;
      const said = isRepeatableName(name) ? `There is no argument ${name}` : 'There is no such argument';
      return `${said}; there are: ${Object.keys(properties).join(', ')}.`;
    });
}

/** Models send an empty text for a missing value. */
function textAt(raw: RawArguments, name: string): Reading<string | null, ArgumentFault> {
  const value = raw[name];
  if (value === undefined || value === null || value === '') return valid(null);
  return typeof value === 'string' ? valid(value) : invalid(`${name} must be a text.`);
}

function booleanAt(raw: RawArguments, name: string): Reading<boolean, ArgumentFault> {
  const value = raw[name];
  if (value === undefined || value === null || value === '') return valid(false);
  if (value === 'true' || value === 'false') return valid(value === 'true');
  return typeof value === 'boolean' ? valid(value) : invalid(`${name} must be true or false.`);
}

function amenitiesIn({ amenities }: RawArguments): Reading<readonly string[], ArgumentFault> {
  if (amenities === undefined || amenities === null || amenities === '') return valid([]);
  const list = typeof amenities === 'string' ? [amenities] : amenities;
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    return invalid('amenities must be a list of texts, such as ["pool", "wifi"].');
  }
  // A text can list several: no amenity contains a comma.
  const names = list.flatMap((one: string) => one.split(',')).map((one) => one.trim());
  const distinct = [...new Set(names.filter((one) => one !== ''))];
  return distinct.length <= MAX_AMENITIES_PER_CALL
    ? valid(distinct)
    : invalid(`amenities takes at most ${MAX_AMENITIES_PER_CALL} in a call: choose the most important ones.`);
}

function viewIn(raw: RawArguments): Reading<StayView, ArgumentFault> {
  const { sort = 'price' } = raw;
  const max_total = numberIn(raw.max_total);
  const max_options = numberIn(raw.max_options) ?? DEFAULT_SHOWN_OPTIONS;
  const free = booleanAt(raw, 'free_cancellation');
  const faults = [
    ...faultsOf([free]),
    ...(max_total === null || max_total >= 0
      ? []
      : ['max_total must be a number, in the currency of the set and without its sign.']),
    ...(Number.isInteger(max_options) && max_options >= 1
      ? []
      : [`max_options must be a whole number from 1 to ${MAX_SHOWN_OPTIONS}.`]),
    ...(isSort(sort ?? 'price') ? [] : [`sort must be one of: ${SORTS.join(', ')}.`]),
  ];
  if (faults.length > 0) return invalid(...faults);
  return valid({
    sort: (sort ?? 'price') as StaySort,
    max_total,
    free_cancellation: readValue(free),
    // A larger number means as many as possible; the answer counts the rest.
    max_options: Math.min(max_options, MAX_SHOWN_OPTIONS),
  });
}

/** NaN where it is no number. */
function numberIn(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

function isSort(value: unknown): value is StaySort {
  return SORTS.some((sort) => sort === value);
}

function isOwnArgument(name: string): boolean {
  return Object.hasOwn(SearchStaysArguments.properties, name);
}

function faultsOf(readings: readonly Reading<unknown, ArgumentFault>[]): ArgumentFault[] {
  return readings.flatMap((reading) => (reading.kind === 'invalid' ? reading.faults : []));
}

/** For readings that were already checked for faults. */
function readValue<Value>(reading: Reading<Value, ArgumentFault>): Value {
  if (reading.kind === 'invalid') throw new Error(reading.faults.join(' '));
  return reading.value;
}
