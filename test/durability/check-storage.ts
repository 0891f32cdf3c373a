import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../src/sessions/session.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openSqliteIn } from '../support/temporary-storage.ts';
import { quotesOf, resultOf, resultRevision, sessionAt, usedKeysAt } from './workload.ts';

/** What the writing processes on one directory have printed, over all rounds. */
export type Confirmed = {
  /** The highest confirmed revision of each session, 0 for one that was only opened. */
  readonly revisions: Map<string, number>;
  readonly expiries: Map<string, number>;
  readonly cards: Map<string, number>;
  /** Sessions that expired before this may be deleted, or may have lost their bodies. */
  deletingBefore: number;
};

export function nothingConfirmed(): Confirmed {
  return { revisions: new Map(), expiries: new Map(), cards: new Map(), deletingBefore: 0 };
}

/** Reads the lines of one process, except a last one that the kill has cut off. Returns how many changes it confirmed. */
export function recordConfirmed(confirmed: Confirmed, name: string, output: string): number {
  const lines = output.split('\n').slice(0, -1);
  let changes = 0;
  for (const line of lines) {
    const [what, id = '', number = ''] = line.split(' ');
    if (what === 'opened') confirmed.revisions.set(id, 0);
    if (what === 'opened') confirmed.expiries.set(id, Number(number));
    if (what === 'committed') confirmed.revisions.set(id, Number(number));
    if (what === 'card') confirmed.cards.set(name, Number(id));
    if (what === 'deleting') confirmed.deletingBefore = Math.max(confirmed.deletingBefore, Number(id));
    if (what === 'opened' || what === 'committed' || what === 'card') changes += 1;
    assert.notEqual(what, 'conflict', `there is one writer, so nothing may conflict: ${line}`);
  }
  return changes;
}

/**
 * Everything confirmed is there, and nothing is half there. A change that was written but not confirmed counts as
 * confirmed from now on, because it has been read; returns how many of these there were.
 */
export async function checkStorage(directory: string, confirmed: Confirmed): Promise<number> {
  const storage = await openSqliteIn(directory);
  try {
    const stored = await checkWholeness(storage, directory, confirmed);
    for (const [id, revision] of confirmed.revisions) {
      const session = stored.get(id);
      if (session) assert.ok(session.revision >= revision, `${id} was confirmed at ${revision}`);
      else assert.ok(mayBeDeleted(confirmed, confirmed.expiries.get(id)), `${id} is lost`);
    }
    for (const [name, version] of confirmed.cards) {
      const card = JSON.parse(new TextDecoder().decode(await storage.inventory.document(name)) || '{}');
      assert.ok(card.version >= version, `rate card ${name} was confirmed at ${version}`);
    }
    return confirmWritten(stored, confirmed);
  } finally {
    await storage.close();
  }
}

function confirmWritten(stored: ReadonlyMap<string, Session>, confirmed: Confirmed): number {
  let changes = 0;
  for (const [id, { revision, expiresAt }] of stored) {
    changes += revision - (confirmed.revisions.get(id) ?? -1);
    confirmed.revisions.set(id, revision);
    confirmed.expiries.set(id, expiresAt);
  }
  return changes;
}

async function checkWholeness({ sessions }: Storage, directory: string, confirmed: Confirmed) {
  const { stored, emptied, ledger } = readRaw(directory);
  for (const [id, session] of stored) {
    const { revision, expiresAt } = session;
    assert.deepEqual(session, sessionAt(id, expiresAt, revision));
    const bodiesDeleted = emptied.has(id);
    if (bodiesDeleted) assert.ok(mayBeDeleted(confirmed, expiresAt), `the bodies of ${id} are lost`);

    for (const [key, used] of usedKeysAt(id, revision)) {
      assert.deepEqual(await sessions.usedKey(id, key), bodiesDeleted ? undefined : used, `${key} of ${id}`);
    }
    const resultAt = resultRevision(revision);
    const result = bodiesDeleted || resultAt === 0 ? undefined : resultOf(id, resultAt);
    assert.deepEqual(await sessions.result(id), result, `result of ${id} at ${revision}`);
  }
  for (const id of new Set([...stored.keys(), ...confirmed.revisions.keys()])) {
    // The ledger outlives its sessions: of a deleted one it holds at least what was confirmed.
    const expected = quotesUpTo(id, stored.get(id)?.revision ?? confirmed.revisions.get(id) ?? 0);
    const listed = ledger.get(id) ?? [];
    assert.deepEqual(stored.has(id) ? listed : listed.slice(0, expected.length), expected, `quotes of ${id}`);
  }
  return stored;
}

function quotesUpTo(id: string, revision: number): string[] {
  return Array.from({ length: revision + 1 }, (_, at) => quotesOf(id, at).map(({ nxq }) => nxq)).flat();
}

function mayBeDeleted(confirmed: Confirmed, expiresAt: number | undefined): boolean {
  return expiresAt !== undefined && expiresAt < confirmed.deletingBefore;
}

/** The port has no list of sessions, so they and the whole ledger are read from the file. */
function readRaw(directory: string) {
  const database = new DatabaseSync(join(directory, 'sessions.sqlite'), { readOnly: true });
  try {
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
    const stored = new Map<string, Session>();
    const emptied = new Set<string>();
    for (const row of database.prepare('SELECT id, revision, emptied, state FROM session').all()) {
      const session: Session = JSON.parse(String(row.state));
      assert.equal(row.revision, session.revision);
      stored.set(String(row.id), session);
      if (row.emptied !== 0) emptied.add(String(row.id));
    }
    const ledger = new Map<string, string[]>();
    for (const row of database.prepare('SELECT session, nxq FROM issued_quote ORDER BY number').all()) {
      const id = String(row.session);
      const nxqs = ledger.get(id) ?? [];
      ledger.set(id, nxqs);
      nxqs.push(String(row.nxq));
    }
    return { stored, emptied, ledger };
  } finally {
    database.close();
  }
}
