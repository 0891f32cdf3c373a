import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { FailureKind } from './booking-system-failure.ts';
import type { AccountCaller, CallUrgency, RateWindow } from './window-count.ts';

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

const RENEWED_EVERY_MS = 5000;
/** One that gives way also asks whether it has to. */
const LOOKS_ROUND_EVERY_MS = 500;

/** Tells the other nodes that a call is still under way, until the returned function is called. */
export function renewWhileUnderWay(
  permit: SharedPermit,
  clock: Clock,
  /** Told that a live call of some node waits for the place; for a call that gives way. */
  onWanted?: () => void,
): () => void {
  let isOver = false;
  let cancel = renewLater();

  function renewLater(): () => void {
    return clock.after(onWanted ? LOOKS_ROUND_EVERY_MS : RENEWED_EVERY_MS, async () => {
      const isWanted = await permit.renew().catch(() => false);
      if (isOver) return;
      if (isWanted) onWanted?.();
      cancel = renewLater();
    });
  }

  return () => {
    isOver = true;
    cancel();
  };
}

const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 160;

/** Before something is asked for again that others have: longer after each try, and never at the same time as the others. */
export function jitteredPauseMs(tries: number, random: Random): number {
  const wholeMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), MAX_PAUSE_MS);
  const share = random.bytes(2).readUInt16LE() / 2 ** 16;
  return wholeMs * (0.5 + share / 2);
}
