import type { Clock } from '../../src/clock.ts';
import type { RateCard } from '../../src/connectors/rate-card/rate-card.ts';
import type { Bookings } from '../bookings.ts';
import type { Answer, DemoRequest, Route } from '../http.ts';
import { badRequest, json, jsonWithTag } from '../http.ts';
import type { Operator } from '../operator.ts';
import { seededBy } from '../seeded.ts';
import { answerBookings, answerCalendars, answerCatalogue, answerQuotes } from './protocol-answers.ts';

/** The calls of the open operator protocol for one operator. */
export function bookingSystemRoutes(dependencies: {
  readonly operator: Operator;
  readonly bookings: Bookings;
  readonly clock: Clock;
  /** A steady network answers without delay and never fails. */
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

/** An operator without a booking system publishes its price list on its website, with the nights that are taken. */
export function rateCardRoute(operator: Operator): Route {
  return {
    method: 'GET',
    path: `/sites/${operator.brand.source}/rate-card.json`,
    async answer(request) {
      const card: RateCard = { properties: operator.properties.map((property) => operator.entry(property)) };
      return jsonWithTag(request, card);
    },
  };
}

type SimulatedTrouble = { readonly waitMs: number; readonly fails: boolean };

/** Delays and failures of an unreliable booking system. They depend only on the number of the call, so they can be reproduced. */
function createSimulatedTrouble(
  source: string,
): (kind: 'quotes' | 'calendars' | 'catalogue') => SimulatedTrouble {
  let calls = 0;
  let quotes = 0;
  return (kind) => {
    calls += 1;
    if (kind === 'quotes') quotes += 1;
    return {
      waitMs: seededBy(`${source} call ${calls}`).integer(300, 900),
      fails: kind === 'quotes' && quotes % 7 === 0,
    };
  };
}
