import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { FailureKind } from './booking-system-failure.ts';
import type { AccountCaller, CallUrgency, RateWindow } from './window-count.ts';

/** An account at a vendor, shared by all nodes that use it. */
export type SharedAccount = {
  readonly budget: SharedBudget;
  /** One lock per secret of the account, by a name that does not reveal it. */
  tokenLock(name: string): TokenLock;
};

export type OpenSharedAccount = (terms: {
  readonly id: string;
  readonly windows: readonly RateWindow[];
  readonly maxInFlight: number;
}) => SharedAccount;

/** The spending and the calls in flight of all nodes of an account. */
export type SharedBudget = {
  /** Tries once, without waiting. Rejects when the store cannot answer. */
  take(call: SharedCall): Promise<SharedPermit | SharedWait>;
  /** The vendor accepts no requests of any node for this long. Never throws. */
  pause(milliseconds: number): void;
};

export type SharedCall = {
  readonly urgency: CallUrgency;
  /** Goes before live calls that wait on other nodes. */
  readonly goesFirst: boolean;
  /** The caller of a live call, if a share applies. */
  readonly caller?: AccountCaller | undefined;
};

export type SharedPermit = {
  readonly kind: 'granted';
  /**
   * Reports that the call is still in flight: without this, every few seconds, it counts as spent and its place as free. Returns whether
   * a live call of some node waits for the place. Rejects when the store cannot answer.
   */
  renew(): Promise<boolean>;
  /** Never throws. If it does not reach the store, the call counts as one request. */
  done(cost: number): void;
};

/** When the next call, or the next of this caller, may start; null when that depends on an answer. */
export type SharedWait = { readonly kind: 'wait' | 'rest'; readonly forMs: number | null };

/** Only its holder requests a token from the vendor. A node that dies loses it after a while. */
export type TokenLock = {
  /** Tries once, without waiting. Rejects when the store cannot answer. */
  take(): Promise<TokenLockAnswer>;
};

export type TokenLockAnswer =
  | {
      readonly kind: 'taken';
      /** After a failure no node can take it for a while. Never throws. */
      release(failed?: { readonly restMs: number; readonly failure: FailureKind }): void;
    }
  | { readonly kind: 'held' }
  | { readonly kind: 'resting'; readonly forMs: number; readonly failure: FailureKind };

const RENEWED_EVERY_MS = 5000;
/** A preemptible call also checks whether it must give way. */
const LOOKS_ROUND_EVERY_MS = 500;

/** Reports to the other nodes that a call is in flight, until the returned function is called. */
export function renewWhileUnderWay(
  permit: SharedPermit,
  clock: Clock,
  /** Called when a live call of some node waits for the place; for preemptible calls. */
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

/** The pause before retrying for something that another node holds: grows with each try, and is random so that nodes do not retry together. */
export function jitteredPauseMs(tries: number, random: Random): number {
  const wholeMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), MAX_PAUSE_MS);
  const share = random.bytes(2).readUInt16LE() / 2 ** 16;
  return wholeMs * (0.5 + share / 2);
}
