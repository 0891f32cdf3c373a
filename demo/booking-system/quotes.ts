import { Compile } from 'typebox/compile';
import { type QuotesAnswer, QuotesRequest } from '../../src/connectors/open/protocol.ts';
import { formatAmount } from '../../src/stay/money.ts';
import type { Answer } from '../http.ts';
import { type Operator, type Stay, stayOf } from '../operator.ts';
import { badRequest, json } from './json-answer.ts';

const request = Compile(QuotesRequest);
type Quote = QuotesAnswer['quotes'][number];

export function answerQuotes(operator: Operator, content: unknown, now: number): Answer {
  if (!request.Check(content)) {
    return badRequest('Name properties, check_in, check_out, guests and currency.');
  }
  const stay = stayOf(content.check_in, content.check_out, content.guests);
  if (!stay) return badRequest('check_in and check_out must be days, in this order.');
  const answer: QuotesAnswer = {
    quotes: content.properties.map((reference) => quoteOf(operator, reference, stay, now)),
  };
  return json(200, answer);
}

/** Always in the property's own currency: nothing is converted. */
function quoteOf(operator: Operator, reference: string, stay: Stay, now: number): Quote {
  const property = operator.property(reference);
  if (!property) return { property: reference, status: 'unavailable', reason: 'unknown_property' };
  const offer = operator.offer(property, stay);
  if (offer.kind === 'unavailable')
    return { property: reference, status: 'unavailable', reason: offer.reason };
  const { givesBreakdown, holdMinutes } = operator.brand;
  const { deposit, due_on_site: dueOnSite } = operator.entry(property);
  const amount = (minorUnits: number) => formatAmount(minorUnits, offer.currency);
  return {
    property: reference,
    status: 'quoted',
    currency: offer.currency,
    total: amount(offer.total),
    ...(givesBreakdown && {
      lines: offer.lines.map((line) => ({ label: line.label, amount: amount(line.amount) })),
    }),
    // What is due on site is the same for every stay: nothing.
    ...(deposit && { deposit }),
    ...(dueOnSite && { due_on_site: dueOnSite.amount }),
    ...(holdMinutes !== null && { held_until: new Date(now + holdMinutes * 60_000).toISOString() }),
  };
}
