import type { IssuedQuote } from '../../src/sessions/quote-ledger.ts';
import type { Session } from '../../src/sessions/session.ts';
import type { SessionChange, UsedKey } from '../../src/sessions/session-store.ts';

/** What the writing process writes is a function of session and revision, so that the check knows what must be there. */
export const LAST_REVISION = 9;

export function sessionAt(id: string, expiresAt: number, revision: number): Session {
  return {
    id,
    assistant: 'assistant',
    source: null,
    onlyPlace: null,
    apiVersion: '2026-11-15',
    openedAt: 0,
    expiresAt,
    revision,
    payload: { guests: String(revision) },
    amenities: revision < 2 ? [] : ['pool'],
    result: null,
  };
}

export function changeTo(session: Session): SessionChange {
  const { id, revision } = session;
  return {
    session,
    expectedRevision: revision - 1,
    usedKey: { id: `key-${keyNumber(revision)}`, fingerprint: fingerprintAt(id, revision) },
    result: resultRevision(revision) === revision ? resultOf(id, revision) : null,
    quotes: quotesOf(id, revision),
  };
}

/** The revision that brought the result which a session at `revision` has; 0 when there is none yet. */
export function resultRevision(revision: number): number {
  return revision - (revision % 3);
}

/** Each key is used twice, so that keys are replaced as well as added. */
const keyNumber = (revision: number) => Math.ceil(revision / 2);
const fingerprintAt = (id: string, revision: number) => `${id} ${revision}`;

/** The keys that a session at `revision` has used, and the one that it has not. */
export function usedKeysAt(id: string, revision: number): Map<string, UsedKey | undefined> {
  const used = new Map<string, UsedKey | undefined>();
  for (let at = 1; at <= revision; at += 1) {
    used.set(`key-${keyNumber(at)}`, { fingerprint: fingerprintAt(id, at), revision: at });
  }
  return used.set(`key-${keyNumber(revision) + 1}`, undefined);
}

export const resultOf = (id: string, revision: number) => bytesOf(`result ${id} ${revision}`, 30_000);

/** The quotes of this very revision. */
export function quotesOf(id: string, revision: number): IssuedQuote[] {
  if (revision === 0 || resultRevision(revision) !== revision) return [];
  return ['a', 'b', 'c'].map((option) => ({
    nxq: `${id}/${revision}/${option}`,
    session: id,
    assistant: 'assistant',
    brand: 'azul',
    property: `azul:${option}`,
    place: 'calpe',
    checkIn: '2027-05-03',
    checkOut: '2027-05-09',
    guests: 2,
    amount: 41_250,
    currency: 'EUR',
    retrievedAt: revision,
    validUntil: 1_000,
    details: { guarantee: 'at_retrieval' },
  }));
}

/** Reproducible bytes of a reproducible length. */
function bytesOf(text: string, longest: number): Uint8Array {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  const next = numbersFrom(state);
  const length = 1 + Math.floor(next() * longest);
  const pattern = new Uint32Array(64).map(() => next() * 2 ** 32);
  return new Uint8Array(Buffer.alloc(length, new Uint8Array(pattern.buffer)));
}

/** Reproducible numbers from 0 to 1 (Mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
