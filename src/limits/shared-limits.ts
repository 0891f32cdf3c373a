import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { FailureKind } from './booking-system-failure.ts';
import type { BreakerListener, GuardedOperator } from './circuit-breaker.ts';
import type { CallUrgency, RateWindow } from './window-count.ts';

/** Limits that nodes count together, so that an operator or a vendor is not called more often when there are more nodes. */
export type OperatorLimits = {
  readonly operator: OpenSharedOperator;
  readonly account: OpenSharedAccount;
};

/** Opens an operator that all nodes ask: counts the calls in flight, and how earlier ones have ended. */
export type OpenSharedOperator = (terms: {
  readonly brand: string;
  /** The limit for the calls of all nodes together. */
  readonly concurrency: number;
  /** A place is free after this time even if its node has died. */
  readonly maxPlaceMs: number;
  /** Called with the breaker's state after each call to the store. */
  readonly onBreaker: BreakerListener;
}) => GuardedOperator;

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
  /** The assistant of a live call, if a share applies. */
  readonly assistant?: string | undefined;
};

export type SharedPermit = {
  readonly kind: 'granted';
  /** Without this, every few seconds, the call counts as spent and its place as free. Rejects when the store cannot answer. */
  renew(): Promise<void>;
  /** Never throws. If it does not reach the store, the call counts as one request. */
  done(cost: number): void;
};

/** When the next call, or the next of this assistant, may start; null when that depends on an answer. */
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

/** Reports to the other nodes that a call is in flight, until the returned function is called. */
export function renewWhileUnderWay(permit: SharedPermit, clock: Clock): () => void {
  let cancel = renewLater();
  let isOver = false;

  function renewLater(): () => void {
    return clock.after(RENEWED_EVERY_MS, async () => {
      await permit.renew().catch(() => undefined);
      if (!isOver) cancel = renewLater();
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
