import type { PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import { formatDay, parseDay } from '../../stay/day.ts';
import { todayIn } from '../../stay/time-zone.ts';
import { conflictsWith } from '../conflicting-fields.ts';
import { criteriaOf } from '../criteria.ts';
import { liesWithin } from '../names/places-meant.ts';
import type { Situation } from './field-rules.ts';

type DateField = Extract<PayloadField, 'check_in_month' | 'check_in_day' | 'check_out'>;

/** The index knows which rule of the homes stands in the way; this names it in the terms of the fields. */
export function explainDates(field: DateField, value: string, situation: Situation): RefusalReason {
  const { session, payload, facts } = situation;
  const { index, now } = facts;
  const obstacle = index.obstacle(criteriaOf(session, { ...payload, [field]: value }), now);
  if (obstacle === null) return { code: 'nothing_free' };
  switch (obstacle.code) {
    case 'no_nights': {
      // A departure must follow the arrival, and a day lies in its month. Some dates fit no other either.
      const { check_in_month: _month, check_in_day: _day, check_out: _departure, ...others } = payload;
      return (
        conflictsWith(field, value, situation) ??
        explainDates(field, value, { ...situation, payload: others })
      );
    }
    case 'party_too_large': {
      const { guests: _guests, ...others } = payload;
      // Homes for fewer guests may have a rule of their own against that day: then it fits no party.
      return index.hasMatch(criteriaOf(session, { ...others, [field]: value }), now)
        ? { code: 'conflicts_with', fields: ['guests'] }
        : explainDates(field, value, { ...situation, payload: others });
    }
    case 'beyond_horizon':
      return { code: 'beyond_horizon', last_day: formatDay(obstacle.lastDay) };
    case 'no_properties':
      return { code: 'nothing_free' };
    case 'minimum_stay':
      return field === 'check_out' && isOffered((nights) => nights < obstacle.nights, situation)
        ? { code: 'minimum_stay' }
        : obstacle;
    case 'maximum_stay':
      return field === 'check_out' && isOffered((nights) => nights > obstacle.nights, situation)
        ? { code: 'maximum_stay' }
        : obstacle;
    case 'lead_time':
      // The arrival was taken, so there are homes that can be booked so soon: they are not free for so long.
      if (field === 'check_out') return { code: 'nothing_free' };
      return isOfferedSooner(obstacle.days, situation) ? { code: 'lead_time' } : obstacle;
    default:
      return obstacle;
  }
}

/**
 * Whether a stay of such a length is on offer from the same arrival. The limit is then one of the homes that are free for the
 * refused stay, not of all. Without an arrival the limit is of stays from any day, and says nothing about this one.
 */
function isOffered(isSuch: (nights: number) => boolean, { session, payload, facts }: Situation): boolean {
  const arrival = parseDay(payload.check_in_day ?? '');
  if (arrival === undefined) return true;
  const departures = facts.index.checkOutDays(criteriaOf(session, payload), facts.now);
  return departures.some((day) => isSuch(day - arrival));
}

/** Whether an arrival fewer days ahead is on offer. What day it is differs between the places of a search: the latest counts. */
function isOfferedSooner(days: number, { session, payload, facts }: Situation): boolean {
  const { index, network, now } = facts;
  const { check_in_month: _month, check_in_day: _day, check_out: _departure, ...others } = payload;
  const criteria = criteriaOf(session, others);
  const [first = Number.POSITIVE_INFINITY] = index.checkInDays(criteria, now);
  const places = [...network.places.values()].filter(
    ({ id }) => criteria.place === null || id === criteria.place || liesWithin(id, criteria.place, network),
  );
  const zones = new Set(places.map(({ timeZone }) => timeZone));
  return [...zones].some((zone) => first < todayIn(zone, now) + days);
}
