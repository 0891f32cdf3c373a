import { formatDay, formatMonth, monthOf, parseDay } from '../../stay/day.ts';
import { criteriaOf } from '../criteria.ts';
import { writtenDayInComingYear } from './coming-year.ts';
import { explainDates } from './explain-dates.ts';
import { completeOffer, type FieldRules } from './field-rules.ts';
import { nearestNumbers } from './nearest-numbers.ts';
import { readDay } from './read-day.ts';

export const checkInDay: FieldRules<'check_in_day'> = {
  read: readDay,
  implied: (text) => {
    const day = parseDay(text);
    return day === undefined ? {} : { check_in_month: formatMonth(monthOf(day)) };
  },
  inComingYear: writtenDayInComingYear,
  offer: ({ session, payload, facts: { index, now } }) =>
    completeOffer(index.checkInDays(criteriaOf(session, payload), now).map(formatDay)),
  explain: (day, situation) => explainDates('check_in_day', day, situation),
  nearest: (meant, situation) => nearestNumbers(meant, checkInDay.offer(situation).values, parseDay),
};
