import { hash } from 'node:crypto';
import type { PasswordRecord } from '../access/owner-settings.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { Trial } from './trial.ts';

/** An owner who has signed in, in one browser. */
export type OwnerSession = {
  /** The account on this machine; null if unknown. To another account the cookie is worth nothing. */
  readonly account: number | null;
  /** Part of every form, because a foreign page cannot read it. */
  readonly formToken: string;
  /** Shown once, on the next page. */
  notice: string | null;
  /** The search that is tried out. */
  trial: Trial | null;
};

export type OwnerSessions = {
  /** Returns the value of the cookie. */
  open(password: PasswordRecord, account: number | null): string;
  /** A page that updates itself does not count as use. */
  find(token: string, password: PasswordRecord, how: { readonly isUse: boolean }): OwnerSession | undefined;
  end(token: string): void;
};

type KeptSession = OwnerSession & {
  /** A new password ends all sessions. */
  readonly password: PasswordRecord;
  readonly openedAt: number;
  usedAt: number;
};

const HOUR_MS = 3_600_000;
const MAX_IDLE_MS = 8 * HOUR_MS;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
/** One more ends the oldest. */
const MAX_SESSIONS = 100;
const TOKEN_BYTES = 32;

/** In memory, by the hash of the cookie: whoever reads them here cannot sign in with them. */
export function createOwnerSessions({
  clock,
  random,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly random: Random;
}): OwnerSessions {
  const sessions = new Map<string, KeptSession>();
  const newToken = () => Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
  const isOver = ({ openedAt, usedAt }: KeptSession, now: number) =>
    now - usedAt >= MAX_IDLE_MS || now - openedAt >= MAX_AGE_MS;

  return {
    open(password, account) {
      const now = clock.elapsed();
      for (const [id, session] of sessions) if (isOver(session, now)) sessions.delete(id);
      const [oldest] = sessions.keys();
      if (oldest !== undefined && sessions.size >= MAX_SESSIONS) sessions.delete(oldest);
      const token = newToken();
      sessions.set(idOf(token), {
        account,
        formToken: newToken(),
        notice: null,
        trial: null,
        password,
        openedAt: now,
        usedAt: now,
      });
      return token;
    },
    find(token, password, { isUse }) {
      const id = idOf(token);
      const session = sessions.get(id);
      if (!session) return undefined;
      const now = clock.elapsed();
      if (isOver(session, now) || session.password !== password) {
        sessions.delete(id);
        return undefined;
      }
      if (isUse) session.usedAt = now;
      return session;
    },
    end(token) {
      sessions.delete(idOf(token));
    },
  };
}

function idOf(token: string): string {
  return hash('sha256', token);
}
