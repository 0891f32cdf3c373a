import { PAYLOAD_FIELDS, type PayloadField, PREREQUISITES } from '../contract/payload-fields.ts';
import type { Payload, Session } from '../sessions/session.ts';

/** Which questions a session asks: a direct one has no brand to lock to, a single-location storefront no destination to choose. */
export function fieldOrderOf(session: Session): readonly PayloadField[] {
  return PAYLOAD_FIELDS.filter(
    (field) =>
      !(field === 'brand_locked' && session.source === null) &&
      !(field === 'destination' && session.onlyPlace !== null),
  );
}

export function prerequisiteOf(field: PayloadField, session: Session): PayloadField | undefined {
  const prerequisite = PREREQUISITES[field];
  return prerequisite && fieldOrderOf(session).includes(prerequisite) ? prerequisite : undefined;
}

export function dependsOnOf(session: Session): Record<string, string> {
  const dependencies: Record<string, string> = {};
  for (const field of fieldOrderOf(session)) {
    const prerequisite = prerequisiteOf(field, session);
    if (prerequisite) dependencies[field] = prerequisite;
  }
  return dependencies;
}

export function missingFieldsOf(session: Session, payload: Payload): PayloadField[] {
  return fieldOrderOf(session).filter((field) => payload[field] === undefined);
}

/** The part of a payload that answers these fields, in their order. */
export function answersTo(fields: readonly PayloadField[], payload: Payload): Payload {
  return Object.fromEntries(
    fields.filter((field) => payload[field] !== undefined).map((field) => [field, payload[field]]),
  );
}

/** A field that is changed is judged by what comes before it: what comes after gives way. */
export function answeredBefore(field: PayloadField, session: Session, payload: Payload): Payload {
  const order = fieldOrderOf(session);
  return answersTo(order.slice(0, order.indexOf(field)), payload);
}
