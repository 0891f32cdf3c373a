import type { BrandId } from '../../inventory/catalogue.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import type { OperatorClient, OperatorRequest } from '../http/operator-client.ts';
import { failureOf } from '../http/read-answer.ts';
import type { Intake } from '../intake/intake.ts';
import type { IssuedToken, IssueToken } from './access-token.ts';
import { heedBudgetNews, type VendorManners } from './account-client.ts';
import type { RequestBudget } from './request-budget.ts';

export type TokenIssuer = {
  readonly client: OperatorClient;
  /** Not before the first token is asked for: an account has its budget and its token at the same time. */
  readonly budget: () => RequestBudget;
  readonly intake: Intake;
  readonly brand: BrandId;
  /** What to say when the vendor does not accept the credentials: whose they are, never what they are. */
  readonly refusal: string;
};

const TOKEN_BYTES = 32 * 1024;
const TOKEN_TIMEOUT_MS = 10_000;

/** Asks for a token. The request counts like any other of the account. */
export function issueByRequest({
  client,
  budget,
  intake,
  brand,
  refusal,
  request,
  task,
  readBudget,
}: TokenIssuer & {
  readonly request: OperatorRequest;
  readonly task: 'issued_token' | 'beds24_token';
  readonly readBudget?: VendorManners['readBudget'];
}): IssueToken {
  return async (_, signal) => {
    const permit = await budget().take({ urgency: 'live', withinMs: TOKEN_TIMEOUT_MS, signal });
    let cost: number | undefined;
    try {
      const answer = await client.send(
        {
          ...request,
          onAnswer: (status, header) => {
            const news = readBudget?.(header, status) ?? {};
            cost = news.cost;
            heedBudgetNews(budget(), news, status);
          },
        },
        { timeoutMs: TOKEN_TIMEOUT_MS, maxBytes: TOKEN_BYTES, signal },
      );
      if (answer.kind === 'unchanged') throw failureOf(304);
      let issued: IssuedToken | undefined;
      await intake.run({
        task,
        lane: 'live',
        brand,
        document: answer.bytes,
        parameters: null,
        signal,
        take: ([token]) => {
          issued = token;
        },
      });
      if (!issued)
        throw new BookingSystemFailure('garbled', 'the answer to the request for a token holds none');
      return issued;
    } catch (failure) {
      const isRefusal = failure instanceof BookingSystemFailure && failure.kind === 'rejected';
      throw isRefusal ? new BookingSystemFailure('rejected', refusal, { cause: failure }) : failure;
    } finally {
      permit.done(cost);
    }
  };
}
