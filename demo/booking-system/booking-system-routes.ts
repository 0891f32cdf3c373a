import type { Clock } from '../../src/clock.ts';
import type { Bookings } from '../bookings.ts';
import type { Answer, DemoRequest, Route } from '../http.ts';
import type { Operator } from '../operator.ts';
import { answerCalendars } from './calendars.ts';
import { answerCatalogue } from './catalogue.ts';
import { badRequest, json } from './json-answer.ts';
import { answerQuotes } from './quotes.ts';
import { answerBookings } from './reported-bookings.ts';
import { createSimulatedTrouble } from './simulated-trouble.ts';

/** The calls of the open operator protocol for one operator. */
export function bookingSystemRoutes(dependencies: {
  readonly operator: Operator;
  readonly bookings: Bookings;
  readonly clock: Clock;
  /** A steady network answers at once and never fails. */
  readonly steady: boolean;
}): readonly Route[] {
  const { operator, bookings, clock, steady } = dependencies;
  const { source, isUnreliable } = operator.brand;
  const nextTrouble = createSimulatedTrouble(source);

  const withTrouble = async (
    kind: Parameters<typeof nextTrouble>[0],
    answer: () => Answer,
  ): Promise<Answer> => {
    if (steady || !isUnreliable) return answer();
    const { waitMs, fails } = nextTrouble(kind);
    await new Promise<void>((resolve) => {
      clock.after(waitMs, resolve);
    });
    return fails ? json(503, { error: 'busy', message: 'Please try again later.' }) : answer();
  };
  const withContent = (request: DemoRequest, answer: (content: unknown) => Answer): Answer => {
    const content = contentOf(request.body);
    return content === undefined ? badRequest('The body is not JSON.') : answer(content);
  };

  const base = `/operators/${source}`;
  return [
    {
      method: 'GET',
      path: `${base}/catalogue`,
      answer: (request) => withTrouble('catalogue', () => answerCatalogue(operator, request)),
    },
    {
      method: 'POST',
      path: `${base}/calendars`,
      answer: (request) =>
        withTrouble('calendars', () => withContent(request, (content) => answerCalendars(operator, content))),
    },
    {
      method: 'POST',
      path: `${base}/quotes`,
      answer: (request) =>
        withTrouble('quotes', () =>
          withContent(request, (content) => answerQuotes(operator, content, clock.now())),
        ),
    },
    {
      method: 'GET',
      path: `${base}/bookings`,
      answer: async (request) => answerBookings(source, bookings, request),
    },
  ];
}

function contentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
