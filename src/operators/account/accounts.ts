import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import type { StoredDocument } from '../connector.ts';
import { type AccessToken, createAccessToken, type IssueToken } from './access-token.ts';
import { constantToken } from './account-client.ts';
import { createRequestBudget, type RateWindow, type RequestBudget } from './request-budget.ts';

/** What all brands share that are connected through one account of a vendor. */
export type Account = { readonly budget: RequestBudget; readonly token: AccessToken };

export type AccountTerms = {
  /** The vendor: the `kind` of the connector. */
  readonly vendor: string;
  /** The account's name in the network file. */
  readonly name: string;
  readonly windows: readonly RateWindow[];
  /** Calls of the account at the same time; without a limit when left out. */
  readonly maxInFlight?: number;
  /** The account's own secret. Without `issue` it is what calls present. */
  readonly secret: string;
  readonly issue?: IssueToken;
  readonly tokenLimit?: RateWindow;
  readonly tokenUsableAfterMs?: number;
};

/** The same account again for the same vendor and name: the terms of the first brand count. */
export type OpenAccount = (terms: AccountTerms) => Account;

export function createAccounts({
  stored,
  clock,
  random,
}: {
  readonly stored: (name: string) => StoredDocument;
  readonly clock: Clock;
  readonly random: Random;
}): OpenAccount {
  const accounts = new Map<string, Account>();
  return (terms) => {
    const { vendor, name, windows, maxInFlight, secret, issue, tokenLimit, tokenUsableAfterMs } = terms;
    const id = `${vendor}/${name}`;
    const known = accounts.get(id);
    if (known) return known;
    const token =
      issue === undefined
        ? constantToken(secret)
        : createAccessToken({
            issue,
            stored: stored(`account/${id}/token`),
            secret,
            limit: tokenLimit ?? null,
            usableAfterMs: tokenUsableAfterMs ?? 0,
            clock,
            random,
          });
    const budget = createRequestBudget({
      windows,
      ...(maxInFlight === undefined ? {} : { maxInFlight }),
      clock,
    });
    const account = { budget, token };
    accounts.set(id, account);
    return account;
  };
}
