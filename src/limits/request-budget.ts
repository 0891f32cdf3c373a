import type { Clock } from '../clock.ts';
import type { BudgetUse } from './booking-system-failure.ts';
import type { Line } from './fair-queue.ts';
import type { AccountCaller, CallUrgency, RateWindow, WindowSnapshot } from './window-count.ts';

/** What a vendor lets an account send. All calls of the account share it. */
export type RequestBudget = {
  /**
   * Resolves when a request may be sent. Live calls go first, and background calls leave a part of each window to them. Callers of
   * live calls take turns, and none of them can spend what is the others' share of a window.
   * Rejects as `rate_limited` when that cannot be before `withinMs` are over, and with the signal's reason when it aborts.
   */
  take(options: TurnOptions): Promise<Permit>;
  /** The vendor wants nothing for so long. */
  pause(milliseconds: number): void;
  /**
   * How long the vendor's limits, and the share of whoever asks, let no live call go; 0 when one may, or when that only depends
   * on an answer.
   */
  restsForMs(askedBy?: Line): number;
  /** Of the window of which most is spent; null where there is none. */
  use(): BudgetUse | null;
  /** The vendor says how much is left of its window, and when that window ends. */
  learn(left: number, endsInMs: number): void;
};

/** What was spent and announced, as plain data. The times are relative, because no clock is the same after a restart. */
export type BudgetSnapshot = {
  /** What is left of a pause. */
  readonly pauseMs: number;
  readonly windows: readonly WindowSnapshot[];
};

export type RestorableBudget = RequestBudget & {
  snapshot(): BudgetSnapshot;
  /** What another process left, and how long ago. Before the first call. */
  restore(snapshot: BudgetSnapshot, agedMs: number): void;
};

/** The budget as one node of several keeps it, for `shared-budget.ts`. */
export type NodeBudget = Omit<RestorableBudget, 'take'> & {
  take(options: TurnOptions): Promise<NodePermit>;
  /** What all nodes have spent lets none of this urgency go for so long. */
  postpone(urgency: CallUrgency, milliseconds: number): void;
  isPostponed(urgency: CallUrgency): boolean;
  /** What the caller has spent on all nodes lets none of its live calls go for so long. */
  rest(caller: AccountCaller, milliseconds: number): void;
};

export type RequestBudgetOptions = {
  readonly windows: readonly RateWindow[];
  /** For a vendor that wants its calls one after the other. */
  readonly maxInFlight?: number;
  /** What a failure calls it. */
  readonly account?: string;
  /** For whoever sits at a terminal: no call waits longer for its turn. */
  readonly maxWaitMs?: number;
  /** Called once for each wait of a few seconds or more. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
  /** Called when a snapshot would no longer be the same, except for the time that has passed. */
  readonly onChange?: () => void;
  readonly clock: Clock;
};

export type TurnOptions = {
  readonly urgency: CallUrgency;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Who waits for a live call; left out for one that is nobody's in particular, which has no share to keep to. */
  readonly askedBy?: Line | undefined;
  /** Whether the call can be broken off, and made again later, when a live one needs its place. */
  readonly givesWay?: boolean;
  /** Aborts when a live call has come to need this one too: from then on it is live, and waits no longer than one. */
  readonly hurry?: { readonly signal: AbortSignal; readonly withinMs: number };
};

export type Permit = {
  /** Aborts when a live call needs the place; only for a call that gives way. */
  readonly giveWay?: AbortSignal;
  /**
   * The answer has come, or will not come. Counted from now on: the vendor counts a request at some time between its sending
   * and its answer, so only the end of the call is safe. `cost` is what the vendor says that it cost; one when it says nothing.
   */
  done(cost?: number): void;
};

export type NodePermit = Permit & {
  readonly caller: AccountCaller | undefined;
  /** Whether it has waited for so long that live calls stand back for it. */
  readonly goesFirst: boolean;
  /** In place of `done`: nothing was sent, and whoever had the turn has it again. */
  giveBack(): void;
  /** A live call of another node needs the place. */
  makeWay(): void;
};
