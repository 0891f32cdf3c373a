import type { QuestionBody, RefusalBody, SearchChoice, SearchQuestion, SearchRefusal } from './answers.ts';

type StepState = Pick<
  RefusalBody,
  | 'allowed_values'
  | 'allowed_values_truncated'
  | 'field_hints'
  | 'missing_fields'
  | 'next_required'
  | 'places'
>;

export function questionOfStep(body: QuestionBody): SearchQuestion {
  return questionAbout(body.next_required, body, null);
}

/** About the refused field where there is something to choose for it, otherwise about the next one that is missing. */
export function questionOfRefusal(body: RefusalBody): SearchQuestion {
  const refusals = refusalsIn(body);
  const refused = questionAbout(body.invalid_field ?? '', body, refusals[0] ?? null);
  if (refused.choices.length > 0 || body.next_required === undefined) return refused;
  const next = body.next_required;
  return questionAbout(next, body, refusals.find(({ field }) => field === next) ?? null);
}

/** The refused fields of an answer, the one that it is about first. */
export function refusalsIn(body: RefusalBody): SearchRefusal[] {
  const { invalid_field: field, error, message, reason, did_you_mean, suggestions } = body;
  const first: SearchRefusal = {
    ...(field === undefined ? {} : { field }),
    error,
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(did_you_mean === undefined ? {} : { did_you_mean }),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
  return [first, ...(body.other_refusals ?? [])];
}

function questionAbout(field: string, state: StepState, refusal: SearchRefusal | null): SearchQuestion {
  const { allowed_values, allowed_values_truncated, field_hints, missing_fields = [], places = {} } = state;
  const offered = allowed_values
    ? (Object.entries(allowed_values).find(([name]) => name === field)?.[1] ?? [])
    : [];
  // A day has no values on offer before its month has, but days near the refused one are known.
  const values = offered.length > 0 ? offered : (refusal?.suggestions ?? []);
  const choices = values.map((offer): SearchChoice => {
    if (typeof offer === 'string') return { value: offer, label: places[offer]?.name ?? offer };
    if ('description' in offer) return { value: String(offer.value), label: offer.description };
    return { value: offer.value, label: offer.value, matchCount: offer.match_count, of: offer.of };
  });
  return {
    field,
    choices,
    total: allowed_values_truncated?.[field]?.total ?? choices.length,
    hint: field_hints?.[field] ?? null,
    refusal,
    missing: missing_fields,
  };
}
