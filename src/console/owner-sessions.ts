import { hash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { PasswordRecord } from './password-record.ts';
import type { Trial } from './trial.ts';

/** Somebody who has signed in, in one browser. */
export type OwnerSession = {
  /** Of this machine; null where it is not known. A cookie is worth nothing to another account. */
  readonly account: number | null;
  /** In every form, because a page elsewhere cannot read it. */
  readonly formToken: string;
  /** Said on the next page, once. */
  notice: string | null;
  /** The search that is tried out. */
  trial: Trial | null;
};

export type OwnerSessions = {
  /** Returns what the cookie is to hold. */
  open(password: PasswordRecord, account: number | null): string;
  /** A page that updates itself is not somebody who uses it. */
  find(token: string, password: PasswordRecord, how: { readonly isUse: boolean }): OwnerSession | undefined;
  end(token: string): void;
};

type KeptSession = OwnerSession & {
  /** With another password, all sessions are over. */
  readonly password: PasswordRecord;
  readonly openedAt: number;
  usedAt: number;
};

const HOUR_MS = 3_600_000;
const MAX_IDLE_MS = 8 * HOUR_MS;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
/** Beyond these the oldest ends. */
const MAX_SESSIONS = 100;
const TOKEN_BYTES = 32;

/** In memory, by the hash of what the cookie holds: what can be read here signs nobody in. */
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
