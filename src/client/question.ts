import type { QuestionBody, RefusalBody } from './answers.ts';

/** One value on offer. */
export type SearchChoice = {
  /** What to send. */
  readonly value: string;
  /** What to show: the name of a place, the meaning of a boolean, otherwise the value. */
  readonly label: string;
  /** How many of the matches have an amenity, and of how many. */
  readonly matchCount?: number;
  readonly of?: number;
};

/** Why a value was not taken. */
export type SearchRefusal = NonNullable<RefusalBody['other_refusals']>[number];

/** What has to be chosen next. */
export type SearchQuestion = {
  readonly field: string;
  /** Every value leads on to a match. Empty where nothing is known to fit. */
  readonly choices: readonly SearchChoice[];
  /** How many values there are; more than `choices` where the list was cut. The others are accepted too. */
  readonly total: number;
  /** What to know about the field. */
  readonly hint: string | null;
  /** Why the value that was sent for this field was not taken, and what is nearest to it; null when none was sent. */
  readonly refusal: SearchRefusal | null;
  /** Fields that are still open, this one among them. */
  readonly missing: readonly string[];
};

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

/** About the refused field where values for it are on offer, otherwise about the next one that is missing. */
export function questionOfRefusal(body: RefusalBody): SearchQuestion {
  const { invalid_field: refused, next_required: next } = body;
  const isOffered = refused !== undefined && choicesFor(refused, body).length > 0;
  const field = isOffered ? refused : (next ?? refused ?? '');
  return questionAbout(field, body, refusalsIn(body).find((refusal) => refusal.field === field) ?? null);
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
  const choices = choicesFor(field, state);
  return {
    field,
    choices,
    total: state.allowed_values_truncated?.[field]?.total ?? choices.length,
    hint: state.field_hints?.[field] ?? null,
    refusal,
    missing: state.missing_fields ?? [],
  };
}

function choicesFor(field: string, { allowed_values = {}, places = {} }: StepState): SearchChoice[] {
  const offered = Object.hasOwn(allowed_values, field)
    ? (allowed_values[field as keyof typeof allowed_values] ?? [])
    : [];
  return offered.map((offer) => {
    if (typeof offer === 'string') return { value: offer, label: places[offer]?.name ?? offer };
    if ('description' in offer) return { value: String(offer.value), label: offer.description };
    return { value: offer.value, label: offer.value, matchCount: offer.match_count, of: offer.of };
  });
}
