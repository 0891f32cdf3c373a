import type { IssuedQuote } from '../../src/sessions/quote-ledger.ts';
import type { Session } from '../../src/sessions/session.ts';
import type { SessionChange } from '../../src/sessions/session-store.ts';

export function sampleSession(id: string, revision = 0): Session {
  return {
    id,
    assistant: 'assistant',
    source: null,
    onlyPlace: null,
    apiVersion: '2026-11-15',
    openedAt: 0,
    expiresAt: 1_000,
    revision,
    payload: {},
    amenities: [],
    result: null,
  };
}

/** A change that writes to every table. */
export function sampleChange(id: string, revision: number, body: Uint8Array): SessionChange {
  const quote: IssuedQuote = {
    nxq: `${id}-${revision}`,
    session: id,
    assistant: 'assistant',
    brand: 'azul',
    property: 'azul:1',
    place: 'calpe',
    checkIn: '2027-05-03',
    checkOut: '2027-05-09',
    guests: 2,
    amount: 41_250,
    currency: 'EUR',
    retrievedAt: revision,
    validUntil: 1_000,
    details: { guarantee: 'at_retrieval' },
  };
  return {
    session: sampleSession(id, revision),
    expectedRevision: revision - 1,
    usedKey: { id: `key-${revision}`, fingerprint: 'fingerprint' },
    result: body,
    quotes: [quote],
  };
}
