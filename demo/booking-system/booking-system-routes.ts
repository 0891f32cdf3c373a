import type { Clock } from '../../src/clock.ts';
import type { Answer, Asked, Route } from '../http.ts';
import type { Operator } from '../operator.ts';
import { answerCalendars } from './calendars.ts';
import { answerCatalogue } from './catalogue.ts';
import { badRequest, json } from './json-answer.ts';
import { answerQuotes } from './quotes.ts';
import { createStumbles } from './stumble.ts';

/** The three calls of the open operator protocol for one operator. */
export function bookingSystemRoutes(dependencies: {
  readonly operator: Operator;
  readonly clock: Clock;
  /** A steady network answers at once and never fails. */
  readonly steady: boolean;
}): readonly Route[] {
  const { operator, clock, steady } = dependencies;
  const { source, stumbles } = operator.brand;
  const nextStumble = createStumbles(source);

  const withMoods = async (
    kind: Parameters<typeof nextStumble>[0],
    answer: () => Answer,
  ): Promise<Answer> => {
    if (steady || !stumbles) return answer();
    const { waitMs, fails } = nextStumble(kind);
    await new Promise<void>((resolve) => {
      clock.after(waitMs, resolve);
    });
    return fails ? json(503, { error: 'busy', message: 'Our system is being looked at.' }) : answer();
  };
  const withContent = (asked: Asked, answer: (content: unknown) => Answer): Answer => {
    const content = contentOf(asked.body);
    return content === undefined ? badRequest('The body is not JSON.') : answer(content);
  };

  const base = `/operators/${source}`;
  return [
    {
      method: 'GET',
      path: `${base}/catalogue`,
      answer: (asked) => withMoods('catalogue', () => answerCatalogue(operator, asked)),
    },
    {
      method: 'POST',
      path: `${base}/calendars`,
      answer: (asked) =>
        withMoods('calendars', () => withContent(asked, (content) => answerCalendars(operator, content))),
    },
    {
      method: 'POST',
      path: `${base}/quotes`,
      answer: (asked) =>
        withMoods('quotes', () =>
          withContent(asked, (content) => answerQuotes(operator, content, clock.now())),
        ),
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
