import { createHash } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { BudgetUse } from '../../../limits/booking-system-failure.ts';
import type { Line } from '../../../limits/fair-queue.ts';
import type { RequestBudget, RequestBudgetOptions } from '../../../limits/request-budget.ts';
import type { OpenSharedAccount, SharedAccount } from '../../../limits/shared-account.ts';
import { createSharedBudget } from '../../../limits/shared-budget.ts';
import type { RateWindow } from '../../../limits/window-count.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { keyFromSecret } from '../../../parsing/sealed-text.ts';
import type { Random } from '../../../random.ts';
import { type AccessToken, createAccessToken, type IssueToken } from './access-token.ts';
import type { ReadBudget } from './account-budget.ts';
import { createLastingBudget, type LastingBudget } from './account-budget.ts';
import { constantToken } from './account-client.ts';

/** Shared by all brands that use one account of a vendor. */
export type Account = {
  readonly budget: RequestBudget;
  readonly token: AccessToken;
  /** For how many milliseconds this caller can make no call. */
  restsForMs(askedBy?: Line): number;
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

/** Lets a command show the user at the terminal that an account waits for its turn. */
export type AccountPatience = {
  readonly maxWaitMs: number;
  readonly onWait: (account: string, milliseconds: number) => void;
};

export function createAccounts({
  stored,
  share,
  patience,
  clock,
  random,
}: {
  readonly stored: (name: string) => StoredDocument;
  /** Left out where no other process uses the accounts. */
  readonly share?: OpenSharedAccount | undefined;
  readonly patience?: AccountPatience | undefined;
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
    const budget = openBudget(id, shared, {
      windows,
      maxInFlight,
      account,
      ...(patience && {
        maxWaitMs: patience.maxWaitMs,
        onWait: (milliseconds) => patience.onWait(account, milliseconds),
      }),
      clock,
    });
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

  /** A shared budget needs no saving: the store that shares it persists it. */
  function openBudget(
    id: string,
    shared: SharedAccount | undefined,
    options: Omit<RequestBudgetOptions, 'onChange'>,
  ): LastingBudget {
    if (!shared) return createLastingBudget({ ...options, stored: stored(`account/${id}/budget`) });
    const budget = createSharedBudget({ ...options, shared: shared.budget, random });
    return { ...budget, save: async () => {} };
  }

  return (terms) => {
    const id = `${terms.vendor}/${terms.name}/${placeOf(terms)}`;
    const account = accounts.get(id) ?? createAccount(id, terms);
    accounts.set(id, account);
    return account;
  };
}

/** Differs by server and client, so that no token reaches a server that did not issue it. */
function placeOf({ baseUrl, clientId = '' }: AccountTerms): string {
  const { origin } = new URL(baseUrl);
  return createHash('sha256').update(`${origin}\n${clientId}`).digest('hex').slice(0, 32);
}

function fingerprintOf(secret: string): string {
  return Buffer.from(keyFromSecret(secret, 'staywire name of a stored token')).toString('hex').slice(0, 32);
}
