import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { Network, UnreadyBrand } from '../catalogue/catalogue.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import {
  FIELDS,
  fieldOrder,
  isPayloadField,
  PAYLOAD_FIELDS,
  type Payload,
  type PayloadField,
  type SessionKind,
} from '../contract/payload-fields.ts';
import { fieldsToGive } from '../contract/whole-stay.ts';
import type { Session } from '../sessions/session.ts';
import { parseDay, parseMonth } from '../stay/day.ts';

/** The input of a decision besides the session and the request. */
export type SearchFacts = {
  readonly index: AvailabilityIndex;
  readonly network: Network;
  /** The brands of which a search may miss homes. */
  readonly unready: readonly UnreadyBrand[];
  readonly now: number;
};

/** The fields that a kind of session asks for, in order. */
export type AskedFields = {
  readonly order: readonly PayloadField[];
  /** Those that name a whole stay: no other field sets them. */
  readonly given: readonly PayloadField[];
  /** Dependent field → prerequisite, where the session asks for both. */
  readonly dependsOn: Readonly<Partial<Record<PayloadField, PayloadField>>>;
};

const SOURCED = askedBy([]);
const DIRECT = askedBy(['direct']);
const SINGLE_LOCATION = askedBy(['single_location']);
const DIRECT_AND_SINGLE_LOCATION = askedBy(['direct', 'single_location']);

/** A direct session has no brand to lock to, and a single-location brand has no destination to choose. */
export function askedFields({ source, onlyPlace }: Pick<Session, 'source' | 'onlyPlace'>): AskedFields {
  if (source === null) return onlyPlace === null ? DIRECT : DIRECT_AND_SINGLE_LOCATION;
  return onlyPlace === null ? SOURCED : SINGLE_LOCATION;
}

/** Fields that this session asks for; all other names are unknown to it. */
export function isAskedField(name: string, session: Session): name is PayloadField {
  return isPayloadField(name) && askedFields(session).order.includes(name);
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

/** The values of all earlier fields. A changed field is checked against these only. */
export function valuesBefore(field: PayloadField, { order }: AskedFields, payload: Payload): Payload {
  return pickInOrder(order.slice(0, order.indexOf(field)), payload);
}

/** The values that do not depend on this field: all but its own and those of its dependent fields. */
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
  return { order, given: fieldsToGive(order), dependsOn };
}

/** Amenity filters never restrict the values of other fields, so callers pass them only when they count. */
export function criteriaOf(
  { source, onlyPlace }: Pick<Session, 'source' | 'onlyPlace'>,
  { brand_locked, destination, check_in_month, check_in_day, check_out, guests }: Payload,
  amenities: readonly string[] = [],
): StayCriteria {
  return {
    brand: brand_locked === true ? source : null,
    place: destination ?? onlyPlace,
    checkInMonth: check_in_month === undefined ? null : (parseMonth(check_in_month) ?? null),
    checkIn: check_in_day === undefined ? null : (parseDay(check_in_day) ?? null),
    checkOut: check_out === undefined ? null : (parseDay(check_out) ?? null),
    guests: guests === undefined ? null : Number(guests),
    amenities,
  };
}

export function hasMatch(session: Session, payload: Payload, { index, now }: SearchFacts): boolean {
  return index.hasMatch(criteriaOf(session, payload), now);
}

/** The fields that have a value before and none after. */
export function lostFields(before: Payload, after: Payload): readonly PayloadField[] {
  if (before === after) return [];
  const lost: PayloadField[] = [];
  for (const field of PAYLOAD_FIELDS)
    if (before[field] !== undefined && after[field] === undefined) lost.push(field);
  return lost;
}

/** Keeps the result current when the values are unchanged. */
export function withPayload(session: Session, payload: Payload): Session {
  const isSame = PAYLOAD_FIELDS.every((field) => session.payload[field] === payload[field]);
  return isSame ? session : withoutCurrentResult({ ...session, payload });
}

/** After a change the old result stays readable, but no longer answers the search. */
export function withoutCurrentResult(session: Session): Session {
  const { result } = session;
  return {
    ...session,
    result: result && { answersPayload: false, amenityOffers: [] },
    operatorsSilent: false,
  };
}
