import type { PlaceId } from '../catalogue/catalogue.ts';
import { FIELDS, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import type { RefusalReason } from '../contract/refusal-reasons.ts';
import type { Session } from '../sessions/session.ts';
import type { DateOrder } from '../stay/written-dates.ts';
import { isOneDecision } from './conflicting-fields.ts';
import type { Value } from './fields/field-rules.ts';
import { FIELD_RULES, impliedBy, resolveValue } from './fields/rules.ts';
import { dateOrderMeant } from './intended-stay.ts';
import {
  type AskedFields,
  askedFields,
  hasMatch,
  isReachable,
  lostFields,
  pickInOrder,
  type SearchFacts,
  valuesBefore,
} from './payload.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** What a request does to the answers of a search. */
export type Accepted = {
  /** The same object when nothing changed. */
  readonly payload: Payload;
  /** In field order, as `refused`. */
  readonly accepted: readonly PayloadField[];
  readonly refused: readonly RefusedValue[];
  /** If nothing changed: fields whose answers the request tried and failed to replace. */
  readonly disputed: readonly PayloadField[];
  /** The payload without the disputed answers; the same object when there are none. */
  readonly undisputed: Payload;
  readonly judgedIn: JudgedIn;
};

/** A refused value, with the answers that decided it. */
export type RefusedValue =
  | { readonly code: 'prerequisite_missing'; readonly field: PayloadField }
  | {
      readonly code: 'invalid_value';
      readonly field: PayloadField;
      /** Why it could not be understood, or the value that has no match. */
      readonly cause: { readonly reason: RefusalReason } | { readonly value: Value<PayloadField> };
      /** The values that the caller may have meant. */
      readonly meant: readonly string[];
      /** Places that an ambiguous name may refer to. */
      readonly candidates: readonly PlaceId[];
      readonly before: Progress;
      /** The answers that had to fit. */
      readonly base: Payload;
    };

/** The answers before a value is judged, and the fields that the request has set by then. */
export type Progress = { readonly payload: Payload; readonly accepted: readonly PayloadField[] };

/** What all values of a request are judged with. */
export type JudgedIn = {
  readonly session: Session;
  readonly asked: AskedFields;
  readonly facts: SearchFacts;
  /** The order in which the dates of the request are written, if known. */
  readonly dateOrder: DateOrder | undefined;
};

/**
 * Takes values in field order; a refused one does not affect the others. A value is accepted exactly when the index has a match with it,
 * which is also the rule for listing values, so the two cannot disagree. `misnamed` are fields that the request meant by an unknown name.
 *
 * Two things depend on more than one value:
 * - A refused value is tried again once a later one was accepted, because it may fit now: a month in which only homes for two are free
 *   is refused to a party of four, and fits when the same request sets guests to 2.
 * - When a request changes anything, the old answers of its refused fields are removed: with the change they would be a stay that the
 *   caller did not request. What was cleared and fits again comes back: a new month clears the departure with the day, and a new day of
 *   the same request may restore it.
 */
export function accept(
  session: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
  misnamed: readonly PayloadField[] = [],
): Accepted {
  const asked = askedFields(session);
  let dateOrder: DateOrder | undefined;
  for (const { field } of supplied)
    if (field === 'check_out') dateOrder = dateOrderMeant(supplied, session.payload, facts.now);
  const judgedIn = { session, asked, facts, dateOrder };
  const refused = new Map<PayloadField, RefusedValue>();
  let { payload } = session;
  let accepted: readonly PayloadField[] = [];
  let isProgress = true;
  for (let pass = 1; isProgress && (pass === 1 || refused.size > 0); pass += 1) {
    isProgress = false;
    for (const field of asked.order) {
      for (const { field: name, raw } of supplied) {
        if (name !== field || (pass > 1 && !refused.has(field))) continue;
        if (refused.size > 0 || misnamed.length > 0) {
          const disputed = disputedFields(misnamed, refused, session.payload, accepted);
          // An unreadable value is refused as such.
          if (followsDisputed(field, disputed, asked) && FIELD_RULES[field].read(raw).kind === 'read') {
            refused.set(field, { code: 'prerequisite_missing', field });
            continue;
          }
        }
        const verdict = judge(field, raw, { payload, accepted }, judgedIn);
        if (verdict.code !== 'accepted') {
          refused.set(field, verdict);
          continue;
        }
        // Another value of the request has set the field: a day its month.
        if (session.payload[field] === undefined && payload[field] !== undefined) continue;
        refused.delete(field);
        ({ payload, accepted } = verdict);
        isProgress = true;
      }
    }
    if (!isProgress || payload === session.payload) continue;
    let standing = session.payload;
    if (refused.size > 0 || misnamed.length > 0) {
      const disputed = disputedFields(misnamed, refused, session.payload, accepted);
      standing = withoutDisputed(standing, disputed, asked);
      payload = withoutDisputed(payload, disputed, asked);
    }
    payload = keepFitting(payload, standing, judgedIn);
  }
  if (payload !== session.payload) payload = pickInOrder(asked.order, payload);
  const mayDispute = payload === session.payload && (refused.size > 0 || misnamed.length > 0);
  const disputed = mayDispute ? disputedFields(misnamed, refused, payload, accepted) : [];
  const refusedInOrder: RefusedValue[] = [];
  const acceptedInOrder: PayloadField[] = [];
  for (const field of asked.order) {
    const one = refused.get(field);
    if (one) refusedInOrder.push(one);
    if (accepted.includes(field)) acceptedInOrder.push(field);
  }
  const undisputed = disputed.length === 0 ? payload : withoutDisputed(payload, disputed, asked);
  return { payload, accepted: acceptedInOrder, refused: refusedInOrder, disputed, undisputed, judgedIn };
}

/** Judges one value by the answers before it. */
export function judge<Field extends PayloadField>(
  field: Field,
  raw: unknown,
  before: Progress,
  { session, asked, facts, dateOrder }: JudgedIn,
): ({ readonly code: 'accepted' } & Progress) | RefusedValue {
  const reading = FIELD_RULES[field].read(raw, dateOrder);
  const implied =
    reading.kind === 'read' && FIELD_RULES[field].implied
      ? impliedValues(field, reading.value, before, asked)
      : {};
  // A changed field is judged by the earlier fields only: later values are cleared if they no longer fit.
  let firstChanged: PayloadField | undefined;
  for (const one of asked.order) {
    if (before.payload[one] === undefined || (one !== field && implied[one] === undefined)) continue;
    firstChanged = one;
    break;
  }
  const base: Payload = {
    ...(firstChanged === undefined ? before.payload : valuesBefore(firstChanged, asked, before.payload)),
    ...implied,
  };
  const refused = { code: 'invalid_value', field, candidates: [], before, base } as const;
  if (reading.kind === 'unreadable') {
    return { ...refused, cause: { reason: reading.reason }, meant: reading.meant };
  }
  const prerequisite = asked.dependsOn[field];
  if (prerequisite !== undefined && base[prerequisite] === undefined) {
    return { code: 'prerequisite_missing', field };
  }
  const resolution = resolveValue(field, reading.value, { session, payload: base, facts });
  if (resolution.kind !== 'resolved') {
    const meant = [String(reading.value)];
    return resolution.kind === 'ambiguous'
      ? { ...refused, cause: { reason: { code: 'ambiguous' } }, meant, candidates: resolution.candidates }
      : { ...refused, cause: { reason: { code: 'not_on_network' } }, meant };
  }
  const { value } = resolution;
  const accepted = before.accepted.includes(field) ? before.accepted : [...before.accepted, field];
  if (before.payload[field] === value) return { code: 'accepted', payload: before.payload, accepted };
  const changed: Payload = { ...base, [field]: value };
  if (!hasMatch(session, changed, facts)) return { ...refused, cause: { value }, meant: [String(value)] };
  const payload =
    firstChanged === undefined ? changed : keepFitting(changed, before.payload, { session, asked, facts });
  return { code: 'accepted', payload, accepted };
}

/** The answers that a value brings along. Does not override a field that the same request has set differently: that is a contradiction. */
export function impliedValues<Field extends PayloadField>(
  field: Field,
  value: Value<Field>,
  { accepted, payload }: Progress,
  { order }: AskedFields,
): Payload {
  const implied = impliedBy(field, value);
  const brought: Record<string, unknown> = {};
  for (const one of order) {
    if (implied[one] === undefined || implied[one] === payload[one] || accepted.includes(one)) continue;
    brought[one] = implied[one];
  }
  return brought;
}

/** Adds the values of `old` that `start` lacks, in order, except those whose prerequisite is gone or that no longer match. */
function keepFitting(
  start: Payload,
  old: Payload,
  { session, asked, facts }: Pick<JudgedIn, 'session' | 'asked' | 'facts'>,
): Payload {
  let kept = start;
  for (const field of asked.order) {
    if (old[field] === undefined || kept[field] !== undefined || !isReachable(field, asked, kept)) continue;
    const candidate: Payload = { ...kept, [field]: old[field] };
    if (hasMatch(session, candidate, facts)) kept = candidate;
  }
  return kept;
}

/**
 * Keeps the values, in order, that still have a match, so that no step is a dead end: the inventory changes during a search, and the last
 * matching stay may be booked.
 */
export function dropStaleValues(
  session: Session,
  facts: SearchFacts,
): { readonly payload: Payload; readonly cleared: readonly PayloadField[] } {
  const { payload } = session;
  if (hasMatch(session, payload, facts)) return { payload, cleared: [] };
  const kept = keepFitting({}, payload, { session, asked: askedFields(session), facts });
  return { payload: kept, cleared: lostFields(payload, kept) };
}

/** The fields whose answers a request tried and failed to replace. The caller no longer wants these, so they must not complete a search. */
function disputedFields(
  misnamed: readonly PayloadField[],
  refused: ReadonlyMap<PayloadField, RefusedValue>,
  standing: Payload,
  accepted: readonly PayloadField[],
): readonly PayloadField[] {
  return [...misnamed, ...refused.keys()].filter((field) => {
    const isSettled = accepted.some((one) => one === field || one === FIELDS[field].setBy);
    return standing[field] !== undefined && !isSettled;
  });
}

/** Returns the same object when nothing is disputed. Later dates go with a disputed one, because they were chosen for it. */
export function withoutDisputed(
  payload: Payload,
  disputed: readonly PayloadField[],
  { order }: AskedFields,
): Payload {
  if (disputed.length === 0) return payload;
  const isLeft = (field: PayloadField) =>
    !disputed.some((one) => one === field || isLaterOfOneDecision(field, one, order));
  const left = order.filter(isLeft);
  return order.some((field) => payload[field] !== undefined && !left.includes(field))
    ? pickInOrder(left, payload)
    : payload;
}

/** Whether a field must wait for a disputed one: a departure cannot be judged by an arrival that is to be replaced. A day needs no month, because it sets it. */
export function followsDisputed(
  field: PayloadField,
  disputed: readonly PayloadField[],
  { order }: AskedFields,
): boolean {
  return disputed.some((one) => isLaterOfOneDecision(field, one, order) && FIELDS[one].setBy !== field);
}

function isLaterOfOneDecision(
  field: PayloadField,
  earlier: PayloadField,
  order: readonly PayloadField[],
): boolean {
  return isOneDecision(field, earlier) && order.indexOf(field) > order.indexOf(earlier);
}
