import { isPayloadField, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import type { Session } from '../sessions/session.ts';
import { type AskedFields, askedFields, isReachable, valuesBefore } from './asked-fields.ts';
import { criteriaOf, readValue, resolveValue } from './field-rules.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';

export type ValueRefusal = {
  readonly code: 'invalid_value' | 'unknown_field' | 'prerequisite_missing';
  /** Null for an unknown name, which is not echoed. */
  readonly field: PayloadField | null;
  /** Places that an ambiguous name may refer to. */
  readonly candidates: readonly PlaceId[];
};

export type TakenValues = {
  readonly payload: Payload;
  readonly accepted: readonly PayloadField[];
  /** Fields whose values no longer fit after a change. */
  readonly cleared: readonly PayloadField[];
  readonly refusal: ValueRefusal | null;
};

/**
 * Takes values in field order, up to the first that is refused. A value is accepted exactly when the index has a match
 * with it, which is also the rule for listing values, so the two cannot disagree.
 */
export function takeValues(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): TakenValues {
  const asked = askedFields(session);
  let taken: TakenValues = { payload: session.payload, accepted: [], cleared: [], refusal: null };
  const unknown = supplied.find(({ field }) => !isPayloadField(field) || !asked.order.includes(field));
  if (unknown) {
    const field = isPayloadField(unknown.field) ? unknown.field : null;
    return { ...taken, refusal: { code: 'unknown_field', field, candidates: [] } };
  }
  for (const field of asked.order) {
    for (const one of supplied) {
      if (one.field !== field) continue;
      taken = takeValue(field, one.raw, taken, { session, asked, facts });
      if (taken.refusal) return taken;
    }
  }
  return taken;
}

type TakeContext = {
  readonly session: Session;
  readonly asked: AskedFields;
  readonly facts: SearchFacts;
};

function takeValue(
  field: PayloadField,
  raw: unknown,
  before: TakenValues,
  context: TakeContext,
): TakenValues {
  const { session, asked, facts } = context;
  const { payload } = before;
  const refuse = (code: ValueRefusal['code'], candidates: readonly PlaceId[] = []): TakenValues => ({
    ...before,
    refusal: { code, field, candidates },
  });
  if (!isReachable(field, asked, payload)) return refuse('prerequisite_missing');
  const read = readValue(field, raw);
  if (read === undefined) return refuse('invalid_value');

  // A changed field is checked against the earlier fields only: later values are cleared if they no longer fit.
  const isChange = payload[field] !== undefined;
  const base = isChange ? valuesBefore(field, asked, payload) : payload;
  const resolution = resolveValue(field, read, session, base, facts);
  if (resolution.kind === 'ambiguous') return refuse('invalid_value', resolution.candidates);
  const { value } = resolution;
  const accepted = before.accepted.includes(field) ? before.accepted : [...before.accepted, field];
  if (payload[field] === value) return { ...before, accepted };
  const changed: Payload = { ...base, [field]: value };
  if (!hasMatch(session, changed, facts)) return refuse('invalid_value');
  if (!isChange) return { ...before, payload: changed, accepted };

  const kept = keepLaterValues(field, changed, payload, context);
  return {
    payload: kept,
    accepted,
    cleared: [...before.cleared, ...clearedFields(asked, payload, kept)],
    refusal: null,
  };
}

/** Adds the later values of `old` in order, without those that depend on a removed field or no longer match. */
function keepLaterValues(
  changed: PayloadField,
  start: Payload,
  old: Payload,
  { session, asked, facts }: TakeContext,
): Payload {
  const { order, dependsOn } = asked;
  let kept = start;
  const removed = new Set<PayloadField>([changed]);
  for (const field of order.slice(order.indexOf(changed) + 1)) {
    if (old[field] === undefined) continue;
    const prerequisite = dependsOn[field];
    const candidate: Payload = { ...kept, [field]: old[field] };
    const stays = !(prerequisite && removed.has(prerequisite)) && hasMatch(session, candidate, facts);
    if (stays) kept = candidate;
    else removed.add(field);
  }
  return kept;
}

/**
 * The inventory changes during a search, and the last stay that matched may be taken. Keeps the values, in order, that still
 * have a match, so that no step is a dead end.
 */
export function dropStaleValues(
  session: Session,
  facts: SearchFacts,
): { readonly payload: Payload; readonly cleared: readonly PayloadField[] } {
  const { payload } = session;
  if (hasMatch(session, payload, facts)) return { payload, cleared: [] };
  const asked = askedFields(session);
  let kept: Payload = {};
  for (const field of asked.order) {
    if (payload[field] === undefined || !isReachable(field, asked, kept)) continue;
    const candidate: Payload = { ...kept, [field]: payload[field] };
    if (hasMatch(session, candidate, facts)) kept = candidate;
  }
  return { payload: kept, cleared: clearedFields(asked, payload, kept) };
}

function hasMatch(session: Session, payload: Payload, { index, now }: SearchFacts): boolean {
  return index.hasMatch(criteriaOf(session, payload), now);
}

function clearedFields({ order }: AskedFields, before: Payload, after: Payload): PayloadField[] {
  return order.filter((field) => before[field] !== undefined && after[field] === undefined);
}
