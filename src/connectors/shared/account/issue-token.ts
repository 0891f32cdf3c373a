import type { BrandId } from '../../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import type { HttpClient, HttpRequest } from '../../../outbound/http-client.ts';
import { failureOf } from '../../../outbound/read-answer.ts';
import type { Intake } from '../intake/intake.ts';
import type { IssuedToken, IssueToken, TokenRequest } from './access-token.ts';
import { CredentialsRefused } from './vendor-failure.ts';

type TokenIssuer = {
  readonly client: HttpClient;
  readonly intake: Intake;
  readonly brand: BrandId;
  /** The failure message when the vendor refuses the credentials: names their account, never a secret. */
  readonly refusal: string;
};

const TOKEN_BYTES = 32 * 1024;
/** Longer than a connection attempt: without a connection, certainly no token was issued. */
const TOKEN_TIMEOUT_MS = 15_000;

/** Sends the same request for every token. */
export function issueByRequest({
  request,
  task,
  ...issuer
}: TokenIssuer & {
  readonly request: HttpRequest;
  readonly task: 'issued_token' | 'beds24_token';
}): IssueToken {
  return (tokenRequest) => requestToken(request, task, issuer, tokenRequest);
}

export async function requestToken(
  request: HttpRequest,
  task: 'issued_token' | 'beds24_token',
  { client, intake, brand, refusal }: TokenIssuer,
  { signal, onAnswer }: TokenRequest,
): Promise<IssuedToken> {
  try {
    const answer = await client.send(
      { ...request, onAnswer },
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
    throw isRefusal ? new CredentialsRefused(refusal, { cause: failure }) : failure;
  }
}

/** Requests a token with the client credentials grant of OAuth 2.0. */
export function issueByClientCredentials({
  path,
  form,
  ...issuer
}: TokenIssuer & {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}): IssueToken {
  return issueByRequest({
    ...issuer,
    request: {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
    },
    task: 'issued_token',
  });
}
