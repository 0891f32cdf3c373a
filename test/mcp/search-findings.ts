import type { TestService } from '../support/test-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
export type JsonBody = any;

export async function openOverRest(
  service: TestService,
  source: string | null,
): Promise<{ readonly token: string | null; readonly body: JsonBody }> {
  const { body } = await service.post('/ai/v1/auth', source === null ? {} : { source });
  if (body.error) return { token: null, body };
  const step = await service.get(`/ai/v1/search?session=${body.session}`);
  return { token: body.session, body: step.body };
}

/** All values and amenities, then those that have to wait for a request of their own, as a caller of REST must do. */
export async function searchOverRest(
  service: TestService,
  token: string,
  values: object,
  amenities: readonly string[],
): Promise<{ readonly findings: unknown; readonly last: JsonBody }> {
  const url = `/ai/v1/search?session=${token}`;
  const refusals: unknown[] = [];
  let sent = amenities;
  let body: JsonBody = (await service.post(url, sent.length === 0 ? values : { ...values, amenities })).body;
  const { cleared_fields, cleared_amenities } = body;
  for (;;) {
    const waiting: string[] = [];
    for (const one of refusalsIn(body)) {
      const amenity = one.position === undefined ? undefined : sent[one.position - 1];
      if (amenity && one.reason?.code === 'one_amenity_per_request') waiting.push(amenity);
      else refusals.push(refusalFacts(one));
    }
    if (waiting.length === 0) break;
    sent = waiting;
    body = (await service.post(url, { amenities: sent })).body;
  }
  // A step that only offers filters is for who speaks REST; the set has them too.
  if ((isComplete(body) || isOpenAmenityStep(body)) && body.object !== 'search_result') {
    body = (await service.get(`/ai/v1/result?session=${token}`)).body;
  }
  const said = { ...body, cleared_fields, cleared_amenities };
  return { findings: restFindings(said, inOrder(refusals)), last: body };
}

/** Those of several amenities come in the order of the requests over REST, and in that of the call from a tool. */
function inOrder(refusals: readonly unknown[]): readonly unknown[] {
  return refusals.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function isComplete(body: JsonBody): boolean {
  const refused = [body.invalid_field, ...(body.other_refusals ?? []).map((one: JsonBody) => one.field)];
  return (
    body.object === 'search_result' ||
    (body.result_ready === true && refused.every((field) => field === 'amenities'))
  );
}

function isOpenAmenityStep(body: JsonBody): boolean {
  return body.result_ready === true && String(body.missing_fields) === 'amenities' && !body.invalid_field;
}

function refusalsIn(body: JsonBody): JsonBody[] {
  if (body.object === 'search_result') return body.refusals ?? [];
  if (body.error === 'incomplete_payload' || body.missing_fields === undefined) return [];
  return [{ ...body, field: body.invalid_field }, ...(body.other_refusals ?? [])];
}

/** What was probably meant is left out for an argument that tools have and REST has not. */
function refusalFacts({ field, error, reason, suggestions, did_you_mean }: JsonBody): unknown {
  const isOfTools = did_you_mean === 'amenities' && field === 'pets';
  return { field, error, reason, suggestions, did_you_mean: isOfTools ? undefined : did_you_mean };
}

function restFindings(body: JsonBody, refusals: readonly unknown[]): unknown {
  const cleared = { cleared_fields: body.cleared_fields, cleared_amenities: body.cleared_amenities };
  if (body.object === 'search_result') {
    return {
      outcome: 'comparison',
      refusals,
      ...cleared,
      filters: body.applied_filters.amenities,
      matches: body.comparison_set.total_matches,
      all_results_url: body.all_results_url,
      options: body.results.map((one: JsonBody) => [
        one.rank,
        one.property_id,
        one.quote.amount,
        one.url,
        one.name,
      ]),
      query: [body.query.destination, body.query.check_in, body.query.check_out, body.query.guests],
    };
  }
  if (body.missing_fields === undefined) return { outcome: 'problem', code: body.error };
  const [field] = body.missing_fields.filter((name: string) => name !== 'amenities');
  const isRefused = (refusals as JsonBody[]).some(({ error }) => error !== 'refine_not_available');
  const offered = (body.allowed_values[field] ?? []).map((one: JsonBody) => one?.value ?? one);
  return {
    outcome: isRefused || field === undefined ? 'refused' : 'question',
    refusals,
    ...cleared,
    received: body.received,
    field,
    missing: body.missing_fields.filter((name: string) => name !== 'amenities'),
    offered: field === undefined ? undefined : offered.slice(0, 40),
    offered_in_all: field === undefined ? undefined : offered.length,
  };
}

export function toolFindings(answer: JsonBody): unknown {
  const { outcome, comparison, question, received, cleared_fields, cleared_amenities } = answer;
  if (outcome === 'problem') return { outcome, code: answer.problem.code };
  const refusals = inOrder((answer.refusals ?? []).map(refusalFacts));
  if (outcome === 'comparison') {
    return {
      outcome,
      refusals,
      cleared_fields,
      cleared_amenities,
      filters: comparison.filters,
      matches: comparison.matches,
      all_results_url: comparison.all_results_url,
      options: comparison.options.map((one: JsonBody) => [
        one.rank,
        one.property_id,
        one.total,
        one.url,
        one.name,
      ]),
      query: [comparison.destination, comparison.check_in, comparison.check_out, comparison.guests],
    };
  }
  return {
    outcome,
    refusals,
    cleared_fields,
    cleared_amenities,
    received,
    field: question?.field,
    missing: question?.missing_fields ?? [],
    offered: question?.offered.map((one: JsonBody) => one.value),
    offered_in_all: question?.offered_in_all,
  };
}
