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

/** What all brands share that are connected through one account of a vendor. */
export type Account = {
  readonly budget: RequestBudget;
  readonly token: AccessToken;
  /** How long no call of whoever asks can be made, in milliseconds. */
  restsForMs(askedBy?: Line): number;
  /** How much of it is used. */
  budgetUse(): BudgetUse | null;
  /** Stores what was spent and is not stored yet. Never rejects. */
  saveBudget(): Promise<void>;
};

export type AccountTerms = {
  /** The vendor: the `kind` of the connector. */
  readonly vendor: string;
  /** The account's name in the network file. */
  readonly name: string;
  /** Where its calls go: a token is shown to the server that has issued it, and to no other. */
  readonly baseUrl: string;
  /** Who the vendor takes the account for, where that is no secret. */
  readonly clientId?: string;
  readonly windows: readonly RateWindow[];
  /** Calls of the account at the same time; without a limit when left out. */
  readonly maxInFlight?: number;
  /** The account's own secret. Without `issue` it is what calls present. */
  readonly secret: string;
  readonly issue?: IssueToken;
  /** What the vendor's answers say about the budget, those to requests for a token included. */
  readonly readBudget: ReadBudget;
  readonly tokenLimit?: RateWindow;
  readonly tokenUsableAfterMs?: number;
};

/** The same account again for the same vendor, server and name: the terms of the first brand count. */
export type OpenAccount = (terms: AccountTerms) => Account;

/** For whoever sits at a terminal, and would see nothing while an account waits for its turn. */
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
            // One by secret, so that a mistyped one does not replace what was issued for the right one.
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

  /** One that is shared lasts in the store that shares it. */
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

/** Another for another server or client, so that neither is shown what the other has issued. */
function placeOf({ baseUrl, clientId = '' }: AccountTerms): string {
  const { origin } = new URL(baseUrl);
  return createHash('sha256').update(`${origin}\n${clientId}`).digest('hex').slice(0, 32);
}

function fingerprintOf(secret: string): string {
  return Buffer.from(keyFromSecret(secret, 'staywire name of a stored token')).toString('hex').slice(0, 32);
}
