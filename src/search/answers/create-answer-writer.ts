import type { Network } from '../../catalogue/catalogue.ts';
import type { Option } from '../../contract/option.ts';
import type { ResultBody } from '../../contract/result-body.ts';
import { OPERATOR_TEXT } from '../../contract/vocabulary.ts';
import type { AnswerWriter } from '../answer-writer.ts';
import type { FindExampleStay } from '../example-stay.ts';
import type { Links } from './links.ts';
import { resultText, withSideEffects } from './result-text.ts';
import { sessionAnswer } from './session-answer.ts';
import { refusedStepAnswer, stepText } from './step-answer.ts';

/**
 * The compact view of a stored result: the first picture only, and of what is beyond the base interface only what has
 * something to say. Made from the full view, so that the two never tell different prices.
 */
function compactResult({ results, ...full }: ResultBody): ResultBody {
  return {
    ...full,
    comparison_set: compactSet(full.comparison_set),
    available_requests: inCompactView(full.available_requests),
    ...(full.next_request ? { next_request: inCompactView(full.next_request) } : {}),
    view: 'compact',
    operator_text: OPERATOR_TEXT.filter((path) => !path.startsWith(GALLERY)),
    results: results.map(compactOption),
  };
}

function compactSet({ unpublished_amenities, ...set }: ResultBody['comparison_set']) {
  return unpublished_amenities ? { ...set, unpublished_amenities } : set;
}

const GALLERY = 'results[].images.gallery';

function compactOption({ truncated_fields, ...option }: Option): Option {
  const cut = truncated_fields?.filter((path) => path !== 'images.gallery') ?? [];
  return {
    ...option,
    ...(cut.length > 0 ? { truncated_fields: cut } : {}),
    cancellation: withoutNulls(option.cancellation, ['refundable', 'free_cancellation_until_local']),
    images: { ...option.images, gallery: [] },
    availability: withoutNulls(option.availability, ['confirmation_hours']),
    quote: withoutNulls(option.quote, ['deposit', 'due_on_site']),
  };
}

/** Only members that the contract has as optional can be left out. */
type OptionalKey<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

function withoutNulls<T extends object>(object: T, additions: readonly OptionalKey<T>[]): T {
  const kept = { ...object };
  for (const name of additions) if (kept[name] === null) delete kept[name];
  return kept;
}

const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['href', 'url', 'url_template']);

/** Every address carries the view on. */
function inCompactView<Requests extends object>(requests: Requests): Requests {
  const text = JSON.stringify(requests, (name, value: unknown) =>
    ADDRESS_MEMBERS.has(name) ? `${value}&view=compact` : value,
  );
  return JSON.parse(text);
}

/** Writes outcomes as bodies of the contract. */
export function createAnswerWriter({
  links,
  network,
  findExampleStay,
}: {
  readonly links: Links;
  readonly network: Network;
  readonly findExampleStay: FindExampleStay;
}): AnswerWriter {
  return {
    opened: (session, request, context) =>
      JSON.stringify(sessionAnswer(session, request, context, { links, findExampleStay })),
    step: (step, sideEffects, form) => stepText(step, sideEffects, form, { links, network }),
    refusal: (code, step, details, context) =>
      JSON.stringify(refusedStepAnswer(code, step, details, { ...context, links, network })),
    result: (comparison, session, token, sideEffects) =>
      resultText(comparison, session, { links, token, network, sideEffects }),
    withSideEffects: (result, sideEffects) => {
      const stored: ResultBody = JSON.parse(result);
      const remarked = withSideEffects(stored, sideEffects);
      return remarked === stored ? result : JSON.stringify(remarked);
    },
    compactResult: (result) => JSON.stringify(compactResult(JSON.parse(result))),
  };
}
