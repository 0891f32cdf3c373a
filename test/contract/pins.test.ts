import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setScene } from '../support/scene.ts';

/** The published names and orders as literals, so that every change to them is deliberate: clients depend on them. */
const { paths, components, info, openapi } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);
const schemas = inlined(components.schemas);

type Schema = {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
};

function at(name: string, ...path: string[]): Schema {
  let schema: Schema = schemas[name];
  for (const step of path) {
    const next: Schema | undefined = step === '[]' ? schema.items : schema.properties[step];
    assert.ok(next, `${name}.${path.join('.')}`);
    schema = next;
  }
  return schema;
}

/** With every reference replaced by what it leads to: a pin holds, whether or not a part has a name. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON document of unknown shape.
function inlined(node: any): any {
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node.$ref === 'string')
    return inlined(components.schemas[node.$ref.replace('#/components/schemas/', '')]);
  if (Array.isArray(node)) return node.map(inlined);
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, inlined(member)]));
}

function optionalOf(schema: Schema): string[] {
  return Object.keys(schema.properties).filter((name) => !schema.required?.includes(name));
}

test('operations, paths, methods', () => {
  const operations = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`,
      ),
  );
  assert.deepEqual(operations, [
    'POST /ai/v1/auth openSession',
    'GET /ai/v1/auth openSessionByGet',
    'POST /ai/v1/search search',
    'GET /ai/v1/search searchByGet',
    'GET /ai/v1/result readResult',
    'GET /ai/v1/schema readSchema',
    'GET /ai/v1/terms readTerms',
  ]);
  assert.equal(openapi, '3.1.1');
  assert.equal(info.version, '2026-11-01');
});

test('query parameters', () => {
  const parameters = Object.fromEntries(
    Object.entries<Record<string, { parameters: { name: string; required: boolean }[] }>>(paths).map(
      ([path, methods]) => [
        path,
        Object.values(methods)[0]?.parameters.map(({ name, required }) => (required ? `${name}!` : name)),
      ],
    ),
  );
  assert.deepEqual(parameters, {
    '/ai/v1/auth': ['source', 'idempotency_key', 'api_version', 'view'],
    '/ai/v1/search': [
      'session!',
      'field',
      'value',
      'choices',
      'brand_locked',
      'destination',
      'check_in_month',
      'check_in_day',
      'check_out',
      'guests',
      'amenities',
      'idempotency_key',
      'api_version',
      'view',
    ],
    '/ai/v1/result': ['session!', 'idempotency_key', 'api_version', 'view'],
    '/ai/v1/schema': ['idempotency_key', 'api_version', 'view'],
    '/ai/v1/terms': ['idempotency_key', 'api_version', 'view'],
  });
});

test('error codes with their statuses, elsewhere and on search', async (t) => {
  const { service } = await setScene(t);
  const { body } = await service.get('/ai/v1/schema');
  const codes = body.errors.map(
    (error: { code: string; http_status: number; http_status_on_search: number }) =>
      `${error.code} ${error.http_status} ${error.http_status_on_search}`,
  );
  assert.deepEqual(codes, [
    'access_denied 403 403',
    'session_required 400 200',
    'session_not_found 404 200',
    'session_expired 410 200',
    'unknown_source 404 200',
    'incomplete_payload 200 200',
    'invalid_value 200 200',
    'unknown_field 400 200',
    'prerequisite_missing 200 200',
    'refine_not_available 200 200',
    'invalid_request 400 200',
    'unsupported_media_type 415 200',
    'result_not_ready 409 200',
    'upstream_unavailable 503 200',
    'nothing_on_offer 503 200',
    'invalid_idempotency_key 400 200',
    'idempotency_key_reused 422 200',
    'unsupported_version 400 200',
    'rate_limited 429 200',
    'session_used_up 409 200',
    'too_many_sessions 429 200',
    'overloaded 503 200',
    'storage_unavailable 503 200',
    'not_found 404 404',
    'method_not_allowed 405 405',
    'internal_error 500 200',
  ]);
});

test('the session', () => {
  const schema = at('SessionBody');
  assert.deepEqual(schema.required, [
    'api_version',
    'status',
    'endpoint',
    'method',
    'object',
    'session',
    'source',
    'request',
    'expires_at',
    'next_request',
    'hint',
    'url_template',
    'self_url',
    'terms_url',
  ]);
  assert.deepEqual(optionalOf(schema), []);
  assert.equal(at('SessionBody', 'object').const, 'session');
  assert.deepEqual(at('SessionBody', 'next_request').required, ['url', 'method']);
});

test('the step', () => {
  const schema = at('SearchStep');
  assert.deepEqual(schema.required, [
    'api_version',
    'status',
    'endpoint',
    'method',
    'session',
    'error',
    'message',
    'received',
    'missing_fields',
    'allowed_values',
    'field_order',
    'depends_on',
    'schema_url',
    'terms_url',
    'terms_notice',
    'self_url',
    'next_required',
    'next_request',
    'available_requests',
  ]);
  assert.deepEqual(optionalOf(schema), [
    'allowed_values_truncated',
    'places',
    'field_hints',
    'cleared_fields',
    'cleared_amenities',
    'fulfilled_amenities',
    'from_earlier_step',
    'result_ready',
    'url_template',
    'available_requests_truncated',
  ]);
  assert.deepEqual(at('SearchStep', 'available_requests_truncated').required, [
    'shown',
    'total',
    'url_template',
  ]);
  assert.deepEqual(at('SearchStep', 'next_request').required, ['field', 'value', 'url']);
  assert.deepEqual(
    at('SearchStep', 'available_requests', '[]').anyOf?.map(({ required }) => required),
    [
      ['field', 'value', 'url'],
      ['method', 'path', 'url'],
    ],
  );
  assert.deepEqual(at('SearchStep', 'allowed_values', 'brand_locked', '[]').required, [
    'value',
    'description',
  ]);
  assert.deepEqual(at('SearchStep', 'allowed_values', 'amenities', '[]').required, [
    'value',
    'match_count',
    'of',
  ]);
});

test('the envelope', () => {
  assert.deepEqual(at('ResultBody').required, [
    'api_version',
    'status',
    'object',
    'session',
    'session_expires_at',
    'access',
    'query',
    'comparison_set',
    'applied_filters',
    'all_results_url',
    'available_requests',
    'self_url',
    'terms_url',
    'notes',
    'operator_text',
    'results',
  ]);
  assert.deepEqual(optionalOf(at('ResultBody')), [
    'cleared_fields',
    'cleared_amenities',
    'fulfilled_amenities',
    'from_earlier_step',
    'refused_fields',
    'refusals',
    'next_request',
    'view',
  ]);
  assert.deepEqual(at('ResultBody', 'query').required, [
    'destination',
    'check_in',
    'check_out',
    'nights',
    'guests',
  ]);
  assert.deepEqual(optionalOf(at('ResultBody', 'query')), ['brand_locked']);
  assert.deepEqual(at('ResultBody', 'available_requests', 'refine').required, [
    'method',
    'path',
    'body_field',
    'required',
    'href',
    'options',
    'url_template',
  ]);
  assert.deepEqual(at('ResultBody', 'available_requests').required, ['change']);
  assert.deepEqual(optionalOf(at('ResultBody', 'available_requests')), [
    'refine',
    'clear_filters',
    'ask_again',
  ]);
  assert.deepEqual(at('ResultBody', 'available_requests', 'refine', 'options', '[]').required, [
    'value',
    'match_count',
    'of',
  ]);
  assert.deepEqual(at('ResultBody', 'available_requests', 'ask_again').required, ['method', 'path', 'href']);
  assert.deepEqual(at('ResultBody', 'refusals', '[]').required, ['error', 'message']);
  assert.deepEqual(optionalOf(at('ResultBody', 'refusals', '[]')), [
    'field',
    'reason',
    'position',
    'did_you_mean',
    'suggestions',
  ]);
  assert.deepEqual(at('ResultBody', 'available_requests', 'clear_filters').required, [
    'method',
    'path',
    'href',
  ]);
  assert.deepEqual(at('ResultBody', 'comparison_set').required, [
    'options_count',
    'total_matches',
    'sort',
    'comparison_fields',
    'currency',
    'totals_include_taxes_and_fees',
    'quotes_valid_until',
    'user_facing_urls',
    'has_more',
    'truncated',
    'quotes_retrieved_at',
    'selection',
    'coverage',
  ]);
  assert.deepEqual(optionalOf(at('ResultBody', 'comparison_set')), ['unpublished_amenities']);
  assert.deepEqual(at('ResultBody', 'comparison_set', 'selection').required, [
    'matches',
    'priced',
    'shown',
    'complete',
  ]);
});

test('the option and its quote', () => {
  const option = ['ResultBody', 'results', '[]'] as const;
  assert.deepEqual(at(...option).required, [
    'rank',
    'property_id',
    'name',
    'brand',
    'location',
    'capacity',
    'amenities',
    'rating',
    'cancellation',
    'check_in_time',
    'check_out_time',
    'images',
    'availability',
    'url',
    'quote',
  ]);
  assert.deepEqual(optionalOf(at(...option)), ['truncated_fields']);
  assert.deepEqual(at(...option, 'capacity').required, ['max_guests', 'summary', 'bedrooms', 'bathrooms']);
  assert.deepEqual(at(...option, 'rating').required, ['score', 'scale', 'review_count']);
  assert.deepEqual(at(...option, 'cancellation').required, [
    'summary',
    'free_cancellation_until',
    'free_cancellation',
  ]);
  assert.deepEqual(optionalOf(at(...option, 'cancellation')), [
    'free_cancellation_until_local',
    'refundable',
  ]);
  assert.deepEqual(at(...option, 'images').required, ['primary', 'gallery']);
  assert.deepEqual(at(...option, 'images', 'primary').required, ['url', 'alt']);
  assert.deepEqual(at(...option, 'images', 'gallery', '[]').required, ['url', 'alt', 'type']);
  assert.deepEqual(at(...option, 'availability').required, ['status', 'booking_mode', 'inventory_source']);
  assert.deepEqual(optionalOf(at(...option, 'availability')), ['confirmation_hours']);
  assert.deepEqual(at(...option, 'quote').required, [
    'nxq',
    'amount',
    'nightly_average',
    'currency',
    'check_in',
    'check_out',
    'guests',
    'nights',
    'line_items',
    'line_items_available',
    'price_valid_until',
    'price_guarantee',
    'retrieved_at',
    'signature',
    'verify_url',
  ]);
  // Only the compact view leaves these out.
  assert.deepEqual(optionalOf(at(...option, 'quote')), ['deposit', 'due_on_site']);
});

test('the reasons of a refusal and their facts', () => {
  assert.deepEqual(at('SearchProblem', 'reason', 'code').enum, [
    'not_on_network',
    'ambiguous',
    'no_such_date',
    'not_a_date',
    'in_the_past',
    'beyond_horizon',
    'minimum_stay',
    'maximum_stay',
    'closed_to_arrival',
    'closed_to_departure',
    'lead_time',
    'nothing_free',
    'not_on_offer',
    'party_too_large',
    'conflicts_with',
    'one_amenity_per_request',
    'already_applied',
    'not_discriminating',
    'wrong_type',
  ]);
  assert.deepEqual(optionalOf(at('SearchProblem', 'reason')), [
    'format',
    'last_day',
    'nights',
    'days',
    'largest',
    'having',
    'of',
    'unpublished',
    'next_best',
    'amenity',
    'fields',
  ]);
});

test('the keys that may be null, and no others', () => {
  const nullable: string[] = [];
  walk(at('ResultBody'), '', nullable);
  assert.deepEqual(nullable.sort(), [
    'all_results_url',
    'comparison_set.quotes_retrieved_at',
    'results[].amenities',
    'results[].availability.confirmation_hours',
    'results[].cancellation.free_cancellation_until',
    'results[].cancellation.free_cancellation_until_local',
    'results[].cancellation.refundable',
    'results[].capacity.bathrooms',
    'results[].capacity.bedrooms',
    'results[].check_in_time',
    'results[].check_out_time',
    'results[].quote.deposit',
    'results[].quote.due_on_site',
    'results[].quote.signature',
    'results[].quote.verify_url',
    'results[].rating.review_count',
  ]);
  assert.equal(at('ResultBody', 'results', '[]', 'quote', 'signature').type, 'null', 'always null');
});

function walk(schema: Schema, path: string, nullable: string[]): void {
  if (schema.type === 'null' || schema.anyOf?.some(({ type }) => type === 'null')) nullable.push(path);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    walk(member, path === '' ? name : `${path}.${name}`, nullable);
  }
  if (schema.items) walk(schema.items, `${path}[]`, nullable);
}

test('closed value sets', () => {
  const availability = (name: string) => at('ResultBody', 'results', '[]', 'availability', name).enum;
  assert.deepEqual(availability('status'), ['available']);
  assert.deepEqual(availability('booking_mode'), ['instant', 'request']);
  assert.deepEqual(availability('inventory_source'), ['live_booking_system', 'rate_card']);
  assert.deepEqual(at('ResultBody', 'results', '[]', 'images', 'gallery', '[]', 'type').enum, [
    'exterior',
    'interior',
    'bedroom',
    'bathroom',
    'kitchen',
    'living_area',
    'outdoor',
    'view',
    'amenity',
    'floor_plan',
    'other',
  ]);
  assert.deepEqual(at('ResultBody', 'results', '[]', 'quote', 'price_guarantee').enum, [
    'held',
    'at_retrieval',
  ]);
  assert.deepEqual(at('ResultBody', 'results', '[]', 'cancellation', 'free_cancellation').enum, [
    'until',
    'over',
    'never',
    'unpublished',
  ]);
  assert.equal(at('ResultBody', 'access', 'audience').const, 'ai_assistants');
  assert.equal(at('ResultBody', 'access', 'end_user_access').const, false);
});
