import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Session } from './session.ts';
import type { SessionChange, SessionStore, UsedKey } from './session-store.ts';

/** Plain maps to compare the store with. There are few sessions, keys and expiries, so that commands interact. */
type Model = {
  readonly sessions: Map<string, { session: Session; bodiesDeleted: boolean }>;
  readonly usedKeys: Map<string, Map<string, UsedKey>>;
  readonly results: Map<string, Uint8Array>;
};
type Command = fc.AsyncCommand<Model, SessionStore>;

const END_OF_TIME = Number.MAX_SAFE_INTEGER;
const names = fc.constantFrom('α', 'b', 'c', 'd');
const keys = fc.constantFrom('k1', 'k2', 'k3');
const expiries = fc.integer({ min: 0, max: 5 });
const bodies = fc.uint8Array({ maxLength: 40 });

const commands: fc.Arbitrary<Command>[] = [
  fc
    .record({
      name: names,
      openedAt: expiries,
      expiresAt: expiries,
      maxSessions: fc.option(fc.integer({ min: 1, max: 4 })),
    })
    .map(open),
  fc
    .record({
      name: names,
      // Mostly the right revision, sometimes a stale one.
      staleness: fc.constantFrom(0, 0, 0, 0, 1, -1),
      usedKey: fc.option(fc.record({ id: keys, fingerprint: fc.string() })),
      result: fc.option(bodies),
      guests: fc.string(),
    })
    .map(commit),
  fc.record({ name: names, key: keys }).map(readAll),
  fc.tuple(expiries, expiries, fc.integer({ min: 1, max: 5 })).map(deleteExpired),
];

export function sessionStoreModelContract({
  newStore,
}: {
  readonly newStore: (test: TestContext) => Promise<SessionStore>;
}): void {
  it('agrees with plain maps over random sequences of commands', async (t) => {
    const store = await newStore(t);
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 60 }), async (sequence) => {
      const setup = () => ({
        model: { sessions: new Map(), usedKeys: new Map(), results: new Map() },
        real: store,
      });
      try {
        await fc.asyncModelRun(setup, sequence);
      } finally {
        await store.deleteExpired({ bodiesBefore: END_OF_TIME, sessionsBefore: END_OF_TIME, limit: 1_000 });
      }
    });
    await fc.assert(property);
  });
}

function command(text: string, run: (model: Model, store: SessionStore) => Promise<void>): Command {
  return { check: () => true, run, toString: () => text };
}

function open(input: {
  name: string;
  openedAt: number;
  expiresAt: number;
  maxSessions: number | null;
}): Command {
  return command(`open ${fc.stringify(input)}`, async (model, store) => {
    const { name, openedAt, expiresAt, maxSessions } = input;
    const session: Session = {
      id: name,
      assistant: 'assistant',
      source: null,
      onlyPlace: null,
      apiVersion: '2026-11-15',
      openedAt,
      expiresAt,
      revision: 0,
      payload: {},
      amenities: [],
      result: null,
    };
    const opened =
      maxSessions === null ? store.open(session) : store.open(session, { ...PLENTY, sessions: maxSessions });
    const live = [...model.sessions.values()].filter(
      (one) => !one.bodiesDeleted && one.session.expiresAt > openedAt,
    );
    if (maxSessions !== null && live.length >= maxSessions) {
      const until = Math.min(...live.map((one) => one.session.expiresAt));
      return assert.deepEqual(await opened, { kind: 'over_quota', until });
    }
    if (model.sessions.has(name)) return void (await assert.rejects(opened));
    await opened;
    model.sessions.set(name, { session, bodiesDeleted: false });
  });
}

function commit(input: {
  name: string;
  staleness: number;
  usedKey: SessionChange['usedKey'];
  result: Uint8Array | null;
  guests: string;
}): Command {
  return command(`commit ${fc.stringify(input)}`, async (model, store) => {
    const { name, staleness, usedKey, result, guests } = input;
    const known = model.sessions.get(name);
    const expectedRevision = (known?.session.revision ?? 0) - staleness;
    const base = known?.session ?? { ...NOBODY, id: name };
    const session = { ...base, revision: expectedRevision + 1, payload: { guests } };
    const outcome = await store.commit({ session, expectedRevision, usedKey, result, quotes: [] });
    if (!known || staleness !== 0) return assert.equal(outcome.kind, 'conflict');
    assert.equal(outcome.kind, 'committed');
    model.sessions.set(name, { session, bodiesDeleted: false });
    if (usedKey) {
      const { id, fingerprint } = usedKey;
      const usedKeys = model.usedKeys.get(name) ?? new Map<string, UsedKey>();
      model.usedKeys.set(name, usedKeys.set(id, { fingerprint, revision: session.revision }));
    }
    if (result) model.results.set(name, result);
  });
}

function readAll({ name, key }: { name: string; key: string }): Command {
  return command(`read ${name} and ${key}`, async (model, store) => {
    assert.deepEqual(await store.find(name), model.sessions.get(name)?.session);
    assert.deepEqual(await store.usedKey(name, key), model.usedKeys.get(name)?.get(key));
    assert.equal(await store.countUsedKeys(name), model.usedKeys.get(name)?.size ?? 0);
    assert.deepEqual(await store.result(name), model.results.get(name));
  });
}

function deleteExpired([bodiesBefore, sessionsBefore, limit]: [number, number, number]): Command {
  return command(`delete ${bodiesBefore} ${sessionsBefore} ${limit}`, async (model, store) => {
    const all = [...model.sessions];
    const old = all.filter(([, { session }]) => session.expiresAt < sessionsBefore);
    const withBodies = all.filter(
      ([, { session, bodiesDeleted }]) =>
        !bodiesDeleted && session.expiresAt < bodiesBefore && session.expiresAt >= sessionsBefore,
    );
    // Stores may order equal expiries as they like, so the model deletes only when the limit covers all of them.
    const fits = old.length + withBodies.length <= limit;
    const expected = fits ? old.length + withBodies.length : limit;
    assert.equal(await store.deleteExpired({ bodiesBefore, sessionsBefore, limit }), expected);
    if (!fits) await store.deleteExpired({ bodiesBefore, sessionsBefore, limit: 1_000 });
    for (const [name, stored] of [...old, ...withBodies]) {
      stored.bodiesDeleted = true;
      model.usedKeys.delete(name);
      model.results.delete(name);
    }
    for (const [name] of old) model.sessions.delete(name);
  });
}

const PLENTY = { bytes: 1e12, totalBytes: 1e12, shareBytes: 1e12 };

const NOBODY: Omit<Session, 'id'> = {
  assistant: 'nobody',
  source: null,
  onlyPlace: null,
  apiVersion: '',
  openedAt: 0,
  expiresAt: 0,
  revision: 0,
  payload: {},
  amenities: [],
  result: null,
};
