import { createHash } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { BudgetUse } from '../../../limits/booking-system-failure.ts';
import type { CallerPath } from '../../../limits/fair-semaphore.ts';
import { createRequestBudget, type RequestBudget } from '../../../limits/request-budget.ts';
import type { OpenSharedAccount } from '../../../limits/shared-limits.ts';
import type { RateWindow } from '../../../limits/window-count.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { keyFromSecret } from '../../../parsing/sealed-text.ts';
import type { Random } from '../../../random.ts';
import { type AccessToken, createAccessToken, type IssueToken } from './access-token.ts';
import { createLastingBudget, type ReadBudget } from './account-budget.ts';

/** Shared by all brands that use one account of a vendor. */
export type Account = {
  readonly budget: RequestBudget;
  readonly token: AccessToken;
  /** For how many milliseconds this caller can make no call. */
  restsForMs(askedBy?: CallerPath): number;
  /** How much of the budget is used. */
  budgetUse(): BudgetUse | null;
  /** Stores unsaved spending. Never rejects. */
  saveBudget(): Promise<void>;
};

export type AccountTerms = {
  /** The vendor: the `kind` of the connector. */
  readonly vendor: string;
  /** The account's name in the network file. */
  readonly name: string;
  /** The server of its calls: a token is sent only to the server that issued it. */
  readonly baseUrl: string;
  /** Identifies the account to the vendor, where that is no secret. */
  readonly clientId?: string;
  readonly windows: readonly RateWindow[];
  /** Concurrent calls of the account; unlimited when left out. */
  readonly maxInFlight?: number;
  /** The account's secret. Without `issue`, calls present the secret itself. */
  readonly secret: string;
  readonly issue?: IssueToken;
  /** Reads the budget from the vendor's answers, those to token requests included. */
  readonly readBudget: ReadBudget;
  readonly tokenLimit?: RateWindow;
  readonly tokenUsableAfterMs?: number;
};

/** Returns one account for equal vendor, server and name; the terms of the first brand apply. */
export type OpenAccount = (terms: AccountTerms) => Account;

export function createAccounts({
  stored,
  share,
  maxWaitMs,
  clock,
  random,
}: {
  readonly stored: (name: string) => StoredDocument;
  /** Left out where no other process uses the accounts. */
  readonly share?: OpenSharedAccount | undefined;
  /** The longest wait of a call for its turn. */
  readonly maxWaitMs?: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
}): OpenAccount {
  const accounts = new Map<string, Account>();

  function createAccount(id: string, terms: AccountTerms): Account {
    const {
      vendor,
      name,
      windows,
      maxInFlight = Number.POSITIVE_INFINITY,
      secret,
      issue,
      readBudget,
    } = terms;
    const account = `the account ${name} at ${vendor}`;
    const shared = share?.({ id, windows, maxInFlight });
    const fingerprint = fingerprintOf(secret);
    const options = { windows, maxInFlight, account, maxWaitMs, clock };
    // A shared budget needs no saving: the store that shares it persists it.
    const budget = shared
      ? {
          ...createRequestBudget({ ...options, shared: { budget: shared.budget, random } }),
          save: async () => {},
        }
      : createLastingBudget({ ...options, stored: stored(`account/${id}/budget`) });
    const token =
      issue === undefined
        ? constantToken(secret)
        : createAccessToken({
            issue,
            // Stored by secret, so that a mistyped one does not replace the token of the right one.
            stored: stored(`account/${id}/${fingerprint}/token`),
            secret,
            lock: shared?.tokenLock(fingerprint) ?? null,
            budget,
            readBudget,
            account,
            limit: terms.tokenLimit ?? null,
            usableAfterMs: terms.tokenUsableAfterMs ?? 0,
            clock,
            random,
          });
    return {
      budget,
      token,
      restsForMs: (askedBy) => Math.max(budget.restsForMs(askedBy), token.restsForMs()),
      budgetUse: () => budget.use(),
      saveBudget: () => budget.save(),
    };
  }

  return (terms) => {
    const id = `${terms.vendor}/${terms.name}/${placeOf(terms)}`;
    const account = accounts.get(id) ?? createAccount(id, terms);
    accounts.set(id, account);
    return account;
  };
}

/** A key that never expires, as a token. */
export function constantToken(key: string): AccessToken {
  return { current: async () => key, refused: () => false, restsForMs: () => 0 };
}

/** Differs by server and client, so that no token reaches a server that did not issue it. */
function placeOf({ baseUrl, clientId = '' }: AccountTerms): string {
  const { origin } = new URL(baseUrl);
  return createHash('sha256').update(`${origin}\n${clientId}`).digest('hex').slice(0, 32);
}

function fingerprintOf(secret: string): string {
  return Buffer.from(keyFromSecret(secret, 'staywire name of a stored token')).toString('hex').slice(0, 32);
}
