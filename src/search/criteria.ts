import { ANY_STAY, type StayCriteria } from '../catalogue/stay-criteria.ts';
import { PAYLOAD_FIELDS, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { parseDay, parseMonth } from '../stay/day.ts';

/** The criteria that the value of each field sets. A field without an entry does not compile. */
const NARROWING: {
  readonly [Field in PayloadField]: (
    value: NonNullable<Payload[Field]>,
    session: Session,
  ) => Partial<StayCriteria>;
} = {
  brand_locked: (locked, { source }) => ({ brand: locked ? source : null }),
  destination: (place) => ({ place }),
  check_in_month: (month) => ({ checkInMonth: parseMonth(month) ?? null }),
  check_in_day: (day) => ({ checkIn: parseDay(day) ?? null }),
  check_out: (day) => ({ checkOut: parseDay(day) ?? null }),
  guests: (party) => ({ guests: Number(party) }),
};

/** Filters by amenity never restrict the values of other fields, so they are given only where they count. */
export function criteriaOf(
  session: Session,
  payload: Payload,
  amenities: readonly string[] = [],
): StayCriteria {
  const criteria = { ...ANY_STAY, place: session.onlyPlace, amenities };
  for (const field of PAYLOAD_FIELDS) {
    if (payload[field] !== undefined) Object.assign(criteria, narrowing(field, payload, session));
  }
  return criteria;
}

function narrowing<Field extends PayloadField>(
  field: Field,
  payload: Payload,
  session: Session,
): Partial<StayCriteria> {
  const value = payload[field];
  return value === undefined ? {} : NARROWING[field](value, session);
}
