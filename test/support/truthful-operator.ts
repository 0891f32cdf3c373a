import type { QuotesAnswer, QuotesRequest } from '../../src/connectors/open/quote.ts';
import { type Day, parseDay } from '../../src/stay/day.ts';
import type { ScriptedOperator, ScriptedProperty } from './scripted-operator.ts';

/** Makes an operator quote exactly what its calendar allows. Shares no code with the service, which is checked against it. */
export function quoteTruthfully(operator: ScriptedOperator): void {
  operator.quote = (reference, request) => {
    const property = operator.properties.find(({ listing }) => listing.reference === reference);
    return answerFor(reference, property, request);
  };
}

function answerFor(
  reference: string,
  property: ScriptedProperty | undefined,
  request: QuotesRequest,
): QuotesAnswer['quotes'][number] {
  const [arrival, departure] = [dayOf(request.check_in), dayOf(request.check_out)];
  if (!property || request.guests > property.listing.max_guests || !allows(property, arrival, departure)) {
    return { property: reference, status: 'unavailable', reason: 'booked' };
  }
  const total = (departure - arrival) * 10 + request.guests;
  return { property: reference, status: 'quoted', currency: request.currency, total: `${total}.00` };
}

function allows({ periods }: ScriptedProperty, arrival: Day, departure: Day): boolean {
  const periodOf = (day: Day) => periods.find(({ from, to }) => dayOf(from) <= day && day < dayOf(to));
  for (let night = arrival; night < departure; night += 1) if (!periodOf(night)?.available) return false;
  const [rules, leaving] = [periodOf(arrival), periodOf(departure)];
  const nights = departure - arrival;
  return (
    nights >= (rules?.minimum_stay ?? 1) &&
    nights <= (rules?.maximum_stay ?? Number.POSITIVE_INFINITY) &&
    !rules?.closed_to_arrival &&
    !leaving?.closed_to_departure
  );
}

function dayOf(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new Error(`${text} is not a day`);
  return day;
}
