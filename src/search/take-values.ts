import type { PayloadField } from '../contract/payload-fields.ts';
import { isPayloadField } from '../contract/payload-fields.ts';
import type { AvailabilityIndex } from '../inventory/availability-index/availability-index.ts';
import type { Network, PlaceId } from '../inventory/catalogue.ts';
import type { Payload, Session } from '../sessions/session.ts';
import { criteriaOf } from './criteria-of-payload.ts';
import { findPlace } from './find-place.ts';
import { readValue } from './read-value.ts';
import { answeredBefore, fieldOrderOf, prerequisiteOf } from './session-fields.ts';

export type SearchFacts = {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  readonly now: number;
};

export type Supplied = { readonly field: string; readonly raw: unknown };

export type Refusal = {
  readonly code: 'invalid_value' | 'unknown_field' | 'prerequisite_missing';
  /** Null for a name that this search does not have: what a caller made up is not repeated. */
  readonly field: PayloadField | null;
  /** Places that a name could have meant. */
  readonly candidates: readonly PlaceId[];
};

export type Taken = {
  readonly payload: Payload;
  readonly accepted: readonly PayloadField[];
  /** Values that no longer fit after a change of mind. */
  readonly cleared: readonly PayloadField[];
  readonly refusal: Refusal | null;
};

/**
 * Takes the values in field order, up to the first that is refused. A value is on offer exactly when the index still has
 * a match with it, so that checking a value and listing values can never disagree.
 */
export function takeValues(session: Session, supplied: readonly Supplied[], facts: SearchFacts): Taken {
  const order = fieldOrderOf(session);
  let taken: Taken = { payload: session.payload, accepted: [], cleared: [], refusal: null };
  const stranger = supplied.find(({ field }) => !isPayloadField(field) || !order.includes(field));
  if (stranger) {
    const field = isPayloadField(stranger.field) ? stranger.field : null;
    return { ...taken, refusal: { code: 'unknown_field', field, candidates: [] } };
  }
  const inOrder = order.flatMap((field) =>
    supplied.filter((one) => one.field === field).map(({ raw }) => ({ field, raw })),
  );
  for (const { field, raw } of inOrder) {
    taken = takeOne(session, taken, field, raw, facts);
    if (taken.refusal) return taken;
  }
  return taken;
}

function takeOne(
  session: Session,
  before: Taken,
  field: PayloadField,
  raw: unknown,
  facts: SearchFacts,
): Taken {
  const refuse = (code: Refusal['code'], candidates: readonly PlaceId[] = []): Taken => ({
    ...before,
    refusal: { code, field, candidates },
  });
  const { payload } = before;
  const prerequisite = prerequisiteOf(field, session);
  if (prerequisite && payload[prerequisite] === undefined) return refuse('prerequisite_missing');

  let value = readValue(field, raw);
  if (value === undefined) return refuse('invalid_value');
  const base = payload[field] === undefined ? payload : answeredBefore(field, session, payload);
  if (field === 'destination' && typeof value === 'string') {
    const finding = findPlace(value, facts.network, () =>
      facts.index.destinations(criteriaOf(session, base), facts.now).map((stock) => stock.place),
    );
    if (!('place' in finding)) return refuse('invalid_value', finding.candidates);
    value = finding.place;
  }
  const accepted = before.accepted.includes(field) ? before.accepted : [...before.accepted, field];
  if (payload[field] === value) return { ...before, accepted };
  const changed: Payload = { ...base, [field]: value };
  if (!facts.index.hasMatch(criteriaOf(session, changed), facts.now)) return refuse('invalid_value');
  if (base === payload) return { ...before, payload: changed, accepted };

  const kept = keepWhatFits(session, changed, payload, field, facts);
  return {
    payload: kept,
    accepted,
    cleared: [...before.cleared, ...clearedBetween(session, payload, kept)],
    refusal: null,
  };
}

/** Adds the later answers of `old` to `start` again, in order: those that depend on the changed field go, those that still match stay. */
function keepWhatFits(
  session: Session,
  start: Payload,
  old: Payload,
  changed: PayloadField,
  facts: SearchFacts,
): Payload {
  const order = fieldOrderOf(session);
  let kept = start;
  const gone = new Set<PayloadField>([changed]);
  for (const field of order.slice(order.indexOf(changed) + 1)) {
    if (old[field] === undefined) continue;
    const prerequisite = prerequisiteOf(field, session);
    const candidate: Payload = { ...kept, [field]: old[field] };
    if (
      (prerequisite && gone.has(prerequisite)) ||
      !facts.index.hasMatch(criteriaOf(session, candidate), facts.now)
    ) {
      gone.add(field);
    } else {
      kept = candidate;
    }
  }
  return kept;
}

/**
 * The inventory moves under a search: the last free stay that fits may be gone. Then the answers are kept in order as
 * far as they still lead somewhere, so that no step is a dead end.
 */
export function settlePayload(
  session: Session,
  facts: SearchFacts,
): { payload: Payload; cleared: readonly PayloadField[] } {
  const { payload } = session;
  if (facts.index.hasMatch(criteriaOf(session, payload), facts.now)) return { payload, cleared: [] };
  let kept: Payload = {};
  for (const field of fieldOrderOf(session)) {
    if (payload[field] === undefined) continue;
    const prerequisite = prerequisiteOf(field, session);
    const candidate: Payload = { ...kept, [field]: payload[field] };
    if (prerequisite && kept[prerequisite] === undefined) continue;
    if (facts.index.hasMatch(criteriaOf(session, candidate), facts.now)) kept = candidate;
  }
  return { payload: kept, cleared: clearedBetween(session, payload, kept) };
}

function clearedBetween(session: Session, before: Payload, after: Payload): PayloadField[] {
  return fieldOrderOf(session).filter((field) => before[field] !== undefined && after[field] === undefined);
}
