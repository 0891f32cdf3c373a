import type { Session, SessionId } from '../../sessions/session.ts';

/**
 * What the event loop remembers of recent sessions, so that a step rarely reads the database. It only ever holds
 * what is durable; the least recently used goes first.
 */
export type SessionCache = {
  /** Read from its text once and shared from then on: sessions are never changed in place. */
  session(id: SessionId): Session | undefined;
  /** All keys under which the session has answers; undefined when that is not known. */
  answerKeys(id: SessionId): ReadonlySet<string> | undefined;
  result(id: SessionId): Uint8Array | undefined;
  remember(id: SessionId, state: string, answerKeys: Set<string> | undefined): void;
  rememberKeys(id: SessionId, answerKeys: Set<string>): void;
  rememberChange(id: SessionId, state: string, answerKey: string | undefined): void;
  rememberResult(id: SessionId, body: Uint8Array): void;
  forget(id: SessionId): void;
};

type Remembered = {
  readonly state: string;
  session: Session | undefined;
  answerKeys: Set<string> | undefined;
};

export function createSessionCache({
  maxSessions,
  maxResultBytes,
}: {
  readonly maxSessions: number;
  readonly maxResultBytes: number;
}): SessionCache {
  // Maps keep the order of insertion, so the first entry is the one that was used longest ago.
  const sessions = new Map<SessionId, Remembered>();
  const results = new Map<SessionId, Uint8Array>();
  let resultBytes = 0;

  function put(id: SessionId, session: Remembered): void {
    sessions.delete(id);
    sessions.set(id, session);
    if (sessions.size > maxSessions) dropFirst(sessions, (first) => sessions.delete(first));
  }

  function dropResult(id: SessionId): void {
    resultBytes -= results.get(id)?.length ?? 0;
    results.delete(id);
  }

  return {
    session(id) {
      const remembered = sessions.get(id);
      if (!remembered) return undefined;
      put(id, remembered);
      remembered.session ??= JSON.parse(remembered.state);
      return remembered.session;
    },
    answerKeys: (id) => sessions.get(id)?.answerKeys,
    result(id) {
      const body = results.get(id);
      if (body) {
        results.delete(id);
        results.set(id, body);
      }
      return body;
    },
    remember: (id, state, answerKeys) => put(id, { state, session: undefined, answerKeys }),
    rememberKeys(id, answerKeys) {
      const session = sessions.get(id);
      if (session) session.answerKeys = answerKeys;
    },
    rememberChange(id, state, answerKey) {
      const answerKeys = sessions.get(id)?.answerKeys;
      if (answerKey !== undefined) answerKeys?.add(answerKey);
      put(id, { state, session: undefined, answerKeys });
    },
    rememberResult(id, body) {
      dropResult(id);
      results.set(id, body);
      resultBytes += body.length;
      while (resultBytes > maxResultBytes) dropFirst(results, dropResult);
    },
    forget(id) {
      sessions.delete(id);
      dropResult(id);
    },
  };
}

function dropFirst(map: ReadonlyMap<SessionId, unknown>, drop: (id: SessionId) => void): void {
  for (const id of map.keys()) return void drop(id);
}
