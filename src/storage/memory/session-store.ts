import { type Clock, systemClock } from '../../clock.ts';
import { isOverQuota, SESSION_BYTES, USED_KEY_BYTES } from '../../sessions/assistant-limits.ts';
import {
  bytesOfQuotes,
  type IssuedQuote,
  type QuoteLedger,
  type QuoteQuestion,
} from '../../sessions/quote-ledger.ts';
import type { AssistantId, Session, SessionId } from '../../sessions/session.ts';
import {
  createSessionClaims,
  type SessionStore,
  type UsedKey,
  type UsedKeyId,
} from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

type MemorySession = {
  /** JSON text, so that no caller can change the stored state. */
  state: string;
  revision: number;
  notes: number;
  readonly expiresAt: number;
  readonly assistant: AssistantId;
  /** Bytes of the session, its used keys and issued quotes; its result is counted separately. */
  storedBytes: number;
  /** Its result and used keys were deleted. */
  bodiesDeleted: boolean;
  result: Uint8Array | undefined;
  readonly usedKeys: Map<UsedKeyId, UsedKey>;
};

export function createMemorySessionStore(
  clock: Pick<Clock, 'elapsed'> = systemClock,
): SessionStore & QuoteLedger {
  const sessions = new Map<SessionId, MemorySession>();
  const ledger: IssuedQuote[] = [];
  const claims = createSessionClaims(clock);
  let closed = false;

  function mustBeOpen(): void {
    if (closed) throw new StorageFailure('closed', 'The session store is closed.');
  }

  /** Scans all sessions: this store is for tests and trials. */
  function bytesOf(isCounted: (session: MemorySession) => boolean) {
    const counted = [...sessions.values()].filter((session) => !session.bodiesDeleted && isCounted(session));
    const bytes = counted.reduce(
      (sum, { storedBytes, result }) => sum + storedBytes + (result?.length ?? 0),
      0,
    );
    const until = Math.min(...counted.map(({ expiresAt }) => expiresAt));
    return { sessions: counted.length, bytes, until };
  }

  return {
    async open(session, quota) {
      mustBeOpen();
      if (quota) {
        const isLive = ({ expiresAt }: MemorySession) => expiresAt > session.openedAt;
        const mine = bytesOf((other) => other.assistant === session.assistant && isLive(other));
        const { bytes } = bytesOf(isLive);
        if (isOverQuota(mine, bytes, quota)) return { kind: 'over_quota', until: mine.until };
      }
      if (sessions.has(session.id)) throw new StorageFailure('refused', 'The session is open already.');
      sessions.set(session.id, {
        state: JSON.stringify(session),
        revision: session.revision,
        notes: 0,
        expiresAt: session.expiresAt,
        assistant: session.assistant,
        storedBytes: SESSION_BYTES,
        bodiesDeleted: false,
        result: undefined,
        usedKeys: new Map(),
      });
      return { kind: 'opened' };
    },

    async find(id) {
      mustBeOpen();
      const stored = sessions.get(id);
      if (!stored) return undefined;
      const session: Session = JSON.parse(stored.state);
      return session;
    },

    async commit({ session, expectedRevision, usedKey, result, quotes }) {
      mustBeOpen();
      const stored = sessions.get(session.id);
      if (stored?.revision !== expectedRevision) return { kind: 'conflict' };
      if (session.notes !== undefined && session.notes !== stored.notes + 1) return { kind: 'conflict' };
      stored.notes = session.notes ?? 0;
      stored.state = JSON.stringify(session);
      stored.revision = session.revision;
      stored.bodiesDeleted = false;
      if (session.revision !== expectedRevision) claims.release(session.id, expectedRevision);
      if (usedKey) {
        const { id, fingerprint } = usedKey;
        stored.usedKeys.set(id, { fingerprint, revision: session.revision });
        stored.storedBytes += USED_KEY_BYTES;
      }
      stored.storedBytes += bytesOfQuotes(quotes);
      if (result) stored.result = new Uint8Array(result);
      ledger.push(...quotes.map((quote) => ({ ...quote })));
      return { kind: 'committed' };
    },

    async claim(id, revision, forMs) {
      mustBeOpen();
      if (sessions.get(id)?.revision !== revision) return { kind: 'conflict' };
      return { kind: claims.take(id, revision, forMs) ? 'claimed' : 'taken' };
    },

    release: claims.release,

    async result(id) {
      mustBeOpen();
      const bytes = sessions.get(id)?.result;
      return bytes && new Uint8Array(bytes);
    },

    async usedKey(session, id) {
      mustBeOpen();
      const usedKey = sessions.get(session)?.usedKeys.get(id);
      return usedKey && { ...usedKey };
    },

    async countUsedKeys(session) {
      mustBeOpen();
      return sessions.get(session)?.usedKeys.size ?? 0;
    },

    async deleteExpired({ bodiesBefore, sessionsBefore, limit }) {
      mustBeOpen();
      const byExpiry = [...sessions].sort(([, one], [, other]) => one.expiresAt - other.expiresAt);
      const old = byExpiry.filter(([, { expiresAt }]) => expiresAt < sessionsBefore).slice(0, limit);
      const withBodies = byExpiry
        .filter(([, { bodiesDeleted, expiresAt }]) => !bodiesDeleted && expiresAt < bodiesBefore)
        .filter(([, { expiresAt }]) => expiresAt >= sessionsBefore)
        .slice(0, limit - old.length);
      for (const [, stored] of [...old, ...withBodies]) {
        stored.bodiesDeleted = true;
        stored.result = undefined;
        stored.storedBytes = SESSION_BYTES;
        stored.usedKeys.clear();
      }
      for (const [id] of old) sessions.delete(id);
      return old.length + withBodies.length;
    },

    async issuedQuotes({ since, limit }) {
      mustBeOpen();
      return ledger
        .filter((quote) => quote.retrievedAt >= since)
        .sort((one, other) => one.retrievedAt - other.retrievedAt)
        .slice(0, limit)
        .map((quote) => ({ ...quote }));
    },

    async findQuotes(question, limit) {
      mustBeOpen();
      return ledger
        .toReversed()
        .filter((quote) => isAskedFor(quote, question))
        .sort((one, other) => other.retrievedAt - one.retrievedAt)
        .slice(0, limit)
        .map((quote) => ({ ...quote }));
    },

    async deleteQuotes({ now, keptMs, limit }) {
      mustBeOpen();
      const old = ledger
        .filter(({ retrievedAt }) => retrievedAt < now - keptMs)
        .sort((one, other) => one.retrievedAt - other.retrievedAt)
        .slice(0, limit);
      for (const quote of old) ledger.splice(ledger.indexOf(quote), 1);
      return old.length;
    },

    async deleteSurplus({ maxBytes, maxAssistantBytes, limit }) {
      mustBeOpen();
      for (let deleted = 0; deleted < limit; deleted += 1) {
        const ofEach = Object.values(Object.groupBy(ledger, ({ assistant }) => assistant));
        const [most = []] = ofEach.sort((one = [], other = []) => bytesOfQuotes(other) - bytesOfQuotes(one));
        if (bytesOfQuotes(ledger) <= maxBytes && bytesOfQuotes(most) <= maxAssistantBytes) return deleted;
        for (const oldest of most.slice(0, 1)) ledger.splice(ledger.indexOf(oldest), 1);
      }
      return limit;
    },

    async close() {
      closed = true;
    },
  };
}

function isAskedFor(quote: IssuedQuote, question: QuoteQuestion): boolean {
  if ('nxq' in question) return quote.nxq === question.nxq;
  const { property, checkIn, checkOut } = question;
  return quote.property === property && quote.checkIn === checkIn && quote.checkOut === checkOut;
}
