import assert from 'node:assert/strict';
import type { TestAnswer } from './test-service.ts';

/** What a client can know about a session of the brand `acme` from the answers alone. */
export type ClientModel = {
  received: Record<string, unknown>;
  /** The applied amenities. */
  filters: string[];
  /** The envelope's bytes once there was a result. */
  result: string | null;
  /** Whether the result still answers what was received. */
  isCurrent: boolean;
  hasEnded: boolean;
};

const ORDER = ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];
const DATES = ['check_in_month', 'check_in_day', 'check_out'];
const REFUSALS = ['invalid_value', 'prerequisite_missing', 'unknown_field', 'refine_not_available'];

export function emptyModel(): ClientModel {
  return { received: {}, filters: [], result: null, isCurrent: false, hasEnded: false };
}

export function missingIn({ received }: ClientModel): string[] {
  return ORDER.filter((field) => !(field in received));
}

/** The values of a request were judged: what was taken, cleared and refused is what the answer says, and nothing else. */
export function settle(model: ClientModel, sent: Record<string, unknown>, answer: TestAnswer): void {
  const { body } = answer;
  // The stored result tells of the request that led to it, not of this one, but for what this one found fulfilled.
  if (model.isCurrent && model.result !== null && isStored(answer.raw, model.result)) {
    stands(model, sent, body.fulfilled_amenities ?? []);
    return;
  }
  const refused: string[] = body.refused_fields ?? [];
  const accepted = Object.keys(sent).filter((field) => !refused.includes(field));
  assert.deepEqual(
    refused.filter((field) => !(field in sent)),
    [],
    'nothing was refused that was not sent',
  );
  if (REFUSALS.includes(body.error)) {
    assert.ok(refused.length > 0);
    // Of several amenities one may be taken and another refused.
    const taken = (body.accepted_fields ?? []).filter((field: string) => !refused.includes(field));
    assert.deepEqual(taken.toSorted(), accepted.toSorted(), 'each has its verdict');
  } else if (body.refusals) {
    const fields = body.refusals.map((refusal: { field: string }) => refusal.field);
    assert.deepEqual([...new Set(fields)], refused);
  }
  const before = { received: model.received, filters: model.filters };
  const cleared: string[] = body.cleared_fields ?? [];
  const lost: string[] = body.cleared_amenities ?? [];
  assert.equal(cleared.includes('amenities'), lost.length > 0);

  const changed = ORDER.filter(
    (field) => accepted.includes(field) && valueOffered(sent[field]) !== before.received[field],
  );
  if (changed.includes('check_in_day')) changed.unshift('check_in_month');
  const first = Math.min(...changed.map((field) => ORDER.indexOf(field)), ORDER.length);
  for (const field of cleared.filter((one) => one !== 'amenities')) {
    assert.ok(field in before.received, `${field} was not set, and cannot be cleared`);
    assert.ok(!accepted.includes(field), `${field} was taken, and cannot be cleared`);
    // The later dates were chosen for those before them.
    const until = DATES.slice(0, DATES.indexOf(field) + 1);
    if (refused.some((one) => one === field || until.includes(one))) continue;
    assert.ok(ORDER.indexOf(field) > first, `${field} comes before what was changed`);
    isNotOnOffer(body, field, before.received[field], 'was cleared');
  }
  for (const field of refused) {
    // A departure is not judged by the arrival that stands when another one was refused beside it.
    const isOfOtherArrival = field === 'check_out' && refused.some((one) => DATES.slice(0, 2).includes(one));
    if (ORDER.includes(field) && !isOfOtherArrival) isNotOnOffer(body, field, sent[field], 'was refused');
  }

  model.received = inOrder({
    ...omit(before.received, cleared),
    ...pick(sent, accepted),
    ...(accepted.includes('check_in_day') ? { check_in_month: String(sent.check_in_day).slice(0, 7) } : {}),
  });
  model.filters = filtersAfter(before.filters, sent.amenities, lost, body);
  const isSame =
    JSON.stringify([model.received, model.filters]) === JSON.stringify([before.received, before.filters]);
  if (!isSame) {
    model.isCurrent = false;
    for (const field of refused) {
      const isSetByDay = field === 'check_in_month' && accepted.includes('check_in_day');
      assert.ok(isSetByDay || !(field in model.received), `${field} was to be replaced, and stands`);
    }
  }
  if (body.object === 'search_result') {
    assert.ok(!model.isCurrent, 'nothing has changed, and yet there is a new result');
    for (const amenity of namesWholeStay(sent) ? [] : lost) {
      for (const option of body.results) {
        assert.ok(!(amenity in (option.amenities ?? {})), `${amenity} was taken off although a match has it`);
      }
    }
    model.result = answer.raw;
    model.isCurrent = true;
  }
  agree(model, answer);
  if (body.error === 'invalid_value') explains(answer);
}

/** Whether it is the stored result, but for what is said of the request that got it. */
export function isStored(raw: string, stored: string): boolean {
  return raw === stored || withoutRemarks(raw) === withoutRemarks(stored);
}

function withoutRemarks(raw: string): string {
  const { refused_fields: _r, refusals: _f, next_request: _x, cleared_fields: _c, ...rest } = JSON.parse(raw);
  const { cleared_amenities: _a, fulfilled_amenities: _m, from_earlier_step: _e, notes: _n, ...set } = rest;
  return JSON.stringify(set);
}

/** A new search, which drops the filters that it does not name. */
function namesWholeStay(sent: Record<string, unknown>): boolean {
  return ['destination', 'check_in_day', 'check_out', 'guests'].every((field) => field in sent);
}

