import { type Clock, pauseFor } from '../../../clock.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { createCoalescer } from '../../../limits/coalesce.ts';
import { openDeadline, untilAborted } from '../../../limits/deadline.ts';
import { createOneAtATime } from '../../../limits/keyed-mutex.ts';
import { type RequestBudget, wallTime } from '../../../limits/request-budget.ts';
import { jitteredPauseMs, type TokenLock, type TokenLockAnswer } from '../../../limits/shared-limits.ts';
import type { CallUrgency, RateWindow } from '../../../limits/window-count.ts';
import type { ReadHeader } from '../../../outbound/read-answer.ts';
import type { StoredDocument } from '../../../parsing/owned-memory.ts';
import { keyFromSecret, seal, unseal } from '../../../parsing/sealed-text.ts';
import type { Random } from '../../../random.ts';
import {
  applyRateLimitReport,
  MAX_BACKGROUND_WAIT_MS,
  MAX_PAUSE_MS,
  type ReadBudget,
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
};

/** Why no token may be requested, and until when in elapsed time. */
type Obstacle = { readonly failure: BookingSystemFailure; readonly until: number };

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
const NEVER = new AbortController().signal;

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
  readonly readBudget: ReadBudget;
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
  const share = createCoalescer<StoredToken>();
  const oneAtATime = createOneAtATime();
  let cached: StoredToken | undefined;
  let wasRead = false;
  let isRenewing = false;
  let refusedToken: string | undefined;
  let failures = 0;
  let lastFailure: Obstacle | undefined;

  /** Takes over the stored token, unless this node has a later one that it could not store. */
  async function readStored(): Promise<void> {
    const bytes = await stored.read();
    const text = bytes && unseal(new TextDecoder().decode(bytes), key, PURPOSE);
    const found: StoredToken | undefined = text === undefined ? undefined : JSON.parse(text);
    if (found && found.issuedAt >= (cached?.issuedAt ?? 0)) cached = found;
    wasRead = true;
  }

  async function store(token: StoredToken): Promise<void> {
    await stored.save(new TextEncoder().encode(seal(JSON.stringify(token), key, PURPOSE, random)));
    cached = token;
  }

  function usableToken(): StoredToken | undefined {
    if (!cached || cached.token === refusedToken) return undefined;
    const { issuedAt, lifetimeMs } = cached;
    const now = clock.now();
    // After a clock was set back, a token would look younger than it is.
    const isUsable = issuedAt <= now + MAX_CLOCK_SKEW_MS && now < issuedAt + lifetimeMs - MARGIN_MS;
    return isUsable ? cached : undefined;
  }

  async function tokenOfOthers(): Promise<StoredToken | undefined> {
    await readStored();
    return usableToken();
  }

  function recentAttempts(): readonly number[] {
    const from = clock.now() - (limit?.perMs ?? 0);
    return limit && cached ? cached.attempts.filter((at) => at > from) : [];
  }

  function obstacle(): Obstacle | undefined {
    if (lastFailure && lastFailure.until > clock.elapsed()) return lastFailure;
    const attempts = recentAttempts();
    const oldest = limit ? attempts[attempts.length - limit.requests] : undefined;
    if (!limit || oldest === undefined) return undefined;
    const at = oldest + limit.perMs;
    const message = `${account} is issued no more tokens before ${wallTime(at)}`;
    const failure = new BookingSystemFailure('rate_limited', message);
    return { failure, until: clock.elapsed() + at - clock.now() };
  }

  function throwObstacle(): void {
    const found = obstacle();
    if (found) throw found.failure;
  }

  /** `abandoned` only ends the wait for the turn: a request that was sent may have ended the token before. */
  async function renew(urgency: CallUrgency, abandoned: AbortSignal): Promise<StoredToken> {
    const ofOthers = lock && (await tokenOfOthers());
    if (ofOthers) return ofOthers;
    throwObstacle();
    const withinMs = urgency === 'live' ? MAX_LIVE_WAIT_MS : MAX_BACKGROUND_WAIT_MS;
    const permit = await budget.take({ urgency: 'live', withinMs, signal: abandoned });
    let cost: number | undefined = 0;
    let release: Extract<TokenLockAnswer, { readonly kind: 'taken' }>['release'] | undefined;
    try {
      if (lock) {
        release = await untilLocked(lock);
        const justIssued = await tokenOfOthers();
        if (justIssued) return justIssued;
        throwObstacle();
      }
      // Store first: if storing fails, request no token, because issuing one may end the one before.
      // The attempt counts from now on, since its outcome may never be known.
      const at = clock.now();
      const known = cached ?? { token: '', lifetimeMs: 0, issuedAt: at };
      await store({ ...known, attempts: [...recentAttempts(), at] });
      cost = undefined;
      return await draw(at, (reported) => {
        cost = reported;
      });
    } finally {
      permit.done(cost);
      const restMs = (lastFailure?.until ?? 0) - clock.elapsed();
      // Makes the other nodes rest too.
      release?.(lastFailure && restMs > 0 ? { restMs, failure: lastFailure.failure.kind } : undefined);
    }
  }

  /** Called while the node holds a permit, so that few nodes wait for the lock. */
  async function untilLocked(shared: TokenLock) {
    const until = clock.elapsed() + MAX_LOCK_WAIT_MS;
    for (let tries = 0; clock.elapsed() < until; tries += 1) {
      const answer = await shared.take().catch((): TokenLockAnswer => ({ kind: 'held' }));
      if (answer.kind === 'taken') return answer.release;
      if (answer.kind === 'resting') {
        const failure = new BookingSystemFailure(
          answer.failure,
          `${account} was issued no token a moment ago`,
        );
        lastFailure = { failure, until: clock.elapsed() + answer.forMs };
        throw failure;
      }
      await pauseFor(jitteredPauseMs(tries, random), clock, NEVER);
    }
    throw new BookingSystemFailure('overloaded', `another node keeps asking for a token of ${account}`);
  }

  async function draw(attemptAt: number, onCost: (cost: number | undefined) => void): Promise<StoredToken> {
    const deadline = openDeadline({ clock, timeoutMs: RENEWAL_TIMEOUT_MS });
    let status = 0;
    let pauseMs = 0;
    const { refreshToken } = cached ?? {};
    const onAnswer: TokenRequest['onAnswer'] = (code, header) => {
      status = code;
      const report = readBudget(header, code);
      pauseMs = Math.min(report.pauseMs ?? 0, MAX_PAUSE_MS);
      onCost(report.cost);
      applyRateLimitReport(budget, report, code);
    };
    let issued: IssuedToken;
    try {
      issued = await untilAborted(
        issue({ refreshToken, signal: deadline.signal, onAnswer }),
        deadline.signal,
      );
    } catch (error) {
      const failure = vendorFailureOf(error, deadline.signal);
      await restAfter(failure, status, pauseMs, attemptAt);
      throw failure;
    } finally {
      deadline.close();
    }
    failures = 0;
    lastFailure = undefined;
    // This process uses it even if storing fails: the vendor may accept no other from now on.
    cached = {
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...issued,
      issuedAt: clock.now(),
      attempts: cached?.attempts ?? [attemptAt],
    };
    // Store before use: where the vendor counts tokens, one lost in a crash cannot be replaced.
    await store(cached);
    return cached;
  }

  /** Rest after every failure: otherwise each call of a burst of searches would request a token. */
  async function restAfter(
    failure: BookingSystemFailure,
    status: number,
    pauseMs: number,
    attemptAt: number,
  ): Promise<void> {
    failures += 1;
    const { restMs, noneWasIssued } = restAfterFailure({ failure, failures, status, limit, random });
    lastFailure = { failure, until: clock.elapsed() + Math.max(restMs, pauseMs) };
    if (!cached || !noneWasIssued) return;
    const attempts = cached.attempts.filter((at) => at !== attemptAt);
    // If this is not stored, a restart counts the attempt, which is the safe side.
    await store({ ...cached, attempts }).catch(() => undefined);
  }

  return {
    async current(signal, urgency) {
      if (!wasRead) await untilAborted(readStored(), signal);
      const usable = isRenewing ? undefined : usableToken();
      if (usable) return usable.token;
      const renewed = await share(
        account,
        (abandoned) =>
          oneAtATime(account, async () => {
            const sinceRenewed = usableToken();
            if (sinceRenewed) return sinceRenewed;
            isRenewing = true;
            try {
              const token = await renew(urgency, abandoned);
              if (usableAfterMs > 0) await pauseFor(usableAfterMs, clock, NEVER);
              return token;
            } finally {
              isRenewing = false;
            }
          }),
        signal,
      );
      return renewed.token;
    },
    refused(token) {
      if (cached?.token !== token) return true;
      if (clock.now() - cached.issuedAt < MIN_LIFE_MS) return false;
      refusedToken = token;
      return true;
    },
    restsForMs: () => (usableToken() ? 0 : Math.max(0, (obstacle()?.until ?? 0) - clock.elapsed())),
  };
}
