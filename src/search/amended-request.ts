import { FIELDS, isPayloadField, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { takeAmenities } from './amenities.ts';
import { offerOf } from './fields/rules.ts';
import { askedFields, type SearchFacts, withPayload } from './payload.ts';
import type { CarriedValues, Correction, FieldFault } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { takeValues } from './take-values.ts';

/** The prerequisite with only two values, so that each can be tried. The many arrivals before a departure cannot. */
const PREREQUISITE = 'brand_locked';

/** The rest of a request that was partly refused, and the session after its accepted part. */
export type Leftover = {
  readonly session: Session;
  /** The values that were not accepted, including the renamed ones. */
  readonly remaining: readonly SuppliedValue[];
  readonly renamed: readonly SuppliedValue[];
  readonly faults: readonly FieldFault[];
};

/** A request to send in place of the refused one, and the payload after it. */
export type AmendedRequest = {
  readonly values: readonly Correction[];
  readonly payload: Payload;
  /** Fields whose values differ from those requested. */
  readonly changing: readonly PayloadField[];
};

/**
 * The request with the right names, together with the values that depend on them. Null when the renamed values would not be accepted
 * either, or would be combined with a value that the request wanted to replace.
 */
export function renamedRequest(leftover: Leftover, facts: SearchFacts): AmendedRequest | null {
  const { session, remaining, renamed } = leftover;
  // A field that this session does not ask for belongs to another search than the one that would continue.
  const isElsewhere = leftover.faults.some(
    ({ code, field }) => code === 'unknown_field' && field !== null && isPayloadField(field),
  );
  if (renamed.length === 0 || isElsewhere) return null;
  const judged = takeValues(session, remaining, facts);
  const isTaken = ({ field }: SuppliedValue) => judged.accepted.some((one) => one === field);
  const isAllTaken = renamed.every((one) => one.field === 'amenities' || isTaken(one));
  const values = valuesIn(judged.payload, judged.accepted);
  const whole = isAllTaken ? [...values, ...judged.corrections] : values;
  const payload = isAllTaken ? judged.corrected : judged.payload;
  const amenity = amenityAfter(withPayload(session, payload), remaining, facts);
  const isOfUse = renamed.some((one) => isTaken(one) || (one.field === 'amenities' && amenity.length > 0));
  const payloadTaken = isOfUse ? payloadIfTaken([...whole, ...amenity], leftover, facts) : null;
  return (
    payloadTaken && {
      values: [...whole, ...amenity],
      payload: payloadTaken,
      changing: isAllTaken ? judged.changing : [],
    }
  );
}

/** For each value of a missing prerequisite: the values that would be accepted with it and were refused only without it. */
export function carriedValues(leftover: Leftover, facts: SearchFacts): readonly CarriedValues[] {
  const { session, remaining } = leftover;
  const { payload } = session;
  const { order, dependsOn } = askedFields(session);
  const waiting = remaining.filter(({ field }) => isPayloadField(field) && dependsOn[field] === PREREQUISITE);
  if (waiting.length === 0 || !order.includes(PREREQUISITE) || payload[PREREQUISITE] !== undefined) return [];
  return offerOf(PREREQUISITE, { session, payload, facts }).values.flatMap(({ value }) => {
    const first = { field: PREREQUISITE, value: String(value) } as const;
    const others = remaining.filter(({ field }) => field !== PREREQUISITE);
    const judged = takeValues(session, [{ field: first.field, raw: value }, ...others], facts);
    if (!waiting.some(({ field }) => judged.accepted.some((one) => one === field))) return [];
    const values = [
      ...valuesIn(judged.payload, judged.accepted).filter(({ field }) => field !== PREREQUISITE),
      ...amenityAfter(withPayload(session, judged.payload), others, facts),
    ];
    return payloadIfTaken([first, ...values], leftover, facts) ? [{ with: first, values }] : [];
  });
}

/** The amenity of the request, to be sent again with the values that complete the search, if it can be applied then. */
export function amenityAfter(
  corrected: Session,
  supplied: readonly SuppliedValue[],
  facts: SearchFacts,
): readonly Correction[] {
  const { amenities, isTaken } = takeAmenities(supplied, corrected, facts);
  const value = amenities.at(-1);
  const isAdded = isTaken && value !== undefined && !corrected.amenities.includes(value);
  return isAdded ? [{ field: 'amenities', value }] : [];
}

/** Tries the request: every value must be accepted, and none combined with one that was to be replaced. */
function payloadIfTaken(
  values: readonly Correction[],
  { session, faults }: Leftover,
  facts: SearchFacts,
): Payload | null {
  const sent = values.map(({ field, value }) => ({ field, raw: value }));
  const { payload, refusals } = takeValues(session, sent, facts);
  const isSent = (name: PayloadField) =>
    values.some(({ field }) => field === name || field === FIELDS[name].setBy);
  const isJoined = faults
    .flatMap(({ field, didYouMean }) => [field, didYouMean])
    .some((name) => name !== null && isPayloadField(name) && payload[name] !== undefined && !isSent(name));
  return refusals.length === 0 && !isJoined ? payload : null;
}

function valuesIn(payload: Payload, fields: readonly PayloadField[]): readonly Correction[] {
  return fields.map((field) => ({ field, value: String(payload[field]) }));
}
