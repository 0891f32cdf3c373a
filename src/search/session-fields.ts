import { PAYLOAD_FIELDS, type PayloadField, PREREQUISITES } from '../contract/payload-fields.ts';
import type { Payload, Session } from '../sessions/session.ts';

type Questions = {
  readonly order: readonly PayloadField[];
  readonly dependsOn: Readonly<Partial<Record<PayloadField, PayloadField>>>;
};
type Entry = Pick<Session, 'source' | 'onlyPlace'>;

/** Which questions a session asks: a direct one has no brand to lock to, a single-location storefront no destination to choose. */
const DIRECT = questionsOf((field) => field !== 'brand_locked');
const SOURCED = questionsOf(() => true);
const SINGLE_LOCATION = questionsOf((field) => field !== 'destination');
const DIRECT_TO_ONE_PLACE = questionsOf((field) => field !== 'brand_locked' && field !== 'destination');

function questionsOf(isAsked: (field: PayloadField) => boolean): Questions {
  const order = PAYLOAD_FIELDS.filter(isAsked);
  const dependsOn: Partial<Record<PayloadField, PayloadField>> = {};
  for (const field of order) {
    const prerequisite = PREREQUISITES[field];
    if (prerequisite && order.includes(prerequisite)) dependsOn[field] = prerequisite;
  }
  return { order, dependsOn };
}

function askedOf({ source, onlyPlace }: Entry): Questions {
  if (source === null) return onlyPlace === null ? DIRECT : DIRECT_TO_ONE_PLACE;
  return onlyPlace === null ? SOURCED : SINGLE_LOCATION;
}

export function fieldOrderOf(session: Entry): readonly PayloadField[] {
  return askedOf(session).order;
}

export function prerequisiteOf(field: PayloadField, session: Entry): PayloadField | undefined {
  return askedOf(session).dependsOn[field];
}

export function dependsOnOf(session: Entry): Readonly<Record<string, string>> {
  return askedOf(session).dependsOn;
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
