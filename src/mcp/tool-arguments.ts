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
  const faults: ArgumentFault[] = [];
  const session = textAt(raw, 'session', faults);
  const source = textAt(raw, 'source', faults);
  const amenities = amenitiesIn(raw, faults);
  const view = viewIn(raw, faults);
  const values = Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) =>
        value !== null && (isPayloadField(name) || !Object.hasOwn(SearchStaysArguments.properties, name)),
    ),
  );
  return faults.length > 0 ? invalid(...faults) : valid({ session, source, values, amenities, view });
}

/** Sent only by the card, to get its data. Not advertised, because it would cost models tokens. */
const FOR_CARD = 'for_card';

export function readRefineArguments(raw: RawArguments): Reading<RefineArguments, ArgumentFault> {
  const { [FOR_CARD]: _forCard, ...advertised } = raw;
  const faults = unknownArguments(advertised, RefineStaysArguments);
  const session = textAt(raw, 'session', faults);
  const amenities = amenitiesIn(raw, faults);
  const clearFilters = booleanAt(raw, 'clear_filters', faults);
  const isForCard = booleanAt(raw, FOR_CARD, faults);
  const view = viewIn(raw, faults);
  if (faults.length > 0) return invalid(...faults);
  return session === null
    ? invalid(SESSION_NEEDED)
    : valid({ session, amenities, clearFilters, isForCard, view });
}

export type ShowArguments = { readonly session: string; readonly wanted: WantedOption };
export type WantedOption = { readonly property_id: string } | { readonly rank: number };

export function readShowArguments(raw: RawArguments): Reading<ShowArguments, ArgumentFault> {
  const faults = unknownArguments(raw, ShowStayArguments);
  const session = textAt(raw, 'session', faults);
  const property_id = textAt(raw, 'property_id', faults);
  if (faults.length > 0) return invalid(...faults);
  if (session === null) return invalid(SESSION_NEEDED);
  if (property_id !== null) return valid({ session, wanted: { property_id } });
  const rank = Number(raw.rank);
  return Number.isInteger(rank) && rank >= 1
    ? valid({ session, wanted: { rank } })
    : invalid('Name the option: property_id as the set gives it, or rank, a whole number from 1 on.');
}

export function readSource(raw: RawArguments): Reading<string | null, ArgumentFault> {
  const faults = unknownArguments(raw, DescribeNetworkArguments);
  if (faults.length > 0) return invalid(...faults);
  const source = textAt(raw, 'source', faults);
  return faults.length > 0 ? invalid(...faults) : valid(source);
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
function isMissing(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** Adds what is wrong to `faults`; so do the following. */
function textAt(raw: RawArguments, name: string, faults: ArgumentFault[]): string | null {
  const value = raw[name];
  if (isMissing(value)) return null;
  if (typeof value === 'string') return value;
  faults.push(`${name} must be a text.`);
  return null;
}

function booleanAt(raw: RawArguments, name: string, faults: ArgumentFault[]): boolean {
  const value = raw[name];
  if (!isMissing(value) && !['true', 'false', true, false].includes(value as string | boolean)) {
    faults.push(`${name} must be true or false.`);
  }
  return value === true || value === 'true';
}

function amenitiesIn({ amenities }: RawArguments, faults: ArgumentFault[]): readonly string[] {
  if (isMissing(amenities)) return [];
  const list = typeof amenities === 'string' ? [amenities] : amenities;
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    faults.push('amenities must be a list of texts, such as ["pool", "wifi"].');
    return [];
  }
  // A text can list several: no amenity contains a comma.
  const names = list.flatMap((one: string) => one.split(',')).map((one) => one.trim());
  const distinct = [...new Set(names.filter((one) => one !== ''))];
  if (distinct.length > MAX_AMENITIES_PER_CALL) {
    faults.push(
      `amenities takes at most ${MAX_AMENITIES_PER_CALL} in a call: choose the most important ones.`,
    );
  }
  return distinct;
}

function viewIn(raw: RawArguments, faults: ArgumentFault[]): StayView {
  const sort = raw.sort ?? 'price';
  const max_total = numberIn(raw.max_total);
  const max_options = numberIn(raw.max_options) ?? DEFAULT_SHOWN_OPTIONS;
  const free_cancellation = booleanAt(raw, 'free_cancellation', faults);
  if (max_total !== null && !(max_total >= 0)) {
    faults.push('max_total must be a number, in the currency of the set and without its sign.');
  }
  if (!Number.isInteger(max_options) || max_options < 1) {
    faults.push(`max_options must be a whole number from 1 to ${MAX_SHOWN_OPTIONS}.`);
  }
  if (!SORTS.some((one) => one === sort)) faults.push(`sort must be one of: ${SORTS.join(', ')}.`);
  return {
    sort: sort as StaySort,
    max_total,
    free_cancellation,
    // A larger number means as many as possible; the answer counts the rest.
    max_options: Math.min(max_options, MAX_SHOWN_OPTIONS),
  };
}

/** NaN where it is no number. */
function numberIn(value: unknown): number | null {
  if (isMissing(value)) return null;
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}
