import { FIELDS, isPayloadField, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { askedFields } from './asked-fields.ts';
import { withPayload } from './changed-session.ts';
import { offerOf } from './fields/rules.ts';
import type { CarriedValues, Correction, FieldFault } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { takeAmenities } from './take-amenities.ts';
import { takeValues } from './take-values.ts';

/** A prerequisite with two values, each of which can be tried. The many arrivals before a departure cannot. */
const PREREQUISITE = 'brand_locked';

/** What a request leaves to be sent again, and the session that it leaves. */
export type Leftover = {
  readonly session: Session;
  /** The values that were not taken, those under a wrong name under the right one. */
  readonly unsettled: readonly SuppliedValue[];
  readonly renamed: readonly SuppliedValue[];
  readonly faults: readonly FieldFault[];
};

/** A request to send in place of the refused one, and the payload that it leads to. */
export type AmendedRequest = {
  readonly values: readonly Correction[];
  readonly payload: Payload;
  /** Fields in which it differs from what was asked for. */
  readonly changing: readonly PayloadField[];
};

/**
 * The values under the right names, together with what depends on them. Null where those under a wrong name would not be taken
 * either, or would be joined to a value that the request wanted to replace.
 */
export function renamedRequest(leftover: Leftover, facts: SearchFacts): AmendedRequest | null {
  const { session, unsettled, renamed } = leftover;
  // A field that this session does not ask for wants another search than the one that would go on.
  const isElsewhere = leftover.faults.some(
    ({ code, field }) => code === 'unknown_field' && field !== null && isPayloadField(field),
  );
  if (renamed.length === 0 || isElsewhere) return null;
  const judged = takeValues(session, unsettled, facts);
  const isTaken = ({ field }: SuppliedValue) => judged.accepted.some((one) => one === field);
  const isAllTaken = renamed.every((one) => one.field === 'amenities' || isTaken(one));
  const values = valuesIn(judged.payload, judged.accepted);
  const whole = isAllTaken ? [...values, ...judged.corrections] : values;
  const payload = isAllTaken ? judged.corrected : judged.payload;
  const amenity = amenityAfter(withPayload(session, payload), unsettled, facts);
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

/** What was refused for a missing prerequisite alone goes with each value of it, as far as it would be taken then. */
export function carriedValues(leftover: Leftover, facts: SearchFacts): readonly CarriedValues[] {
  const { session, unsettled } = leftover;
  const { payload } = session;
  const { order, dependsOn } = askedFields(session);
  const waiting = unsettled.filter(({ field }) => isPayloadField(field) && dependsOn[field] === PREREQUISITE);
  if (waiting.length === 0 || !order.includes(PREREQUISITE) || payload[PREREQUISITE] !== undefined) return [];
  return offerOf(PREREQUISITE, { session, payload, facts }).values.flatMap(({ value }) => {
    const first = { field: PREREQUISITE, value: String(value) } as const;
    const others = unsettled.filter(({ field }) => field !== PREREQUISITE);
    const judged = takeValues(session, [{ field: first.field, raw: value }, ...others], facts);
    if (!waiting.some(({ field }) => judged.accepted.some((one) => one === field))) return [];
    const values = [
      ...valuesIn(judged.payload, judged.accepted).filter(({ field }) => field !== PREREQUISITE),
      ...amenityAfter(withPayload(session, judged.payload), others, facts),
    ];
    return payloadIfTaken([first, ...values], leftover, facts) ? [{ with: first, values }] : [];
  });
}

/** An amenity that came along is sent again with what completes the search, if it can be applied then. */
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

/** Tries the request: every value of it must be taken, and none joined to one that was to be replaced. */
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
