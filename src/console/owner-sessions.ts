import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import type { PasswordRecord } from '../access/owner-settings.ts';
import type { Clock } from '../clock.ts';
import type { Body } from '../contract/exchange.ts';
import { type Address, parseAddress } from '../parsing/ip-address.ts';
import type { Random } from '../random.ts';

/** A search by the owner, as an assistant would do it. */
export type Trial = {
  /** Never shown in a page or a URL. */
  readonly token: string | null;
  /** Each request in words with the answer as assistants receive it; the oldest first. */
  readonly steps: readonly { readonly sent: string; readonly answer: Body }[];
};

/** A signed-in owner in one browser. */
export type OwnerSession = {
  /** The account on this machine; null if unknown. The cookie is useless to another account. */
  readonly account: number | null;
  /** Part of every form, because a foreign page cannot read it. */
  readonly formToken: string;
  /** Shown once, on the next page. */
  notice: string | null;
  /** The current trial search. */
  trial: Trial | null;
};

type OwnerSessions = {
  /** Returns the cookie's value. */
  open(password: PasswordRecord, account: number | null): string;
  /** A page that updates itself does not count as use. */
  find(token: string, password: PasswordRecord, how: { readonly isUse: boolean }): OwnerSession | undefined;
  end(token: string): void;
};

type StoredSession = OwnerSession & {
  /** A new password ends all sessions. */
  readonly password: PasswordRecord;
  readonly openedAt: number;
  usedAt: number;
};

const HOUR_MS = 3_600_000;
const MAX_IDLE_MS = 8 * HOUR_MS;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
/** A further session ends the oldest. */
const MAX_SESSIONS = 100;
const TOKEN_BYTES = 32;

/** Sessions in memory, keyed by the hash of the cookie, so that reading the memory does not permit signing in. */
export function createOwnerSessions({
  clock,
  random,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly random: Random;
}): OwnerSessions {
  const sessions = new Map<string, StoredSession>();
  const newToken = () => Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
  const isOver = ({ openedAt, usedAt }: StoredSession, now: number) =>
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

/** The account on this machine whose program opened a connection; null for other machines, and if the system does not reveal it. */
export type AccountBehind = (
  socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>,
) => Promise<number | null>;

/** The connections of the machine in Linux, a row for each end, by the family of its socket. */
const TABLES = { ipv4: '/proc/net/tcp', ipv6: '/proc/net/tcp6' } as const;
/** The columns after the own address: the peer's address, state, queues, timer, repetitions, account. */
const ACCOUNT_COLUMN = 6;
/** Only established connections show the account. */
const ESTABLISHED = '01';

export function createAccountBehind(readTable: (path: string) => Promise<string>): AccountBehind {
  /** A cache: the account of a connection never changes. */
  const found = new WeakMap<object, number>();

  return async (socket) => {
    const known = found.get(socket);
    if (known !== undefined) return known;
    const peer = parseAddress(socket.remoteAddress ?? '');
    const own = parseAddress(socket.localAddress ?? '');
    const isOfThisMachine = peer?.range() === 'loopback' || socket.remoteAddress === socket.localAddress;
    if (!peer || !own || !isOfThisMachine) return null;
    for (const family of ['ipv4', 'ipv6'] as const) {
      const ends = [endOf(family, peer, socket.remotePort), endOf(family, own, socket.localPort)];
      const account = accountIn(
        await readTable(TABLES[family]).catch(() => ''),
        `${ends.join(' ')} ${ESTABLISHED} `,
      );
      if (account === undefined) continue;
      found.set(socket, account);
      return account;
    }
    return null;
  };
}

function accountIn(table: string, ends: string): number | undefined {
  const at = table.indexOf(ends);
  return at < 0 ? undefined : Number(table.slice(at, at + 200).split(/\s+/)[ACCOUNT_COLUMN]);
}

/** In the table's format: words of four bytes in the processor's byte order, and the port. An IPv6 socket may have an IPv4 peer. */
function endOf(family: keyof typeof TABLES, address: Address, port = 0): string {
  const isMapped = family === 'ipv6' && 'toIPv4MappedAddress' in address;
  const bytes = Buffer.from((isMapped ? address.toIPv4MappedAddress() : address).toByteArray());
  if (endianness() === 'LE') bytes.swap32();
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
