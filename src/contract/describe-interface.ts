import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode, OK, statusOf } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import { FIELDS, fieldOrder, type PayloadField, SEARCH_FIELDS, type SearchField } from './payload-fields.ts';
import { Problem } from './problem-body.ts';
import type { SchemaBody } from './reference-bodies.ts';
import { REASON_CODES, REASONS } from './refusal-reasons.ts';
import { ResultBody } from './result-body.ts';
import { SearchProblem, SearchStep } from './search-body.ts';
import { SessionBody } from './session-body.ts';
import {
  API_VERSION,
  BODY_LIMIT_BYTES,
  MAX_ALLOWED_VALUES,
  MAX_AVAILABLE_REQUESTS,
  MAX_DESTINATIONS_SHOWN,
  MAX_OWN_KEYS_PER_SESSION,
  MAX_RESULTS_PER_SESSION,
  MAX_SUGGESTIONS,
  MAX_WAITING_PER_SESSION,
  PATHS,
  SUPPORTED_VERSIONS,
  VALUE_SETS,
} from './vocabulary.ts';
import { type ExampleStay, type WholeStay, wholeStayExample, wholeStayTemplate } from './whole-stay.ts';

/** Prefix of the descriptions of members that the base interface does not have. */
const ADDITION_MARK = 'Beyond the base interface:';

type InterfaceFacts = {
  readonly rateLimit: number;
  readonly rateWindowSeconds: number;
  readonly sessionMinutes: number;
  readonly maxOptions: number;
  readonly horizonNights: number;
  readonly exampleStay: ExampleStay;
};

/** The body of `GET /schema`. */
export function describeInterface(facts: InterfaceFacts): SchemaBody {
  return {
    api_version: API_VERSION,
    status: OK,
    object: 'schema',
    self_url: PATHS.schema,
    terms_url: PATHS.terms,
    operations: Object.entries(OPERATIONS).map(([name, { path, methods, summary, query }]) => ({
      name,
      path,
      methods: [...methods],
      summary,
      query: query.map((parameter) => ({ ...parameter })),
    })),
    fields: SEARCH_FIELDS.map((name, index) => ({
      name,
      position: FIELDS[name].step === 'search' ? index + 1 : null,
      ...describedField(name),
      depends_on: FIELDS[name].dependsOn,
      dependency: FIELDS[name].description.dependency ?? null,
    })),
    field_orders: orders,
    depends_on: {
      sourced: dependenciesIn(orders.sourced),
      direct: dependenciesIn(orders.direct),
      single_location: dependenciesIn(orders.single_location),
    },
    whole_stay: {
      rule: 'The whole stay can be given in one request, as members of the body or by name in the query: opening a session and one search request are a complete search.',
      url_template: wholeStayTemplate(wholeStay),
      example: wholeStayExample(wholeStay, facts.exampleStay),
    },
    views: {
      full: 'The default.',
      compact: `view=compact in the query of any request; the addresses in its answer carry it on. The primary image only, at most ${MAX_AVAILABLE_REQUESTS.compact} available_requests, and no additions that have nothing to say.`,
    },
    session_fields: describeFields(SessionBody),
    step_fields: describeFields(SearchStep),
    result_fields: describeFields(ResultBody),
    refusal_fields: refusalFields(),
    problem_fields: describeFields(Problem),
    refusal_reasons: Object.fromEntries(REASON_CODES.map((code) => [code, REASONS[code].meaning])),
    errors: (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
      code,
      endpoints: [...ERRORS[code].endpoints],
      http_status: ERRORS[code].status,
      http_status_on_search: statusOf(code, 'search'),
      meaning: ERRORS[code].meaning,
      recovery: ERRORS[code].recovery,
    })),
    limits: {
      rate_limit: {
        requests: facts.rateLimit,
        window_seconds: facts.rateWindowSeconds,
        per: 'live session; without one, assistant and address. The window starts with the first request. All requests of an assistant together may have a limit too, which is shown when it refuses.',
      },
      session_minutes: facts.sessionMinutes,
      results_per_session: MAX_RESULTS_PER_SESSION,
      own_keys_per_session: MAX_OWN_KEYS_PER_SESSION,
      requests_waiting_per_session: MAX_WAITING_PER_SESSION,
      options_per_result: facts.maxOptions,
      amenities_per_refine_request: 1,
      body_bytes: BODY_LIMIT_BYTES,
      destinations_listed: MAX_DESTINATIONS_SHOWN,
      available_requests_listed: MAX_AVAILABLE_REQUESTS.full,
      available_requests_listed_compact: MAX_AVAILABLE_REQUESTS.compact,
      allowed_values_listed_compact: MAX_ALLOWED_VALUES.compact,
      suggestions: MAX_SUGGESTIONS,
      nights_ahead: facts.horizonNights,
    },
    idempotency: [
      'The key is the idempotency_key query parameter or the Idempotency-Key header: 1 to 255 printable ASCII characters without blanks at its ends, echoed as it came. An empty one counts as none.',
      'Every offered address carries a key that the service made; it begins with sw. A key of your own in the header wins over it. Two different keys of your own are refused.',
      'A key is remembered with what was asked, for the session’s life. Scope: assistant, session and key.',
      'The same key with the same request, and nothing has changed since: the same answer, with Idempotent-Replayed: true.',
      'The same after other changes: a key of your own is never carried out twice, and the answer is the search as it now stands. An offered address of an earlier step is a change of mind: it is carried out on the search as it stands, and the answer says from_earlier_step.',
      'The same key with another request: refused with idempotency_key_reused if the key is yours; a new request if the service made it.',
      'At auth a repeated key gives the same session only to the same address, within 60 seconds, and only while the session has not been used. Otherwise it opens a new one.',
      'Failures are not remembered: a repeat can succeed. Concurrent duplicates are carried out once.',
    ],
    versions: {
      current: API_VERSION,
      supported: [...SUPPORTED_VERSIONS],
      pinning: 'Send X-API-Version or api_version. A session keeps the version it was opened with.',
      deprecation:
        'A retired version is served for at least 12 months with Deprecation and Sunset headers. Additions are not breaking.',
    },
    value_sets: Object.fromEntries(Object.entries(VALUE_SETS).map(([name, values]) => [name, [...values]])),
    events: 'There are no events, webhooks or callbacks.',
    beyond_the_base_interface: [
      'GET on auth and search does what POST does; fields may be given in the query, by name or as field and value, several at once.',
      'A refused value does not cost the others of the same request. A changed field keeps every other answer and filter that still fits.',
      'check_in_day sets check_in_month too. nights may stand in place of check_out. destination also takes a name or alias of a place; an amenity its label.',
      'One amenity may come with the fields that complete the search. An empty amenities takes all filters off.',
      'view asks for a smaller answer. api_version and X-API-Version pin the version. Answers are compressed on request.',
      'X-Result-Current: false on result tells that the search has moved on since.',
      ...additions('step', describeFields(SearchStep)),
      ...additions('refusal', refusalFields()),
      ...additions('session', describeFields(SessionBody)),
      ...additions('result', describeFields(ResultBody)),
    ],
  };
}

