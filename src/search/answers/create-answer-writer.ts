import type { Network } from '../../catalogue/catalogue.ts';
import { OK } from '../../contract/errors.ts';
import type { Option } from '../../contract/option.ts';
import type { ResultBody } from '../../contract/result-body.ts';
import type { AuthRequest, SessionBody } from '../../contract/session-body.ts';
import { API_VERSION, formatTimestamp, OPERATOR_TEXT, PATHS } from '../../contract/vocabulary.ts';

import { wholeStayHint, wholeStayTemplate } from '../../contract/whole-stay.ts';
import type { Session } from '../../sessions/session.ts';
import type { AnswerWriter, OpeningContext } from '../answer-writer.ts';
import type { FindExampleStay } from '../example-stay.ts';
import { askedFields } from '../payload.ts';
import type { Links } from './links.ts';
import { resultText, withSideEffects } from './result-text.ts';
import { refusedStepAnswer, stepText } from './step-answer.ts';

/** Writes outcomes as JSON bodies of the contract. */
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
      const updated = withSideEffects(stored, sideEffects);
      return updated === stored ? result : JSON.stringify(updated);
    },
    compactResult: (result) => JSON.stringify(compactResult(JSON.parse(result))),
  };
}

export function sessionAnswer(
  session: Session,
  request: AuthRequest,
  { token, method, view }: OpeningContext,
  { links, findExampleStay }: { readonly links: Links; readonly findExampleStay: FindExampleStay },
): SessionBody {
  const { order } = askedFields(session);
  const { revision } = session;
  return {
    api_version: API_VERSION,
    status: OK,
    endpoint: PATHS.auth,
    method,
    object: 'session',
    session: token,
    source: session.source,
    request,
    expires_at: formatTimestamp(session.expiresAt),
    next_request: { url: links.forSession({ token, revision, view }).read(), method: 'GET' },
    hint: wholeStayHint(order, findExampleStay(session.openedAt, session.onlyPlace)),
    // Compact, because the answer to it is a whole comparison set.
    url_template: wholeStayTemplate({
      searchUrl: links.at(PATHS.search),
      session: token,
      order,
      view: 'compact',
    }),
    self_url: PATHS.auth,
    terms_url: PATHS.terms,
  };
}

/**
 * The compact view of a stored result: only the first picture, and no additions to the base interface that are null. Made from the full
 * view, so that the two never state different prices.
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

/** Only optional members of the contract can be left out. */
type OptionalKey<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

function withoutNulls<T extends object>(object: T, additions: readonly OptionalKey<T>[]): T {
  const kept = { ...object };
  for (const name of additions) if (kept[name] === null) delete kept[name];
  return kept;
}

const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['href', 'url', 'url_template']);

/** Adds the view to every address. */
function inCompactView<Requests extends object>(requests: Requests): Requests {
  const text = JSON.stringify(requests, (name, value: unknown) =>
    ADDRESS_MEMBERS.has(name) ? `${value}&view=compact` : value,
  );
  return JSON.parse(text);
}
