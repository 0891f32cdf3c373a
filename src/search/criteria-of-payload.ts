import type { CompleteCriteria, StayCriteria } from '../inventory/stay-criteria.ts';
import type { Payload, Session } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { parseMonth } from '../stay/month.ts';

/** The payload as the index understands it. The payload's texts were checked when they came in, so they parse. */
export function criteriaOf(
  session: Session,
  payload: Payload,
  amenities: readonly string[] = [],
): StayCriteria {
  return {
    brand: payload.brand_locked === true ? session.source : null,
    place: payload.destination ?? session.onlyPlace,
    checkInMonth: payload.check_in_month === undefined ? null : (parseMonth(payload.check_in_month) ?? null),
    checkIn: payload.check_in_day === undefined ? null : (parseDay(payload.check_in_day) ?? null),
    checkOut: payload.check_out === undefined ? null : (parseDay(payload.check_out) ?? null),
    guests: payload.guests === undefined ? null : Number(payload.guests),
    amenities,
  };
}

export function isComplete(criteria: StayCriteria): criteria is CompleteCriteria {
  return (
    criteria.place !== null &&
    criteria.checkIn !== null &&
    criteria.checkOut !== null &&
    criteria.guests !== null
  );
}
