import type { Clock } from '../../../clock.ts';
import type { RequestBudget } from '../../../limits/request-budget.ts';
import type { CallUrgency } from '../../../limits/window-count.ts';
import type { CallOptions, HttpClient, HttpRequest, OpenClient } from '../../../outbound/http-client.ts';
import { failureOf, type HttpAnswer, type ReadHeader } from '../../../outbound/read-answer.ts';
import type { AccessToken } from './access-token.ts';
import { applyRateLimitReport, MAX_BACKGROUND_WAIT_MS, pauseOf, type ReadBudget } from './account-budget.ts';

/** Sends calls of an account: within its budget, with its token, obeying the vendor's rate-limit headers. */
export type AccountClient = {
  send(request: HttpRequest, options: AccountCallOptions): Promise<HttpAnswer>;
  close(): Promise<void>;
};

type AccountCallOptions = CallOptions & { readonly urgency: CallUrgency };

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
  readonly client: HttpClient;
  readonly budget: RequestBudget;
  readonly token: AccessToken;
  /** Called when the client closes; other clients of the account may continue. */
  readonly saveBudget?: () => Promise<void>;
  readonly conventions: VendorConventions;
}): AccountClient {
  return {
    async send(request, options) {
      const { urgency, signal, timeoutMs, askedBy } = options;
      const withinMs = urgency === 'live' ? timeoutMs : MAX_BACKGROUND_WAIT_MS;
      for (let tries = 1; ; tries += 1) {
        const presented = await token.current(signal, urgency);
        const permit = await budget.take({ urgency, withinMs, signal, askedBy });
        let status = 0;
        let cost: number | undefined;
        try {
          const headers = { ...request.headers, ...conventions.authorization(presented) };
          const onAnswer = (code: number, header: ReadHeader) => {
            status = code;
            const report = conventions.readBudget(header, code);
            cost = report.cost;
            applyRateLimitReport(budget, report, code);
          };
          const answer = await client.send({ ...request, headers, onAnswer }, options);
          // A 304 answers only requests with an etag, and calls of an account have none.
          if (answer.kind === 'unchanged') throw failureOf(304);
          return answer;
        } catch (failure) {
          const needsNewToken = conventions.tokenRefusals.includes(status) && token.refused(presented);
          const isWorthTrying = needsNewToken ? tries === 1 : status === 429 && urgency === 'background';
          if (!isWorthTrying || tries >= MAX_TRIES) throw failure;
        } finally {
          permit.done(cost);
        }
      }
    },
    async close() {
      await client.close();
      await saveBudget?.();
    },
  };
}

/** Keeps calls to a server without account tokens within a budget; live calls go first. */
export function withinBudget(
  open: OpenClient,
  { budget, saveBudget }: { readonly budget: RequestBudget; saveBudget(): Promise<void> },
  isLive: (request: HttpRequest) => boolean,
  clock: Pick<Clock, 'now'>,
): OpenClient {
  return (settings) => {
    const client = open(settings);
    return {
      async send(request, options) {
        const live = isLive(request);
        const withinMs = live ? options.timeoutMs : MAX_BACKGROUND_WAIT_MS;
        const permit = await budget.take({ ...options, urgency: live ? 'live' : 'background', withinMs });
        const onAnswer: HttpRequest['onAnswer'] = (status, header) => {
          request.onAnswer?.(status, header);
          applyRateLimitReport(budget, pauseOf(header, clock.now()), status);
        };
        return client.send({ ...request, onAnswer }, options).finally(() => permit.done());
      },
      close: () => client.close().then(saveBudget),
    };
  };
}
