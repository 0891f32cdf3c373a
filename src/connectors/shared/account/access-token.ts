import { type Clock, pauseFor } from '../../../clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../../../limits/deadline.ts';
import { wallTime } from '../../../limits/node-budget.ts';
import type { RequestBudget, TurnOptions } from '../../../limits/request-budget.ts';
import type { TokenLock, TokenLockAnswer } from '../../../limits/shared-account.ts';
import { jitteredPauseMs } from '../../../limits/shared-account.ts';
import type { CallUrgency, RateWindow } from '../../../limits/window-count.ts';
import type { ReadHeader } from '../../../outbound/read-answer.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { keyFromSecret, seal, unseal } from '../../../parsing/sealed-text.ts';
import type { Random } from '../../../random.ts';
import {
  applyRateLimitReport,
  MAX_BACKGROUND_WAIT_MS,
  MAX_PAUSE_MS,
  type RateLimitReport,
} from './account-budget.ts';
import { restAfterFailure, vendorFailureOf } from './vendor-failure.ts';

/** The token of an account. It survives restarts, and one renewal serves all calls that need a new one. */
export type AccessToken = {
  /** A token that stays valid for a while. Rejects with a `BookingSystemFailure`. */
  current(signal: AbortSignal, urgency: CallUrgency): Promise<string>;
  /** The vendor no longer accepts this token. Returns whether `current` will give another: not right after it was issued. */
  refused(token: string): boolean;
  /** For how many milliseconds no token is available: 0 when there is one, or when one may be requested. */
  restsForMs(): number;
};

export type IssuedToken = {
  readonly token: string;
  readonly lifetimeMs: number;
  /** For the next request, where the vendor issues a new one each time. */
  readonly refreshToken?: string;
};

/** Requests a token from the vendor, once. */
export type IssueToken = (request: TokenRequest) => Promise<IssuedToken>;

export type TokenRequest = {
  /** Came with the last token. */
  readonly refreshToken: string | undefined;
  readonly signal: AbortSignal;
  /** Call it with the vendor's answer, before its body is read. */
  readonly onAnswer: (status: number, header: ReadHeader) => void;
};

type StoredToken = IssuedToken & {
  /** Times are in epoch milliseconds, because they outlive the process. */
  readonly issuedAt: number;
  /** Times of the last requests, the newest included, except those that certainly led to no token. */
  readonly attempts: readonly number[];
  /** The vendor accepts no request for a token before this time. */
  readonly restUntil?: number;
};

/** A token refused earlier than this was not refused for its age: a new one would not help. */
const MIN_LIFE_MS = 30_000;
const PURPOSE = 'staywire access token';
const RENEWAL_TIMEOUT_MS = 20_000;
/** How long a request for a token waits for its turn while a traveller waits. */
const MAX_LIVE_WAIT_MS = 10_000;
/** Longer than the lock of a node that died while it requested a token. */
const MAX_LOCK_WAIT_MS = 30_000;
/** Clocks of nodes differ by less. Half of the margin, so that the difference never makes a node use an expired token. */
const MAX_CLOCK_SKEW_MS = 30_000;
/** A token that expires within this time is renewed before use. */
const MARGIN_MS = 60_000;

