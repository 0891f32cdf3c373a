import type { Clock } from '../clock.ts';
import type { BudgetUse } from './booking-system-failure.ts';
import type { Line } from './fair-queue.ts';
import type { AccountCaller, CallUrgency, RateWindow, WindowSnapshot } from './window-count.ts';

/** The requests that a vendor allows an account. All calls of the account share them. */
export type RequestBudget = {
  /**
   * Resolves when a request may be sent. Live calls go first, and background calls leave a part of each window to them. Callers of live
   * calls take turns, and none can spend the others' share of a window. Rejects as `rate_limited` when that cannot happen within
   * `withinMs`, and with the signal's reason when it aborts.
   */
  take(options: TurnOptions): Promise<Permit>;
  /** The vendor accepts no requests for this long. */
  pause(milliseconds: number): void;
  /**
   * For how long the vendor's limits and the caller's share allow no live call; 0 when one may start, or when that only depends on an
   * answer.
   */
  restsForMs(askedBy?: Line): number;
  /** The use of the most spent window; null without windows. */
  use(): BudgetUse | null;
  /** Applies the vendor's report: requests left in its window, and when the window ends. */
  learn(left: number, endsInMs: number): void;
};

/** Spending and announced pauses as plain data. Times are relative, because clocks differ after a restart. */
export type BudgetSnapshot = {
  /** The rest of a pause. */
  readonly pauseMs: number;
  readonly windows: readonly WindowSnapshot[];
};

export type RestorableBudget = RequestBudget & {
  snapshot(): BudgetSnapshot;
  /** Restores the snapshot of another process and its age. Call it before the first request. */
  restore(snapshot: BudgetSnapshot, agedMs: number): void;
};

/** The budget of one node of several, for `shared-budget.ts`. */
export type NodeBudget = Omit<RestorableBudget, 'take'> & {
  take(options: TurnOptions): Promise<NodePermit>;
  /** The spending of all nodes allows no request of this urgency for this long. */
  postpone(urgency: CallUrgency, milliseconds: number): void;
  isPostponed(urgency: CallUrgency): boolean;
  /** The caller's spending on all nodes allows none of its live calls for this long. */
  rest(caller: AccountCaller, milliseconds: number): void;
};

export type RequestBudgetOptions = {
  readonly windows: readonly RateWindow[];
  /** For a vendor that limits concurrent calls. */
  readonly maxInFlight?: number;
  /** The name of the account in failures. */
  readonly account?: string;
  /** The longest wait for a turn, for commands at a terminal. */
  readonly maxWaitMs?: number;
  /** Called once per wait of a few seconds or more. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
  /** Called when the snapshot changes other than by the passing of time. */
  readonly onChange?: () => void;
  readonly clock: Clock;
};

export type TurnOptions = {
  readonly urgency: CallUrgency;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** The caller that waits for a live call; left out for calls without a caller, which need no share. */
  readonly askedBy?: Line | undefined;
  /** Whether the call can be aborted and repeated later when a live one needs its place. */
  readonly givesWay?: boolean;
  /** Aborts when a live call needs this one: from then on it counts as live, with the time limit of a live call. */
  readonly hurry?: { readonly signal: AbortSignal; readonly withinMs: number };
};

export type Permit = {
  /** Aborts when a live call needs the place; only for preemptible calls. */
  readonly giveWay?: AbortSignal;
  /**
   * The answer has arrived or will not arrive. The request counts from now on: the vendor counts it at some time between sending and
   * answer, so only the end of the call is safe. `cost` is the vendor's figure; one by default.
   */
  done(cost?: number): void;
};

export type NodePermit = Permit & {
  readonly caller: AccountCaller | undefined;
  /** Whether it waited so long that live calls let it go first. */
  readonly goesFirst: boolean;
  /** Instead of `done`: nothing was sent, and the caller keeps its turn. */
  giveBack(): void;
  /** A live call of another node needs the place. */
  makeWay(): void;
};
