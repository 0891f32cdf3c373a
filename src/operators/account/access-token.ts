import type { Clock } from '../../clock.ts';
import { keyFromSecret, seal, unseal } from '../../credentials/sealed-text.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { openDeadline, untilAborted } from '../../quotes/deadline.ts';
import type { Random } from '../../random.ts';
import type { StoredDocument } from '../connector.ts';
import type { RateWindow } from './request-budget.ts';

/** The token of an account. It is kept across restarts, and renewed once however many calls need a new one. */
export type AccessToken = {
  /** One that is valid for a while. Rejects with a `BookingSystemFailure`. */
  current(signal: AbortSignal): Promise<string>;
  /** The vendor no longer accepts this one. Says whether `current` gives another: not right after it was issued. */
  refused(token: string): boolean;
};

export type IssuedToken = {
  readonly token: string;
  readonly lifetimeMs: number;
  /** With which the next one is asked for, where the vendor changes it each time. */
  readonly refreshToken?: string;
};

/** Asks the vendor for a token; `refreshToken` is the one that came with the last. */
export type IssueToken = (refreshToken: string | undefined, signal: AbortSignal) => Promise<IssuedToken>;

type KeptToken = IssuedToken & {
  /** In epoch milliseconds, because they outlive the process. */
  readonly issuedAt: number;
  /** When the last ones were issued, the newest included. */
  readonly issues: readonly number[];
};

/** One that is refused earlier was refused for another reason than its age, and a new one would not help. */
const MIN_LIFE_MS = 30_000;
const PURPOSE = 'staywire access token';
const RENEWAL_TIMEOUT_MS = 15_000;
/** A token that ends within this time is renewed before it is used. */
const MARGIN_MS = 60_000;
/** After a refusal by the vendor it is not asked again for this long: wrong credentials do not get right by asking. */
const PAUSE_AFTER_REFUSAL_MS = 30_000;

export function createAccessToken({
  issue,
  stored,
  secret,
  limit = null,
  usableAfterMs = 0,
  clock,
  random,
}: {
  readonly issue: IssueToken;
  readonly stored: StoredDocument;
  /** The account's own secret: whoever has it can get a token anyway, so the stored one is sealed with it. */
  readonly secret: string;
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
  let renewal: Promise<KeptToken> | undefined;
  let lastFailure: { readonly failure: unknown; readonly until: number } | undefined;

  async function readStored(): Promise<void> {
    if (wasRead) return;
    const bytes = await stored.read();
    if (wasRead) return;
    wasRead = true;
    const text = bytes && unseal(new TextDecoder().decode(bytes), key, PURPOSE);
    if (text !== undefined) kept = JSON.parse(text);
  }

  function save(token: KeptToken): Promise<void> {
    return stored.save(new TextEncoder().encode(seal(JSON.stringify(token), key, PURPOSE, random)));
  }

  function isUsable(token: KeptToken | undefined): token is KeptToken {
    if (!token || token.token === refusedToken) return false;
    const now = clock.now();
    // A clock that was stepped back would make a token look younger than it is.
    return token.issuedAt <= now && now < token.issuedAt + token.lifetimeMs - MARGIN_MS;
  }

  async function renew(): Promise<KeptToken> {
    if (lastFailure && clock.elapsed() < lastFailure.until) throw lastFailure.failure;
    const issues = recentIssues();
    if (limit && issues.length >= limit.requests) {
      throw new BookingSystemFailure(
        'rate_limited',
        'the vendor issues no more tokens to this account for now',
      );
    }
    // First of all: where nothing can be stored no token may be drawn, because a vendor may let the one before end with it.
    await save(kept ?? { token: '', lifetimeMs: 0, issuedAt: clock.now(), issues });
    const deadline = openDeadline({ clock, timeoutMs: RENEWAL_TIMEOUT_MS });
    try {
      const issued = await untilAborted(issue(kept?.refreshToken, deadline.signal), deadline.signal);
      const now = clock.now();
      const refreshToken = issued.refreshToken ?? kept?.refreshToken;
      kept = {
        token: issued.token,
        lifetimeMs: issued.lifetimeMs,
        ...(refreshToken === undefined ? {} : { refreshToken }),
        issuedAt: now,
        issues: [...issues, now],
      };
      lastFailure = undefined;
      // Before it is used: a token that is lost in a crash cannot be asked for again when the vendor counts them.
      await save(kept);
      if (usableAfterMs > 0) await new Promise<void>((resolve) => clock.after(usableAfterMs, resolve));
      return kept;
    } catch (failure) {
      const isRefusal = failure instanceof BookingSystemFailure && failure.kind === 'rejected';
      if (isRefusal) lastFailure = { failure, until: clock.elapsed() + PAUSE_AFTER_REFUSAL_MS };
      throw failure;
    } finally {
      deadline.close();
    }
  }

  function recentIssues(): readonly number[] {
    if (!kept || !limit) return [];
    const from = clock.now() - limit.perMs;
    return kept.issues.filter((at) => at > from);
  }

  return {
    async current(signal) {
      await untilAborted(readStored(), signal);
      if (isUsable(kept)) return kept.token;
      // It belongs to no caller: one that leaves does not take it from the others.
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return (await untilAborted(renewal, signal)).token;
    },
    refused(token) {
      if (kept?.token !== token) return true;
      if (clock.now() - kept.issuedAt < MIN_LIFE_MS) return false;
      refusedToken = token;
      return true;
    },
  };
}
