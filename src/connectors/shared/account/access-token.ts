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

/** The token of an account. It is kept across restarts, and renewed once however many calls need a new one. */
export type AccessToken = {
  /** One that is valid for a while. Rejects with a `BookingSystemFailure`. */
  current(signal: AbortSignal, urgency: CallUrgency): Promise<string>;
  /** The vendor no longer accepts this one. Says whether `current` gives another: not right after it was issued. */
  refused(token: string): boolean;
  /** How long none can be had, in milliseconds: 0 when there is one, or one may be asked for. */
  restsForMs(): number;
};

export type IssuedToken = {
  readonly token: string;
  readonly lifetimeMs: number;
  /** With which the next one is asked for, where the vendor changes it each time. */
  readonly refreshToken?: string;
};

/** Asks the vendor for a token, once. */
export type IssueToken = (request: TokenRequest) => Promise<IssuedToken>;

export type TokenRequest = {
  /** The one that came with the last token. */
  readonly refreshToken: string | undefined;
  readonly signal: AbortSignal;
  /** To be called for the vendor's answer, before its body is read. */
  readonly onAnswer: (status: number, header: ReadHeader) => void;
};

type KeptToken = IssuedToken & {
  /** In epoch milliseconds, because they outlive the process. */
  readonly issuedAt: number;
  /** When the last ones were asked for, the newest included; without those of which it is certain that none was issued. */
  readonly attempts: readonly number[];
  /** The vendor wants to be asked for no token before. */
  readonly restUntil?: number;
};