/** The stored result is the answer only to a request that changes nothing. */
function stands(
  { received, filters }: ClientModel,
  { amenities, ...fields }: Record<string, unknown>,
  fulfilled: readonly string[],
): void {
  assert.deepEqual(fields, pick(received, Object.keys(fields)));
  const named = [amenities ?? []].flat();
  if (Array.isArray(amenities) && named.length === 0) assert.deepEqual(filters, []);
  for (const one of named)
    assert.ok([...filters, ...fulfilled].includes(String(one)), `${one} is not applied`);
}

/** What every answer on a live session must say, whichever request led to it. */
export function agree(model: ClientModel, { status, body }: TestAnswer): void {
  assert.deepEqual([status, body.status], [200, 200]);
  assert.equal('from_earlier_step' in body, false, 'no address of an earlier step was followed');
  const { received, filters } = model;
  if (body.object === 'search_result') {
    assert.deepEqual(body.applied_filters.amenities, filters);
    assert.deepEqual(body.query, {
      destination: received.destination,
      check_in: received.check_in_day,
      check_out: received.check_out,
      nights:
        (Date.parse(String(received.check_out)) - Date.parse(String(received.check_in_day))) / 86_400_000,
      guests: Number(received.guests),
      brand_locked: received.brand_locked,
    });
    assert.equal('clear_filters' in body.available_requests, filters.length > 0);
    return;
  }
  assert.deepEqual(body.received, {
    source: 'acme',
    ...received,
    ...(filters.length > 0 ? { amenities: filters } : {}),
  });
  const missing = missingIn(model);
  if (model.isCurrent) assert.ok(['', 'amenities'].includes(body.missing_fields.join()));
  else assert.deepEqual(body.missing_fields, missing);
  assert.deepEqual(body.field_order, ORDER);
  assert.equal(body.result_ready, model.result === null ? undefined : true);
  assert.equal('guests' in (body.field_hints ?? {}), missing.includes('guests'));
  assert.deepEqual(Object.keys(body.places ?? {}).sort(), (body.allowed_values.destination ?? []).toSorted());
  for (const [field, values] of Object.entries<unknown[]>(body.allowed_values)) {
    assert.ok(values.length > 0, `${field} is open and has no values: a dead end`);
  }
}

/** A refusal has its reason as a code and as a sentence, and proposes only what is on offer. */
function explains({ body }: TestAnswer): void {
  assert.match(body.message, new RegExp(`^Invalid value for field: ${body.invalid_field}\\. [A-Z].*\\.$`));
  assert.equal(typeof body.reason.code, 'string');
  assert.equal(body.refused_fields[0], body.invalid_field);
  const { suggestions = [], next_request: next } = body;
  assert.ok(suggestions.length <= 5);
  const corrections = correctionsIn(body);
  assert.equal('value' in next, Object.keys(corrections).length === 1);
  for (const [field, value] of Object.entries(corrections)) {
    if (field === body.invalid_field) assert.equal(value, suggestions[0]);
    const isAlong = field === 'amenities' || body.refused_fields.includes(field);
    assert.ok(isAlong, `${field} was not refused, and is corrected`);
  }
  // A value that stands and was to be replaced is replaced, or nothing is proposed.
  if (suggestions.length === 0) assert.deepEqual(corrections, {}, 'no arbitrary value is proposed');
  else if (body.refused_fields.length === 1) assert.equal(corrections[body.invalid_field], suggestions[0]);
}

/** The values that following the answer supplies instead of those that were refused. An amenity that came along is sent again. */
export function correctionsIn({ next_request: next }: TestAnswer['body']): Record<string, string> {
  const query = new URL(next.url, 'http://localhost').searchParams;
  if (query.has('field')) return { [String(query.get('field'))]: String(query.get('value')) };
  return Object.fromEntries([...query].filter(([name]) => name === 'amenities' || ORDER.includes(name)));
}

/** One filter is added at most, and only one that was named. */
function filtersAfter(
  filters: readonly string[],
  sent: unknown,
  lost: readonly string[],
  body: TestAnswer['body'],
): string[] {
  if (Array.isArray(sent) && sent.length === 0) return [];
  const kept = filters.filter((amenity) => !lost.includes(amenity));
  const shown: string[] = body.applied_filters?.amenities ?? body.received?.amenities ?? [];
  const added = shown.filter((amenity) => !kept.includes(amenity));
  assert.ok(added.length <= 1 && added.every((one) => [sent].flat().includes(one)), `${added} was not named`);
  const isRefused = body.refused_fields?.includes('amenities');
  if (typeof sent === 'string' && !isRefused) {
    assert.ok([...kept, ...added, ...lost, ...(body.fulfilled_amenities ?? [])].includes(sent));
  }
  return [...kept, ...added];
}

function isNotOnOffer(body: TestAnswer['body'], field: string, value: unknown, why: string): void {
  const offered: unknown[] = body.allowed_values?.[field] ?? [];
  assert.ok(!offered.map(valueOffered).includes(value), `${field} ${why}, although ${value} is on offer`);
}

/** Offered values are plain, or objects that also describe them. */
export function valueOffered(offered: unknown): unknown {
  return typeof offered === 'object' && offered ? Reflect.get(offered, 'value') : offered;
}

function inOrder(values: Record<string, unknown>): Record<string, unknown> {
  return pick(values, ORDER);
}

function pick(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));
}

function omit(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
