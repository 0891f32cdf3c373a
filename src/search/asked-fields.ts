import {
  FIELDS,
  fieldOrder,
  type Payload,
  type PayloadField,
  type SessionKind,
} from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';

/** The fields that a kind of session asks for, in order. */
export type AskedFields = {
  readonly order: readonly PayloadField[];
  /** Dependent field → prerequisite, where the session asks for both. */
  readonly dependsOn: Readonly<Partial<Record<PayloadField, PayloadField>>>;
};

const SOURCED = askedBy([]);
const DIRECT = askedBy(['direct']);
const SINGLE_LOCATION = askedBy(['single_location']);
const DIRECT_AND_SINGLE_LOCATION = askedBy(['direct', 'single_location']);

/** A direct session has no brand to lock to, and a single-location brand no destination to choose. */
export function askedFields({ source, onlyPlace }: Pick<Session, 'source' | 'onlyPlace'>): AskedFields {
  if (source === null) return onlyPlace === null ? DIRECT : DIRECT_AND_SINGLE_LOCATION;
  return onlyPlace === null ? SOURCED : SINGLE_LOCATION;
}

export function missingFields({ order }: AskedFields, payload: Payload): PayloadField[] {
  const missing: PayloadField[] = [];
  for (const field of order) if (payload[field] === undefined) missing.push(field);
  return missing;
}

/** Whether the field has no prerequisite, or its prerequisite is set. */
export function isReachable(field: PayloadField, { dependsOn }: AskedFields, payload: Payload): boolean {
  const prerequisite = dependsOn[field];
  return prerequisite === undefined || payload[prerequisite] !== undefined;
}

/** The values of all earlier fields. A changed field is checked against these alone. */
export function valuesBefore(field: PayloadField, { order }: AskedFields, payload: Payload): Payload {
  return pickInOrder(order.slice(0, order.indexOf(field)), payload);
}

/** The values that do not hang on this field: all but its own and those of the fields that depend on it. */
export function valuesBeside(
  field: PayloadField,
  { order, dependsOn }: AskedFields,
  payload: Payload,
): Payload {
  const dependent = new Set<PayloadField | undefined>([field]);
  for (const one of order) if (dependent.has(dependsOn[one])) dependent.add(one);
  return pickInOrder(
    order.filter((one) => !dependent.has(one)),
    payload,
  );
}

export function pickInOrder(fields: readonly PayloadField[], payload: Payload): Payload {
  const values: Record<string, unknown> = {};
  for (const field of fields) if (payload[field] !== undefined) values[field] = payload[field];
  return values;
}

function askedBy(kinds: readonly SessionKind[]): AskedFields {
  const order = fieldOrder(kinds);
  const dependsOn: Partial<Record<PayloadField, PayloadField>> = {};
  for (const field of order) {
    const prerequisite = FIELDS[field].dependsOn;
    if (prerequisite !== null && order.includes(prerequisite)) dependsOn[field] = prerequisite;
  }
  return { order, dependsOn };
}
