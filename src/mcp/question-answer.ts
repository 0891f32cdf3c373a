import { FIELDS, isPayloadField } from '../contract/payload-fields.ts';
import type { SearchProblem, SearchStep } from '../contract/search-body.ts';
import type { OfferedValue, StayAnswer, StayQuestion, StayRefusal } from '../contract/tools/stay-answer.ts';

/** A model reads every value; more are accepted than are listed. */
const MAX_OFFERED_VALUES = 40;

/** A step, or a refusal with the step as it stands. */
export type AskingBody = (SearchStep | SearchProblem) &
  Required<Pick<SearchStep, 'missing_fields' | 'allowed_values' | 'received'>>;

/** What is missing or was refused. */
export function questionAnswer(
  body: AskingBody,
  session: string,
  refusals: readonly StayRefusal[],
): StayAnswer {
  const question = questionIn(body);
  // An amenity that came too early is no reason to ask for anything else than what is missing.
  const isRefused = refusals.some(({ error }) => error !== 'refine_not_available');
  return {
    outcome: isRefused || question === undefined ? 'refused' : 'question',
    session,
    received: body.received,
    ...(refusals.length === 0 ? {} : { refusals: [...refusals] }),
    ...(body.cleared_fields === undefined ? {} : { cleared_fields: body.cleared_fields }),
    ...(body.cleared_amenities === undefined ? {} : { cleared_amenities: body.cleared_amenities }),
    ...(body.fulfilled_amenities === undefined ? {} : { fulfilled_amenities: body.fulfilled_amenities }),
    ...(question === undefined ? {} : { question }),
  };
}

/** Undefined when every field is set: then only filters are left to choose, which are in the set. */
function questionIn(body: AskingBody): StayQuestion | undefined {
  const missing = body.missing_fields.filter(isPayloadField);
  const [field] = missing;
  if (field === undefined) return undefined;
  const values = offeredFor(field, body);
  const { meaning, hint } = FIELDS[field].description;
  return {
    field,
    asks: hint === undefined || isSaidIn(meaning, hint) ? meaning : `${meaning} ${hint}`,
    offered: values.slice(0, MAX_OFFERED_VALUES),
    offered_in_all: body.allowed_values_truncated?.[field]?.total ?? values.length,
    missing_fields: missing,
  };
}

export function offeredFor(field: string, body: AskingBody): readonly OfferedValue[] {
  const { brand_locked = [], ...others } = body.allowed_values;
  if (field === 'brand_locked') {
    return brand_locked.map(({ value, description }) => ({ value, means: description }));
  }
  const values = (others as Readonly<Record<string, readonly unknown[] | undefined>>)[field] ?? [];
  return values.map((value) => {
    const name = body.places?.[String(value)]?.name;
    return { value: String(value), ...(name === undefined ? {} : { means: name }) };
  });
}

function isSaidIn(meaning: string, hint: string): boolean {
  return meaning.toLowerCase().includes(hint.toLowerCase().replace(/\.$/, ''));
}
