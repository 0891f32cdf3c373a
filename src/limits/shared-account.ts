import type { AccountCaller } from './account-caller.ts';
import type { FailureKind } from './booking-system-failure.ts';
import type { CallUrgency, RateWindow } from './window-count.ts';

/** An account at a vendor as all nodes see it that use it. */
export type SharedAccount = {
  readonly budget: SharedBudget;
  /** One for each secret of the account, by a name that does not tell it. */
  tokenLock(name: string): TokenLock;
};

export type OpenSharedAccount = (terms: {
  readonly id: string;
  readonly windows: readonly RateWindow[];
  readonly maxInFlight: number;
}) => SharedAccount;

/** What all nodes together have spent of an account's windows and have under way. */
export type SharedBudget = {
  /** Asks once, and does not wait. Rejects when that cannot be known. */
  take(call: SharedCall): Promise<SharedPermit | SharedWait>;
  /** The vendor wants nothing for so long, from no node. Never throws. */
  pause(milliseconds: number): void;
};

export type SharedCall = {
  readonly urgency: CallUrgency;
  /** Does not stand back for live calls that wait on other nodes. */
  readonly goesFirst: boolean;
  /** Of a live call, where it has a share to keep to. */
  readonly caller?: AccountCaller | undefined;
};

export type SharedPermit = {
  readonly kind: 'granted';
  /**
   * The call is still under way: without this, every few seconds, it counts as spent and its place as free. Says whether a live call of
   * some node waits for the place. Rejects when that cannot be known.
   */
  renew(): Promise<boolean>;
  /** Never throws. Where it does not arrive, the call counts as one request. */
  done(cost: number): void;
};

/** None may go before, or none of this caller; null when that depends on an answer. */
export type SharedWait = { readonly kind: 'wait' | 'rest'; readonly forMs: number | null };

/** Whoever holds it is the only one to ask the vendor for a token. A node that dies loses it after a while. */
export type TokenLock = {
  /** Asks once, and does not wait. Rejects when that cannot be known. */
  take(): Promise<TokenLockAnswer>;
};

export type TokenLockAnswer =
  | {
      readonly kind: 'taken';
      /** After a failure nobody takes it for a while. Never throws. */
      release(failed?: { readonly restMs: number; readonly failure: FailureKind }): void;
    }
  | { readonly kind: 'held' }
  | { readonly kind: 'resting'; readonly forMs: number; readonly failure: FailureKind };
