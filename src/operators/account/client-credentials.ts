import type { BrandId } from '../../inventory/catalogue.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import type { OperatorClient } from '../http/operator-client.ts';
import { failureOf } from '../http/read-answer.ts';
import type { Intake } from '../intake/intake.ts';
import type { IssuedToken, IssueToken } from './access-token.ts';
import type { RequestBudget } from './request-budget.ts';

const TOKEN_BYTES = 32 * 1024;
const TOKEN_TIMEOUT_MS = 10_000;

/** Asks for a token with the client's own credentials, as OAuth 2.0 defines it. The request counts like any other of the account. */
export function issueByClientCredentials({
  client,
  budget,
  intake,
  brand,
  path,
  form,
  refusal,
}: {
  readonly client: OperatorClient;
  /** Not before the first token is asked for: an account has its budget and its token at the same time. */
  readonly budget: () => RequestBudget;
  readonly intake: Intake;
  readonly brand: BrandId;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  /** What to say when the vendor does not accept the credentials: whose they are, never what they are. */
  readonly refusal: string;
}): IssueToken {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString();
  return async (_, signal) => {
    const permit = await budget().take({ urgency: 'live', withinMs: TOKEN_TIMEOUT_MS, signal });
    try {
      const answer = await client.send(
        {
          method: 'POST',
          path,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        },
        { timeoutMs: TOKEN_TIMEOUT_MS, maxBytes: TOKEN_BYTES, signal },
      );
      if (answer.kind === 'unchanged') throw failureOf(304);
      let issued: IssuedToken | undefined;
      await intake.run({
        task: 'issued_token',
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
      permit.done();
    }
  };
}
