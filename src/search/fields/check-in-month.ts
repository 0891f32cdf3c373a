import { firstDayOf, formatMonth, parseMonth } from '../../stay/day.ts';
import { readWrittenMonth } from '../../stay/written-dates.ts';
import { criteriaOf } from '../criteria.ts';
import { writtenMonthInComingYear } from './coming-year.ts';
import { explainDates } from './explain-dates.ts';
import { completeOffer, type FieldRules, read, unsearchable } from './field-rules.ts';
import { nearestNumbers } from './nearest-numbers.ts';

export const checkInMonth: FieldRules<'check_in_month'> = {
  read: (raw) => {
    if (typeof raw !== 'string') return unsearchable({ code: 'wrong_type' });
    const reading = readWrittenMonth(raw);
    if (reading.kind === 'month') return read(formatMonth(reading.month));
    if (reading.kind === 'no_such_date') return unsearchable({ code: 'no_such_date' });
    return unsearchable({ code: 'not_a_date', format: 'YYYY-MM' }, reading.guesses.map(formatMonth));
  },
  inComingYear: writtenMonthInComingYear,
  offer: ({ session, payload, facts: { index, now } }) =>
    completeOffer(index.checkInMonths(criteriaOf(session, payload), now).map(formatMonth)),
  explain: (month, situation) => explainDates('check_in_month', month, situation),
  nearest: (meant, situation) =>
    nearestNumbers(meant, checkInMonth.offer(situation).values, (text) => {
      const month = parseMonth(text);
      return month === undefined ? undefined : firstDayOf(month);
    }),
};
