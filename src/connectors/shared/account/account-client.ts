import type { Clock } from '../../../clock.ts';
import type { RequestBudget } from '../../../limits/request-budget.ts';
import type { CallUrgency } from '../../../limits/window-count.ts';
import type {
  CallOptions,
  OpenClient,
  OperatorClient,
  OperatorRequest,
} from '../../../outbound/operator-client.ts';
import {
  failureOf,
  type OperatorAnswer,
  type ReadHeader,
  retryAfterMs,
} from '../../../outbound/read-answer.ts';
import type { AccessToken } from './access-token.ts';
import {
  applyRateLimitReport,
  MAX_BACKGROUND_WAIT_MS,
  type RateLimitReport,
  type ReadBudget,
} from './account-budget.ts';

/** Sends calls of an account: within its budget, with its token, obeying the vendor's rate-limit headers. */
export type AccountClient = {
  send(request: OperatorRequest, options: AccountCallOptions): Promise<OperatorAnswer>;
  close(): Promise<void>;
};

export type AccountCallOptions = CallOptions & { readonly urgency: CallUrgency };

/** The parts that differ between vendors. */
export type VendorConventions = {
  /** Headers that authenticate a call. */
  readonly authorization: (token: string) => Readonly<Record<string, string>>;
  /** Statuses that mean that the token is no longer accepted. */
  readonly tokenRefusals: readonly number[];
  readonly readBudget: ReadBudget;
};

/** Attempts of a background call that the vendor answers with 429. */
const MAX_TRIES = 4;

export function createAccountClient({
  client,
  budget,
  token,
  saveBudget,
  conventions,
}: {
  readonly client: OperatorClient;
  readonly budget: RequestBudget;
  readonly token: AccessToken;
  /** Called when the client closes; other clients of the account may continue. */
  readonly saveBudget?: () => Promise<void>;
  readonly conventions: VendorConventions;
}): AccountClient {
  async function sendOnce(request: OperatorRequest, options: AccountCallOptions): Promise<Sent> {
    const { urgency, signal, timeoutMs, askedBy } = options;
    const isLive = urgency === 'live';
    const withinMs = isLive ? timeoutMs : MAX_BACKGROUND_WAIT_MS;
    const presented = await token.current(signal, urgency);
    const permit = await budget.take({ urgency, withinMs, signal, askedBy, givesWay: !isLive });
    const { giveWay } = permit;
    let status = 0;
    let cost: number | undefined;
    try {
      const answer = await client.send(
        {
          ...request,
          headers: { ...request.headers, ...conventions.authorization(presented) },
          onAnswer: (code, header) => {
            status = code;
            request.onAnswer?.(code, header);
            const report = conventions.readBudget(header, code);
            cost = report.cost;
            applyRateLimitReport(budget, report, code);
          },
        },
        giveWay ? { ...options, signal: AbortSignal.any([signal, giveWay]) } : options,
      );
      // A 304 answers only requests with an etag, and calls of an account have none.
      if (answer.kind === 'unchanged') throw failureOf(304);
      return { kind: 'answered', answer };
    } catch (failure) {
      if (giveWay?.aborted && !signal.aborted) return { kind: 'gave_way' };
      if (conventions.tokenRefusals.includes(status) && token.refused(presented))
        return { kind: 'token_refused', failure };
      if (status === 429) return { kind: 'too_many', failure };
      throw failure;
    } finally {
      permit.done(cost);
    }
  }

  return {
    async send(request, options) {
      for (let tries = 1; ; ) {
        const sent = await sendOnce(request, options);
        if (sent.kind === 'answered') return sent.answer;
        // Without a limit: the budget lets it finish in time.
        if (sent.kind === 'gave_way') continue;
        const isWorthTrying = sent.kind === 'token_refused' ? tries === 1 : options.urgency === 'background';
        if (!isWorthTrying || tries >= MAX_TRIES) throw sent.failure;
        tries += 1;
      }
    },
    async close() {
      await client.close();
      await saveBudget?.();
    },
  };
}

type Sent =
  | { readonly kind: 'answered'; readonly answer: OperatorAnswer }
  | { readonly kind: 'gave_way' }
  | { readonly kind: 'token_refused' | 'too_many'; readonly failure: unknown };

/** Keeps calls to a server without account tokens within a budget; live calls go first. */
export function withinBudget(
  open: OpenClient,
  { budget, saveBudget }: { readonly budget: RequestBudget; saveBudget(): Promise<void> },
  isLive: (request: OperatorRequest) => boolean,
  clock: Pick<Clock, 'now'>,
): OpenClient {
  return (settings) => {
    const client = open(settings);
    return {
      async send(request, options) {
        const live = isLive(request);
        const withinMs = live ? options.timeoutMs : MAX_BACKGROUND_WAIT_MS;
        const permit = await budget.take({ ...options, urgency: live ? 'live' : 'background', withinMs });
        const onAnswer: OperatorRequest['onAnswer'] = (status, header) => {
          request.onAnswer?.(status, header);
          applyRateLimitReport(budget, pauseOf(header, clock.now()), status);
        };
        return client.send({ ...request, onAnswer }, options).finally(() => permit.done());
      },
      close: () => client.close().then(saveBudget),
    };
  };
}

/** A key that never expires, as a token. */
export function constantToken(key: string): AccessToken {
  return { current: async () => key, refused: () => false, restsForMs: () => 0 };
}

/** The report of a vendor that announces only pauses, with `Retry-After`. */
export function pauseOf(header: ReadHeader, now: number): RateLimitReport {
  const pauseMs = retryAfterMs(header, now);
  return pauseMs === undefined ? {} : { pauseMs };
}
