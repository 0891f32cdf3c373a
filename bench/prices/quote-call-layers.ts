import { Pool } from 'undici';
import { systemClock } from '../../src/clock.ts';
import { createJsonClient } from '../../src/outbound/http-client.ts';
import { createOperator, type Operator, type QuoteObserver } from '../../src/quotes/ask-operator.ts';
import { formatDay } from '../../src/stay/day.ts';
import { openLoopbackClient } from '../../test/support/loopback-client.ts';
import {
  type ConnectedOperators,
  connectOperators,
  HOMES_PER_CALL,
  LIMITS,
  quoteRequest,
} from './connected-operators.ts';

/** Ways to ask the same operators the same question. Each does what the one before does, and more. */
export const LAYERS = ['bare', 'client', 'system', 'service'] as const;
export type Layer = (typeof LAYERS)[number];

export type QuoteCallLayers = {
  /** One quote call, of operators in turn. Rejects unless every home was priced. */
  readonly call: Readonly<Record<Layer, (ordinal: number) => Promise<void>>>;
  close(): Promise<void>;
};

const ignored: QuoteObserver = {
  call: () => undefined,
  breaker: () => undefined,
  breakdownsNotShown: () => undefined,
  policiesNotShown: () => undefined,
  fault: () => undefined,
};

export function openLayers(origins: readonly string[]): QuoteCallLayers {
  const pools = origins.map((origin) => new Pool(origin, { connections: LIMITS.concurrency }));
  const clients = origins.map((baseUrl) =>
    createJsonClient({
      openClient: openLoopbackClient,
      baseUrl,
      connections: LIMITS.concurrency,
      token: null,
    }),
  );
  const connected = connectOperators(origins);
  const systems = [...connected.systems.values()];
  const asking = askOperators(connected);

  return {
    call: {
      async bare(ordinal) {
        const { statusCode, body } = await turn(pools, ordinal).request({
          method: 'POST',
          path: '/quotes',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(ordinal)),
        });
        const { quotes } = JSON.parse(await body.text());
        if (statusCode !== 200 || quotes.length !== HOMES_PER_CALL)
          throw new Error('not every home was priced');
      },
      async client(ordinal) {
        const { bytes } = await turn(clients, ordinal).post('/quotes', bodyOf(ordinal), {
          timeoutMs: LIMITS.timeoutMs,
          maxBytes: 256 * 1024,
          signal: aSearch(),
        });
        if (bytes.byteLength < 500) throw new Error('not every home was priced');
      },
      async system(ordinal) {
        const outcomes = await turn(systems, ordinal).quote(quoteRequest(ordinal), aSearch());
        mustBePriced(outcomes.values());
      },
      async service(ordinal) {
        const { verdicts } = await turn(asking, ordinal).ask(quoteRequest(ordinal), aSearch(), [
          'assistant',
          'session',
        ]);
        mustBePriced(verdicts.values());
      },
    },
    async close() {
      await Promise.all([...pools, ...clients, connected].map((one) => one.close()));
    },
  };
}

const NEVER = new AbortController().signal;

/** As `createCollectQuotes` builds them. */
function askOperators({ systems }: ConnectedOperators): readonly Operator[] {
  return Array.from(systems.values(), (system) =>
    createOperator({
      system,
      clock: systemClock,
      pauseSignal: () => NEVER,
      timeoutMs: LIMITS.timeoutMs,
      maxWaitMs: LIMITS.timeoutMs,
      callsWaiting: 256,
      shared: null,
      observe: ignored,
    }),
  );
}

function bodyOf(ordinal: number): object {
  const { references, checkIn, checkOut, guests, currency } = quoteRequest(ordinal);
  return {
    properties: references,
    check_in: formatDay(checkIn),
    check_out: formatDay(checkOut),
    guests,
    currency,
  };
}

/** Every search has a signal of its own. */
function aSearch(): AbortSignal {
  return new AbortController().signal;
}

function turn<One>(all: readonly One[], ordinal: number): One {
  const one = all[ordinal % all.length];
  if (!one) throw new Error('there is no booking system');
  return one;
}

/** Without a list of them: what it costs counts as the service's. */
function mustBePriced(answers: Iterable<{ readonly kind: string }>): void {
  let priced = 0;
  for (const { kind } of answers) if (kind === 'quoted') priced += 1;
  if (priced !== HOMES_PER_CALL) throw new Error(`${priced} of ${HOMES_PER_CALL} homes were priced`);
}