/** One that is refused earlier was refused for another reason than its age, and a new one would not help. */
const MIN_LIFE_MS = 30_000;
const PURPOSE = 'staywire access token';
const RENEWAL_TIMEOUT_MS = 20_000;
/** How long a token that a traveller waits for may wait for its turn. */
const MAX_LIVE_WAIT_MS = 10_000;
/** Longer than the lock lasts of a node that has died while it asked for a token. */
const MAX_LOCK_WAIT_MS = 30_000;
/** Nodes' clocks differ by less. Half of the margin, so that no token is used after its end for it. */
const MAX_CLOCK_SKEW_MS = 30_000;
/** A token that ends within this time is renewed before it is used. */
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
  /** The account's own secret: whoever has it can get a token anyway, so the stored one is sealed with it. */
  readonly secret: string;
  /** Null where no other process asks for tokens of the account. */
  readonly lock?: TokenLock | null;
  /** A request for a token counts like any other of the account. */
  readonly budget: RequestBudget;
  readonly readBudget: (header: ReadHeader, status: number) => RateLimitReport;
  /** What a failure calls it. */
  readonly account?: string;
  /** How many tokens the vendor issues in a time; null when it does not say. */
  readonly limit?: RateWindow | null;
  /** How long after its issue the vendor accepts a token. */
  readonly usableAfterMs?: number;
  readonly clock: Clock;
  readonly random: Random;
}): AccessToken {
  const key = keyFromSecret(secret, PURPOSE);
  let kept: KeptToken | undefined;
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
    kept = found ?? kept;
  }

  async function storedToken(): Promise<KeptToken | undefined> {
    const bytes = await stored.read();
    const text = bytes && unseal(new TextDecoder().decode(bytes), key, PURPOSE);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** What another node has got, unless this one has a later token that it could not store. */
  async function tokenOfOthers(): Promise<KeptToken | undefined> {
    const found = await storedToken();
    if (found && found.issuedAt >= (kept?.issuedAt ?? 0)) kept = found;
    return isUsable(kept) ? kept : undefined;
  }

  async function keep(token: KeptToken): Promise<void> {
    await stored.save(new TextEncoder().encode(seal(JSON.stringify(token), key, PURPOSE, random)));
    kept = token;
  }

  function isUsable(token: KeptToken | undefined): token is KeptToken {
    if (!token || token.token === refusedToken) return false;
    const now = clock.now();
    // A clock that was stepped back would make a token look younger than it is.
    return token.issuedAt <= now + MAX_CLOCK_SKEW_MS && now < token.issuedAt + token.lifetimeMs - MARGIN_MS;
  }

  function recentAttempts(): readonly number[] {
    if (!kept || !limit) return [];
    const from = clock.now() - limit.perMs;
    return kept.attempts.filter((at) => at > from);
  }

  /** Why none may be asked for now, and for how long. */
  function obstacle(): TokenObstacle | undefined {
    const leftMs = (lastFailure?.until ?? 0) - clock.elapsed();
    if (lastFailure && leftMs > 0) return { failure: lastFailure.failure, forMs: leftMs };
    const now = clock.now();
    const restUntil = kept?.restUntil ?? now;
    // A longer one is of a clock that was stepped back since.
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

  async function renew(turn: Omit<TurnOptions, 'withinMs'>, onTurn: () => void): Promise<KeptToken> {
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
      // First of all: where nothing can be stored no token may be drawn, because a vendor may let the one before end with it.
      // The attempt counts from now on: whether it led to a token may never be known.
      const at = clock.now();
      await keep({
        ...(kept ?? { token: '', lifetimeMs: 0, issuedAt: at }),
        attempts: [...recentAttempts(), at],
      });
      cost = undefined;
      return await draw(at, (news) => {
        cost = news.cost;
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

  /** While this node holds the place of its call, so that those who wait for the lock are few. */
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

  /** So that the other nodes rest too. */
  function restOfFailure(): { restMs: number; failure: FailureKind } | undefined {
    const restMs = (lastFailure?.until ?? 0) - clock.elapsed();
    return lastFailure && restMs > 0 ? { restMs, failure: lastFailure.failure.kind } : undefined;
  }

  async function draw(attemptAt: number, heed: (news: RateLimitReport) => void): Promise<KeptToken> {
    const deadline = openDeadline({ clock, timeoutMs: RENEWAL_TIMEOUT_MS });
    let status = 0;
    let news: RateLimitReport = {};
    const request: TokenRequest = {
      refreshToken: kept?.refreshToken,
      signal: deadline.signal,
      onAnswer(code, header) {
        status = code;
        news = readBudget(header, code);
        heed(news);
        applyRateLimitReport(budget, news, code);
      },
    };
    let issued: IssuedToken;
    try {
      issued = await untilAborted(issue(request), deadline.signal);
    } catch (error) {
      const failure = vendorFailureOf(error, deadline.signal);
      await restAfter(failure, status, news.pauseMs, attemptAt);
      throw failure;
    } finally {
      deadline.close();
    }
    failures = 0;
    lastFailure = undefined;
    const refreshToken = issued.refreshToken ?? kept?.refreshToken;
    const token: KeptToken = {
      token: issued.token,
      lifetimeMs: issued.lifetimeMs,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      issuedAt: clock.now(),
      attempts: kept?.attempts ?? [attemptAt],
    };
    // Of use to this process even if it cannot be stored: the vendor may accept no other from now on.
    kept = token;
    // Before it is used: a token that is lost in a crash cannot be asked for again when the vendor counts them.
    await keep(token);
    return token;
  }

  /** Whatever has failed, the vendor is not asked again at once: a burst of searches would ask as often as there are calls. */
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
    if (!kept || (!noneWasIssued && announcedMs === 0)) return;
    const { attempts } = kept;
    const restUntil = announcedMs > 0 ? { restUntil: clock.now() + announcedMs } : {};
    // What could not be stored counts as an attempt after a restart, which is on the safe side.
    await keep({
      ...kept,
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
    async function renewed(): Promise<KeptToken> {
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
      if (!renewal && isUsable(kept)) return kept.token;
      // It belongs to no caller: one that leaves does not take it from the others.
      renewal ??= startRenewal(urgency);
      const joined = renewal;
      if (urgency === 'live') joined.hurry();
      joined.callers += 1;
      try {
        return (await untilAborted(joined.token, signal)).token;
      } finally {
        joined.callers -= 1;
        // Nobody is left who would wait for its turn; a request that was sent goes on.
        if (joined.callers === 0 && renewal === joined) joined.stopWaiting();
      }
    },
    refused(token) {
      if (kept?.token !== token) return true;
      if (clock.now() - kept.issuedAt < MIN_LIFE_MS) return false;
      refusedToken = token;
      return true;
    },
    restsForMs: () => (isUsable(kept) ? 0 : (obstacle()?.forMs ?? 0)),
  };
}

const NEVER = new AbortController().signal;

type HeldLock = Extract<TokenLockAnswer, { readonly kind: 'taken' }>;

type TokenObstacle = { readonly failure: BookingSystemFailure; readonly forMs: number };

/** One renewal, and those who wait for it. */
type Renewal = {
  readonly token: Promise<KeptToken>;
  callers: number;
  /** A traveller waits for it. */
  readonly hurry: () => void;
  /** Gives up its place in the line, if it still waits there. */
  readonly stopWaiting: () => void;
};