export function createAccessToken({
  issue,
  stored,
  secret,
  lock = null,
  budget,
  readBudget,
  account = 'the account',
  limit = null,
  usableAfterMs = 0,
  clock,
  random,
}: {
  readonly issue: IssueToken;
  readonly stored: StoredDocument;
  /** The account's secret. It seals the stored token: its holder could request a token anyway. */
  readonly secret: string;
  /** Null where no other process requests tokens of the account. */
  readonly lock?: TokenLock | null;
  /** Requests for tokens count like all others of the account. */
  readonly budget: RequestBudget;
  readonly readBudget: (header: ReadHeader, status: number) => RateLimitReport;
  /** The name of the account in failures. */
  readonly account?: string;
  /** How many tokens the vendor issues in a window; null when it states no limit. */
  readonly limit?: RateWindow | null;
  /** How long after its issue the vendor accepts a token. */
  readonly usableAfterMs?: number;
  readonly clock: Clock;
  readonly random: Random;
}): AccessToken {
  const key = keyFromSecret(secret, PURPOSE);
  let cached: StoredToken | undefined;
  let wasRead = false;
  let refusedToken: string | undefined;
  let renewal: Renewal | undefined;
  let failures = 0;
  let lastFailure: { readonly failure: BookingSystemFailure; readonly until: number } | undefined;

  async function readStored(): Promise<void> {
    if (wasRead) return;
    const found = await storedToken();
    if (wasRead) return;
    wasRead = true;
    cached = found ?? cached;
  }

  async function storedToken(): Promise<StoredToken | undefined> {
    const bytes = await stored.read();
    const text = bytes && unseal(new TextDecoder().decode(bytes), key, PURPOSE);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The token that another node stored, unless this node has a later one that it could not store. */
  async function tokenOfOthers(): Promise<StoredToken | undefined> {
    const found = await storedToken();
    if (found && found.issuedAt >= (cached?.issuedAt ?? 0)) cached = found;
    return isUsable(cached) ? cached : undefined;
  }

  async function store(token: StoredToken): Promise<void> {
    await stored.save(new TextEncoder().encode(seal(JSON.stringify(token), key, PURPOSE, random)));
    cached = token;
  }

  function isUsable(token: StoredToken | undefined): token is StoredToken {
    if (!token || token.token === refusedToken) return false;
    const now = clock.now();
    // After a clock was set back, a token would look younger than it is.
    return token.issuedAt <= now + MAX_CLOCK_SKEW_MS && now < token.issuedAt + token.lifetimeMs - MARGIN_MS;
  }

  function recentAttempts(): readonly number[] {
    if (!cached || !limit) return [];
    const from = clock.now() - limit.perMs;
    return cached.attempts.filter((at) => at > from);
  }

  /** Why no token may be requested now, and for how long. */
  function obstacle(): TokenObstacle | undefined {
    const leftMs = (lastFailure?.until ?? 0) - clock.elapsed();
    if (lastFailure && leftMs > 0) return { failure: lastFailure.failure, forMs: leftMs };
    const now = clock.now();
    const restUntil = cached?.restUntil ?? now;
    // A longer rest means that the clock was set back since.
    if (restUntil > now && restUntil <= now + MAX_PAUSE_MS) return noTokenBefore(restUntil);
    const attempts = recentAttempts();
    const [oldest] = limit ? attempts.slice(-limit.requests) : [];
    const isUsedUp = limit && oldest !== undefined && attempts.length >= limit.requests;
    return isUsedUp ? noTokenBefore(oldest + limit.perMs) : undefined;
  }

  function noTokenBefore(at: number): TokenObstacle {
    const message = `${account} is issued no more tokens before ${wallTime(at)}`;
    return { failure: new BookingSystemFailure('rate_limited', message), forMs: at - clock.now() };
  }

  async function renew(turn: Omit<TurnOptions, 'withinMs'>, onTurn: () => void): Promise<StoredToken> {
    const ofOthers = lock && (await tokenOfOthers());
    if (ofOthers) return ofOthers;
    throwObstacle();
    const withinMs = turn.urgency === 'live' ? MAX_LIVE_WAIT_MS : MAX_BACKGROUND_WAIT_MS;
    const permit = await budget.take({ ...turn, withinMs });
    onTurn();
    let cost: number | undefined = 0;
    let held: HeldLock | undefined;
    try {
      if (lock) {
        held = await untilLocked(lock);
        const justIssued = await tokenOfOthers();
        if (justIssued) return justIssued;
        throwObstacle();
      }
      // Store first: if storing fails, request no token, because issuing one may end the one before.
      // The attempt counts from now on, since its outcome may never be known.
      const at = clock.now();
      await store({
        ...(cached ?? { token: '', lifetimeMs: 0, issuedAt: at }),
        attempts: [...recentAttempts(), at],
      });
      cost = undefined;
      return await draw(at, (report) => {
        cost = report.cost;
      });
    } finally {
      permit.done(cost);
      held?.release(restOfFailure());
    }
  }

  function throwObstacle(): void {
    const found = obstacle();
    if (found) throw found.failure;
  }

  /** Called while the node holds a permit, so that few nodes wait for the lock. */
  async function untilLocked(shared: TokenLock): Promise<HeldLock> {
    const until = clock.elapsed() + MAX_LOCK_WAIT_MS;
    for (let tries = 0; clock.elapsed() < until; tries += 1) {
      const answer = await shared.take().catch((): TokenLockAnswer => ({ kind: 'held' }));
      if (answer.kind === 'taken') return answer;
      if (answer.kind === 'resting') {
        const message = `${account} was issued no token a moment ago`;
        const failure = new BookingSystemFailure(answer.failure, message);
        lastFailure = { failure, until: clock.elapsed() + answer.forMs };
        throw failure;
      }
      await pauseFor(jitteredPauseMs(tries, random), clock, NEVER);
    }
    throw new BookingSystemFailure('overloaded', `another node keeps asking for a token of ${account}`);
  }

  /** Makes the other nodes rest too. */
  function restOfFailure(): { restMs: number; failure: FailureKind } | undefined {
    const restMs = (lastFailure?.until ?? 0) - clock.elapsed();
    return lastFailure && restMs > 0 ? { restMs, failure: lastFailure.failure.kind } : undefined;
  }

  async function draw(attemptAt: number, onReport: (report: RateLimitReport) => void): Promise<StoredToken> {
    const deadline = openDeadline({ clock, timeoutMs: RENEWAL_TIMEOUT_MS });
    let status = 0;
    let report: RateLimitReport = {};
    const request: TokenRequest = {
      refreshToken: cached?.refreshToken,
      signal: deadline.signal,
      onAnswer(code, header) {
        status = code;
        report = readBudget(header, code);
        onReport(report);
        applyRateLimitReport(budget, report, code);
      },
    };
    let issued: IssuedToken;
    try {
      issued = await untilAborted(issue(request), deadline.signal);
    } catch (error) {
      const failure = vendorFailureOf(error, deadline.signal);
      await restAfter(failure, status, report.pauseMs, attemptAt);
      throw failure;
    } finally {
      deadline.close();
    }
    failures = 0;
    lastFailure = undefined;
    const refreshToken = issued.refreshToken ?? cached?.refreshToken;
    const token: StoredToken = {
      token: issued.token,
      lifetimeMs: issued.lifetimeMs,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      issuedAt: clock.now(),
      attempts: cached?.attempts ?? [attemptAt],
    };
    // This process uses it even if storing fails: the vendor may accept no other from now on.
    cached = token;
    // Store before use: where the vendor counts tokens, one lost in a crash cannot be replaced.
    await store(token);
    return token;
  }

  /** Rest after every failure: otherwise each call of a burst of searches would request a token. */
  async function restAfter(
    failure: BookingSystemFailure,
    status: number,
    pauseMs: number | undefined,
    attemptAt: number,
  ): Promise<void> {
    failures += 1;
    const { restMs, noneWasIssued } = restAfterFailure({ failure, failures, status, limit, random });
    const announcedMs = Math.min(pauseMs ?? 0, MAX_PAUSE_MS);
    lastFailure = { failure, until: clock.elapsed() + Math.max(restMs, announcedMs) };
    if (!cached || (!noneWasIssued && announcedMs === 0)) return;
    const { attempts } = cached;
    const restUntil = announcedMs > 0 ? { restUntil: clock.now() + announcedMs } : {};
    // If this is not stored, a restart counts the attempt, which is the safe side.
    await store({
      ...cached,
      attempts: noneWasIssued ? attempts.filter((at) => at !== attemptAt) : attempts,
      ...restUntil,
    }).catch(() => undefined);
  }

  function startRenewal(urgency: CallUrgency): Renewal {
    const hurry = new AbortController();
    const unwanted = new AbortController();
    const turn = {
      urgency,
      signal: unwanted.signal,
      hurry: { signal: hurry.signal, withinMs: MAX_LIVE_WAIT_MS },
    };
    let hasTurn = false;
    async function renewed(): Promise<StoredToken> {
      const token = await renew(turn, () => {
        hasTurn = true;
      });
      if (usableAfterMs > 0) await new Promise<void>((resolve) => clock.after(usableAfterMs, resolve));
      return token;
    }
    const started: Renewal = {
      token: renewed().finally(() => {
        if (renewal === started) renewal = undefined;
      }),
      callers: 0,
      hurry: () => hurry.abort(),
      stopWaiting() {
        if (hasTurn) return;
        renewal = undefined;
        unwanted.abort();
      },
    };
    return started;
  }

  return {
    async current(signal, urgency) {
      await untilAborted(readStored(), signal);
      if (!renewal && isUsable(cached)) return cached.token;
      // Callers share the renewal: one that leaves does not cancel it for the others.
      renewal ??= startRenewal(urgency);
      const joined = renewal;
      if (urgency === 'live') joined.hurry();
      joined.callers += 1;
      try {
        return (await untilAborted(joined.token, signal)).token;
      } finally {
        joined.callers -= 1;
        // The last caller left: stop waiting for the turn. A request already sent continues.
        if (joined.callers === 0 && renewal === joined) joined.stopWaiting();
      }
    },
    refused(token) {
      if (cached?.token !== token) return true;
      if (clock.now() - cached.issuedAt < MIN_LIFE_MS) return false;
      refusedToken = token;
      return true;
    },
    restsForMs: () => (isUsable(cached) ? 0 : (obstacle()?.forMs ?? 0)),
  };
}

const NEVER = new AbortController().signal;

type HeldLock = Extract<TokenLockAnswer, { readonly kind: 'taken' }>;

type TokenObstacle = { readonly failure: BookingSystemFailure; readonly forMs: number };

/** One renewal and its waiting callers. */
type Renewal = {
  readonly token: Promise<StoredToken>;
  callers: number;
  /** Call it when a traveller waits. */
  readonly hurry: () => void;
  /** Leaves the queue if it still waits there. */
  readonly stopWaiting: () => void;
};
