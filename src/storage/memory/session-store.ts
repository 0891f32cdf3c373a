import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { Session, SessionId } from '../../sessions/session.ts';
import type {
  IssuedQuote,
  Opening,
  OpeningId,
  RecordedAnswer,
  SessionStore,
} from '../../sessions/session-store.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

type Kept = {
  /** JSON text, as a database keeps it: nobody can change it from outside. */
  state: string;
  revision: number;
  expiresAt: number;
  emptied: boolean;
  result: Uint8Array | undefined;
  readonly answers: Map<string, RecordedAnswer>;
};

/** For tests: behaves like the durable stores and forgets everything with the process. */
export function createMemorySessionStore(): SessionStore & QuoteLedger {
  const sessions = new Map<SessionId, Kept>();
  const openings = new Map<OpeningId, Opening>();
  const ledger: IssuedQuote[] = [];
  let closed = false;

  function mustBeOpen(): void {
    if (closed) throw new StorageFailure('closed', 'The session store is closed.');
  }

  function removeOpeningsOf(id: SessionId): void {
    for (const opening of openings.values()) if (opening.session === id) openings.delete(opening.id);
  }

  return {
    async open(session, opening) {
      mustBeOpen();
      if (sessions.has(session.id)) throw new StorageFailure('refused', 'The session is open already.');
      if (opening && opening.session !== session.id) {
        throw new StorageFailure('refused', 'The opening names another session.');
      }
      sessions.set(session.id, {
        state: JSON.stringify(session),
        revision: session.revision,
        expiresAt: session.expiresAt,
        emptied: false,
        result: undefined,
        answers: new Map(),
      });
      if (opening) openings.set(opening.id, copyOfOpening(opening));
    },

    async find(id) {
      mustBeOpen();
      const kept = sessions.get(id);
      if (!kept) return undefined;
      const session: Session = JSON.parse(kept.state);
      return session;
    },

    async commit({ session, expectedRevision, answer, result, quotes }) {
      mustBeOpen();
      const kept = sessions.get(session.id);
      if (kept?.revision !== expectedRevision) return 'conflict';
      kept.state = JSON.stringify(session);
      kept.revision = session.revision;
      kept.expiresAt = session.expiresAt;
      kept.emptied = false;
      if (answer) kept.answers.set(answer.key, copyOfAnswer(answer));
      if (result) kept.result = new Uint8Array(result);
      ledger.push(...quotes.map((quote) => ({ ...quote })));
      return 'committed';
    },

    async result(id) {
      mustBeOpen();
      const bytes = sessions.get(id)?.result;
      return bytes && new Uint8Array(bytes);
    },

    async answer(id, key) {
      mustBeOpen();
      const answer = sessions.get(id)?.answers.get(key);
      return answer && copyOfAnswer(answer);
    },

    async opening(id) {
      mustBeOpen();
      const opening = openings.get(id);
      return opening && copyOfOpening(opening);
    },

    async forgetExpired(endedBefore, forgottenBefore, limit) {
      mustBeOpen();
      const ended = [...sessions].sort(([, one], [, other]) => one.expiresAt - other.expiresAt);
      const toForget = ended.filter(([, kept]) => kept.expiresAt < forgottenBefore).slice(0, limit);
      const toEmpty = ended
        .filter(([, { emptied, expiresAt }]) => !emptied && expiresAt < endedBefore)
        .filter(([, { expiresAt }]) => expiresAt >= forgottenBefore)
        .slice(0, limit - toForget.length);
      for (const [id, kept] of [...toForget, ...toEmpty]) {
        kept.emptied = true;
        kept.result = undefined;
        kept.answers.clear();
        removeOpeningsOf(id);
      }
      for (const [id] of toForget) sessions.delete(id);
      return toForget.length + toEmpty.length;
    },

    async issuedQuotes({ since, limit }) {
      mustBeOpen();
      return ledger
        .filter((quote) => quote.retrievedAt >= since)
        .sort((one, other) => one.retrievedAt - other.retrievedAt)
        .slice(0, limit)
        .map((quote) => ({ ...quote }));
    },

    async close() {
      closed = true;
    },
  };
}

function copyOfAnswer({ fingerprint, body }: RecordedAnswer): RecordedAnswer {
  return { fingerprint, body: new Uint8Array(body) };
}

function copyOfOpening(opening: Opening): Opening {
  return {
    ...opening,
    body: new Uint8Array(opening.body),
    sealedToken: new Uint8Array(opening.sealedToken),
  };
}
