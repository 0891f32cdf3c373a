import { Compile } from 'typebox/compile';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import {
  type CalendarPeriod,
  type CalendarsAnswer,
  CalendarsRequest,
} from '../../src/connectors/open/protocol.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import { formatAmount } from '../../src/stay/money.ts';
import type { Answer } from '../http.ts';
import type { Operator } from '../operator.ts';
import { badRequest, json } from './json-answer.ts';

const request = Compile(CalendarsRequest);

export function answerCalendars(operator: Operator, content: unknown): Answer {
  if (!request.Check(content)) return badRequest('Name properties, from and nights.');
  const from = parseDay(content.from);
  if (from === undefined) return badRequest('from is not a day.');
  const answer: CalendarsAnswer = {
    calendars: content.properties.flatMap((reference) => {
      const property = operator.property(reference);
      if (!property) return [];
      const calendar = operator.calendar(property, from, content.nights);
      return [{ property: reference, periods: periodsOf(calendar, property.city.currency) }];
    }),
  };
  return json(200, answer);
}

type NightRules = Omit<CalendarPeriod, 'from' | 'to'>;

/** Nights in a row that share all their rules become one period. */
function periodsOf(calendar: Calendar, currency: string): CalendarPeriod[] {
  const periods: { first: number; last: number; rules: NightRules; key: string }[] = [];
  for (let night = 0; night < calendar.available.length; night++) {
    const rules = rulesOf(calendar, night, currency);
    const key = JSON.stringify(rules);
    const current = periods.at(-1);
    if (current?.key === key) current.last = night;
    else periods.push({ first: night, last: night, rules, key });
  }
  return periods.map(({ first, last, rules }) => ({
    from: formatDay(calendar.firstDay + first),
    to: formatDay(calendar.firstDay + last + 1),
    ...rules,
  }));
}

function rulesOf(calendar: Calendar, night: number, currency: string): NightRules {
  const closedToDeparture = calendar.closedToDeparture[night] === 1;
  // A taken night can still be a departure day, so this rule is published for taken nights too.
  if (calendar.available[night] !== 1) {
    return { available: false, ...(closedToDeparture && { closed_to_departure: true }) };
  }
  const maximumStay = calendar.maximumStay[night] ?? 0;
  return {
    available: true,
    minimum_stay: calendar.minimumStay[night] ?? 1,
    ...(maximumStay > 0 && { maximum_stay: maximumStay }),
    ...(calendar.closedToArrival[night] === 1 && { closed_to_arrival: true }),
    ...(closedToDeparture && { closed_to_departure: true }),
    price: formatAmount(calendar.price[night] ?? 0, currency),
  };
}
