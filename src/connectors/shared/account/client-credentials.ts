import type { IssueToken } from './access-token.ts';
import { issueByRequest, type TokenIssuer } from './issue-token.ts';

/** Asks for a token with the client's own credentials, as OAuth 2.0 defines it. */
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