const orders = {
  sourced: [...fieldOrder([])],
  direct: [...fieldOrder(['direct'])],
  single_location: [...fieldOrder(['single_location'])],
};

const wholeStay: WholeStay = {
  searchUrl: PATHS.search,
  session: '{session}',
  order: orders.direct,
  view: 'compact',
};

function describedField(name: SearchField) {
  const { required, type, format, accepts, meaning } = FIELDS[name].description;
  return { required, type, format, accepts, meaning };
}

function dependenciesIn(order: readonly PayloadField[]): Record<string, string> {
  return Object.fromEntries(
    order.flatMap((field) => {
      const { dependsOn } = FIELDS[field];
      return dependsOn !== null && order.includes(dependsOn) ? [[field, dependsOn]] : [];
    }),
  );
}

/** Members that a refusal adds to an ordinary step. */
function refusalFields(): Record<string, DescribedField> {
  const ordinary = describeFields(SearchStep);
  return Object.fromEntries(
    Object.entries(describeFields(SearchProblem)).filter(([path]) => !(path in ordinary)),
  );
}

/** Finds added members by the mark in their descriptions, so that none is forgotten. */
function additions(body: string, fields: Record<string, DescribedField>): string[] {
  return Object.entries(fields)
    .filter(([, { meaning }]) => meaning.startsWith(ADDITION_MARK))
    .map(([path]) => `${body}: ${path}`);
}

type DescribedField = { type: string; nullable: boolean; meaning: string };

/** The JSON Schema members that the schemas of the contract use. */
type SchemaNode = {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  /** Objects whose names are data, such as the places on offer. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
};

/** Flattens a body's schema to path → type, nullable, meaning. A path is for example `results[].quote.amount`. */
export function describeFields(schema: TSchema): Record<string, DescribedField> {
  const fields: Record<string, DescribedField> = {};
  walk('', schema as SchemaNode, fields);
  return fields;
}

function walk(path: string, node: SchemaNode, fields: Record<string, DescribedField>): void {
  const choices = node.anyOf?.filter((choice) => choice.type !== 'null') ?? [];
  const nullable = node.type === 'null' || choices.length < (node.anyOf?.length ?? 0);
  const shape = node.anyOf ? (choices[0] ?? node) : node;
  if (path !== '') {
    const meaning =
      [node.description, shape === node ? undefined : shape.description].find((text) => text) ?? '';
    fields[path] = { type: typeOf(choices.length > 1 ? { anyOf: choices } : shape), nullable, meaning };
  }
  // Where a value has several shapes, a shared member is described by the first of them.
  for (const one of node.anyOf ? choices : [node]) {
    for (const [name, property] of Object.entries(one.properties ?? {})) {
      const memberPath = path === '' ? name : `${path}.${name}`;
      if (!fields[memberPath]) walk(memberPath, property, fields);
    }
  }
  for (const property of Object.values(shape.patternProperties ?? {})) {
    if (property.properties)
      for (const [name, member] of Object.entries(property.properties)) {
        walk(`${path}.*.${name}`, member, fields);
      }
  }
  for (const item of shape.items?.anyOf ?? (shape.items ? [shape.items] : [])) {
    for (const [name, property] of Object.entries(item.properties ?? {})) {
      const itemPath = `${path}[].${name}`;
      if (!fields[itemPath]) walk(itemPath, property, fields);
    }
  }
}

function typeOf(node: SchemaNode): string {
  if (node.enum) return `one of: ${node.enum.join(', ')}`;
  if (node.const !== undefined) return `always: ${String(node.const)}`;
  if (node.type === 'array') return `array of ${node.items ? typeOf(node.items) : 'values'}`;
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  return node.type ?? 'value';
}
