import type { PayloadField } from '../../contract/payload-fields.ts';
import type { RefusalReason } from '../../contract/refusal-reasons.ts';
import { formatDay } from '../../stay/day.ts';
import { conflictsWith } from '../conflicting-fields.ts';
import { criteriaOf } from '../criteria.ts';
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
    default:
      return obstacle;
  }
}
