import { formatDay, parseDay } from '../../stay/day.ts';
import { criteriaOf } from '../criteria.ts';
import { writtenDayInComingYear } from './coming-year.ts';
import { explainDates } from './explain-dates.ts';
import { completeOffer, type FieldRules } from './field-rules.ts';
import { nearestNumbers } from './nearest-numbers.ts';
import { readDay } from './read-day.ts';

export const checkOut: FieldRules<'check_out'> = {
  read: readDay,
  inComingYear: writtenDayInComingYear,
  offer: ({ session, payload, facts: { index, now } }) =>
    completeOffer(index.checkOutDays(criteriaOf(session, payload), now).map(formatDay)),
  explain: (day, situation) => explainDates('check_out', day, situation),
  nearest: (meant, situation) => nearestNumbers(meant, checkOut.offer(situation).values, parseDay),
};
