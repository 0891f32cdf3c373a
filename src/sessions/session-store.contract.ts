import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IssuedQuote, QuoteLedger, QuoteQuestion } from './quote-ledger.ts';
import type { Session } from './session.ts';
import type { SessionChange, SessionStore } from './session-store.ts';
import { StorageFailure } from './storage-failure.ts';

/** A new store for one test, closed and deleted after it. */
export type NewSessionStore = (test: TestContext) => Promise<SessionStore & QuoteLedger>;

/** The cases that every session store must pass. */
export function sessionStoreContract({ newStore }: { readonly newStore: NewSessionStore }): void {
  describe('sessions', () => {
    it('finds a session as it was opened', async (t) => {
      const store = await newStore(t);
      const session = aSession({
        assistant: 'Ωmega 助手 🏡 "\\\u0000\u2028',
        source: 'casa-azul',
        payload: { brand_locked: true, destination: 'são-paulo' },
        amenities: ['pool', 'sauna'],
        result: { answersPayload: false, amenityOffers: [{ value: 'wifi', match_count: 2, of: 3 }] },
      });
      await store.open(session);
      assert.deepEqual(await store.find(session.id), session);
    });
  });

  describe('commits', () => {
    it('conflict, and write nothing, when the revision has moved on', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      await store.commit(aChange({ session: aSession({ revision: 1 }), key: 'first' }));
      const late = aChange({
        session: aSession({ revision: 1, assistant: 'late' }),
        key: 'late',
        result: bytes('late'),
        quotes: [aQuote('late')],
      });
      assert.deepEqual(await store.commit(late), { kind: 'conflict' });
      assert.deepEqual(await store.find('s'), aSession({ revision: 1 }));
      assert.equal(await store.usedKey('s', 'late'), undefined);
      assert.equal(await store.result('s'), undefined);
      assert.deepEqual(await store.issuedQuotes({ since: 0, limit: 10 }), []);
    });

    it('let exactly one of two writers with the same expectation win', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const writers = ['one', 'other', 'third'];
      const outcomes = await Promise.all(
        writers.map((assistant) =>
          store.commit(aChange({ session: aSession({ revision: 1, assistant }), key: assistant })),
        ),
      );
      const kinds = outcomes.map(({ kind }) => kind);
      assert.deepEqual(kinds.toSorted(), ['committed', 'conflict', 'conflict']);
      const winner = writers[kinds.indexOf('committed')];
      assert.equal((await store.find('s'))?.assistant, winner);
      for (const writer of writers) {
        assert.equal((await store.usedKey('s', writer)) !== undefined, writer === winner, writer);
      }
    });

    it('follow each other without waiting, as if one after the other', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, revision) =>
          store.commit(aChange({ session: aSession({ revision: revision + 1 }), key: `key-${revision}` })),
        ),
      );
      assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['committed']));
      assert.equal((await store.find('s'))?.revision, 200);
      assert.equal((await store.usedKey('s', 'key-0'))?.revision, 1);
      assert.equal((await store.usedKey('s', 'key-199'))?.revision, 200);
    });
  });

  describe('claims', () => {
    const claimed = { kind: 'claimed' };
    const taken = { kind: 'taken' };
    const conflict = { kind: 'conflict' };
    const LONG = 60_000;

    it('are given to one at a time, each session for itself', async (t) => {
      const store = await newStore(t);
      for (const id of ['one', 'two']) await store.open(aSession({ id }));
      const outcomes = await Promise.all([1, 2, 3].map(() => store.claim('one', 0, LONG)));
      assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['claimed', 'taken', 'taken']);
      assert.deepEqual(await store.claim('two', 0, LONG), claimed);
    });

    it('are free again when they are released, and after a commit', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      await store.claim('s', 0, LONG);
      store.release('s', 0);
      store.release('s', 0);
      assert.deepEqual(await store.claim('s', 0, LONG), claimed);
      await store.commit(aChange({ session: aSession({ revision: 1 }) }));
      assert.deepEqual(await store.claim('s', 1, LONG), claimed);
      store.release('s', 0);
      assert.deepEqual(await store.claim('s', 1, LONG), taken, 'the earlier claim is over already');
    });

    it('stay when a change conflicts, and keep nobody from changing the session', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      await store.claim('s', 0, LONG);
      assert.deepEqual(await store.commit(aChange({ session: aSession({ revision: 7 }) })), conflict);
      assert.deepEqual(await store.claim('s', 0, LONG), taken);
      const key = aChange({ session: aSession(), key: 'noted' });
      assert.deepEqual(await store.commit({ ...key, expectedRevision: 0 }), { kind: 'committed' });
      assert.deepEqual(await store.claim('s', 0, LONG), taken, 'its search has not moved on');
      const change = aChange({ session: aSession({ revision: 1 }) });
      assert.deepEqual(await store.commit(change), { kind: 'committed' });
    });

    it('end by themselves, so that nobody who died holds a session', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      await store.claim('s', 0, 1);
      while ((await store.claim('s', 0, LONG)).kind === 'taken') await nextTurn();
      assert.deepEqual(await store.claim('s', 0, LONG), taken);
    });
  });

  describe('notes at one revision', () => {
    const committed = { kind: 'committed' };
    const noted = (key: string, notes: number, revision = 0): SessionChange => ({
      ...aChange({ session: aSession({ revision, notes, payload: { destination: key } }), key }),
      expectedRevision: revision,
    });

    it('conflict when another came first', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      assert.deepEqual(await store.commit(noted('one', 1)), committed);
      assert.deepEqual(await store.commit(noted('two', 1)), { kind: 'conflict' });
      assert.deepEqual((await store.find('s'))?.payload, { destination: 'one' });
      assert.equal(await store.usedKey('s', 'two'), undefined);
      assert.deepEqual(await store.commit(noted('two', 2)), committed);
      assert.equal((await store.find('s'))?.notes, 2);
    });

    it('keep nobody from a new revision, which begins without them', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      await store.commit(noted('one', 1));
      assert.deepEqual(await store.commit(aChange({ session: aSession({ revision: 1 }) })), committed);
      assert.deepEqual(await store.commit(noted('two', 2, 1)), { kind: 'conflict' });
      assert.deepEqual(await store.commit(noted('two', 1, 1)), committed);
    });
  });

  describe('used keys', () => {
    it('are counted, each once', async (t) => {
      const store = await newStore(t);
      assert.equal(await store.countUsedKeys('s'), 0);
      await store.open(aSession());
      assert.equal(await store.countUsedKeys('s'), 0);
      for (const [before, key] of ['one', 'two', 'one'].entries()) {
        await store.commit(aChange({ session: aSession({ revision: before + 1 }), key }));
      }
      assert.equal(await store.countUsedKeys('s'), 2);
      await store.deleteExpired(cutoffs(2_000, 0, 10));
      assert.equal(await store.countUsedKeys('s'), 0);
    });
  });

  describe('results', () => {
    it('come back byte for byte, also large, empty and binary ones', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const large = Uint8Array.from({ length: 200_000 }, (_, at) => (at * 31) % 256);
      for (const [before, body] of [
        large,
        new Uint8Array(0),
        bytes('{"name":"Quinta da Água 🏡"}'),
      ].entries()) {
        const session = aSession({ revision: before + 1 });
        await store.commit(aChange({ session, result: body }));
        const stored = await store.result('s');
        // Not deepEqual: describing how 200,000 bytes differ would take minutes.
        assert.ok(stored && Buffer.compare(stored, body) === 0, `${body.length} bytes`);
      }
    });

    it('of a buffer that is a window into a larger one hold only the window', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const window = Buffer.from('..{"a":1}..').subarray(2, 9);
      await store.commit(aChange({ session: aSession({ revision: 1 }), result: window }));
      assert.deepEqual(await store.result('s'), bytes('{"a":1}'));
    });
  });

  describe('quotas', () => {
    const plenty = { sessions: 1_000, bytes: 1e9, totalBytes: 1e9, shareBytes: 1e9 };
    const opened = { kind: 'opened' };
    const over = (until: number) => ({ kind: 'over_quota', until });

    it('count no bytes of sessions that have ended, neither of the assistant nor of the store', async (t) => {
      const store = await newStore(t);
      const quota = { sessions: 10, bytes: 200_000, totalBytes: 150_000, shareBytes: 50_000 };
      const openAt = (openedAt: number, id: string, assistant: string, expiresAt: number) =>
        store.open(aSession({ id, assistant, openedAt, expiresAt }), quota);
      const fill = (id: string, assistant: string, expiresAt: number, size: number) =>
        store.commit(
          aChange({
            session: aSession({ id, assistant, expiresAt, revision: 1 }),
            result: new Uint8Array(size),
          }),
        );
      await openAt(0, 'large', 'one', 500);
      await fill('large', 'one', 500, 210_000);
      await openAt(0, 'lasting', 'one', 900);
      assert.deepEqual(await openAt(499, 'next', 'one', 999), over(500));
      await openAt(499, 'other', 'two', 900);
      await fill('other', 'two', 900, 60_000);
      assert.deepEqual(await openAt(499, 'more', 'two', 999), over(900), 'the store is full');
      assert.deepEqual(await openAt(500, 'more', 'two', 999), opened, 'what filled it has ended');
      assert.deepEqual(await openAt(500, 'next', 'one', 999), opened);
    });

    it('of one assistant do not depend on another, unless the whole store is full', async (t) => {
      const store = await newStore(t);
      const quota = { sessions: 10, bytes: 300_000, totalBytes: 150_000, shareBytes: 75_000 };
      const open = (id: string, assistant: string) => store.open(aSession({ id, assistant }), quota);
      await open('greedy', 'greedy');
      await open('modest', 'modest');
      const fill = (id: string, assistant: string, size: number) =>
        store.commit(
          aChange({ session: aSession({ id, assistant, revision: 1 }), result: new Uint8Array(size) }),
        );
      await fill('greedy', 'greedy', 140_000);
      await fill('modest', 'modest', 20_000);
      assert.deepEqual(await open('greedy too', 'greedy'), over(1_000), 'above its share of a full store');
      assert.deepEqual(await open('modest too', 'modest'), opened, 'below its share');
      assert.deepEqual(await open('third', 'third'), opened);
    });

    it('count bytes: results as they stand, keys and quotes', async (t) => {
      const store = await newStore(t);
      const quota = { ...plenty, bytes: 100_000 };
      const openNext = (id: string) => store.open(aSession({ id }), quota);
      const commit = async (revision: number, change: Partial<SessionChange>) => {
        const session = aSession({ id: 'large', revision });
        await store.commit({ ...aChange({ session }), usedKey: null, ...change });
      };
      await openNext('large');
      await commit(1, { result: new Uint8Array(90_000) });
      await commit(2, { result: new Uint8Array(90_000) });
      assert.deepEqual(await openNext('a'), opened, 'a result that is replaced does not count twice');
      await commit(3, { result: new Uint8Array(99_000) });
      assert.deepEqual(await openNext('b'), over(1_000));
      await commit(4, { result: new Uint8Array(0) });
      assert.deepEqual(await openNext('b'), opened);
      await commit(5, { quotes: Array.from({ length: 500 }, (_, at) => aQuote(`q${at}`)) });
      assert.deepEqual(await openNext('c'), over(1_000));
    });
  });

  describe('deleting expired sessions', () => {
    it('deletes their bodies first, then the sessions', async (t) => {
      const store = await newStore(t);
      await store.open(aSession({ expiresAt: 100 }));
      const session = aSession({ revision: 1, expiresAt: 100 });
      await store.commit(aChange({ session, result: bytes('result'), quotes: [aQuote('kept')] }));

      assert.equal(await store.deleteExpired(cutoffs(100, 50, 10)), 0, 'it expires at 100, not before');
      assert.equal(await store.deleteExpired(cutoffs(101, 50, 10)), 1);
      assert.deepEqual(await store.find('s'), session, 'so that a late caller gets 410 and not 404');
      assert.equal(await store.result('s'), undefined);
      assert.equal(await store.usedKey('s', 'key'), undefined);
      assert.equal(await store.deleteExpired(cutoffs(101, 50, 10)), 0, 'its bodies are deleted already');

      assert.equal(await store.deleteExpired(cutoffs(101, 101, 10)), 1);
      assert.equal(await store.find('s'), undefined);
      assert.deepEqual(await store.commit(aChange({ session: aSession({ revision: 2 }) })), {
        kind: 'conflict',
      });
      assert.deepEqual(await store.issuedQuotes({ since: 0, limit: 10 }), [aQuote('kept')]);
    });
  });

  describe('the ledger', () => {
    it('lists quotes from an instant on, oldest first, up to a limit', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const quotes = [aQuote('q3', 30), aQuote('q1', 10), aQuote('q2', 20), aQuote('q2b', 20)];
      await store.commit(aChange({ session: aSession({ revision: 1 }), quotes }));
      const listed = await store.issuedQuotes({ since: 20, limit: 2 });
      assert.deepEqual(listed, [aQuote('q2', 20), aQuote('q2b', 20)]);
      assert.equal((await store.issuedQuotes({ since: 0, limit: 10 })).length, 4);
    });

    it('keeps how a price was made up, whatever its texts hold, and what was not published is left out', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const whole: IssuedQuote = {
        ...aQuote('whole'),
        details: {
          lines: [
            { label: 'Rent "7 nights" \\ \u{1f3e0}', amount: 41_000 },
            { label: 'Cleaning', amount: -250 },
          ],
          guarantee: 'held',
          deposit: { amount: 30_000, refundable: true },
          dueOnSite: 0,
          cancellation: 'Half is given back until 30 days before.\nThen nothing.',
        },
      };
      const quotes = [whole, aQuote('plain'), { ...aQuote('old'), place: '' as const, details: null }];
      await store.commit(aChange({ session: aSession({ revision: 1 }), quotes }));
      assert.deepEqual(await store.issuedQuotes({ since: 0, limit: 10 }), quotes);
    });

    it('finds quotes by their identifier, or by property and stay, the newest first, up to a limit', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const quotes: IssuedQuote[] = [
        aQuote('q1', 10),
        { ...aQuote('q2', 30), checkIn: '2027-05-04' },
        { ...aQuote('q3', 20), checkOut: '2027-05-10' },
        { ...aQuote('q4', 40), property: 'casa-azul:2' },
        aQuote('q5', 10),
        aQuote('q6', 15),
      ];
      await store.commit(aChange({ session: aSession({ revision: 1 }), quotes }));
      const found = async (question: QuoteQuestion, limit = 10) =>
        (await store.findQuotes(question, limit)).map(({ nxq }) => nxq);
      assert.deepEqual(await store.findQuotes({ nxq: 'q4' }, 10), [quotes[3]]);
      assert.deepEqual(await found({ nxq: 'q' }), []);
      const property = 'casa-azul:1';
      const stay = { checkIn: '2027-05-03', checkOut: '2027-05-09' };
      assert.deepEqual(await found({ property, ...stay }), ['q6', 'q5', 'q1']);
      assert.deepEqual(await found({ property, ...stay }, 2), ['q6', 'q5']);
      assert.deepEqual(await found({ property, ...stay, checkIn: '2027-05-04' }), ['q2']);
      assert.deepEqual(await found({ property, ...stay, checkOut: '2027-05-10' }), ['q3']);
      assert.deepEqual(await found({ property, ...stay, checkOut: '2027-05-11' }), []);
      assert.deepEqual(await found({ property: 'casa-azul:%', ...stay }), []);
    });

    it('loses what was retrieved too long ago, the oldest first, up to a limit, and nothing else', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const times = [50, 10, 30, 20, 40];
      const quotes = times.map((at) => aQuote(`q${at}`, at));
      await store.commit(aChange({ session: aSession({ revision: 1 }), quotes }));
      const left = async () =>
        (await store.issuedQuotes({ since: 0, limit: 10 })).map(({ retrievedAt }) => retrievedAt);
      assert.equal(await store.deleteQuotes({ now: 110, keptMs: 100, limit: 9 }), 0, 'not older than that');
      assert.deepEqual(await left(), [10, 20, 30, 40, 50]);
      assert.equal(await store.deleteQuotes({ now: 141, keptMs: 100, limit: 2 }), 2);
      assert.deepEqual(await left(), [30, 40, 50]);
      assert.equal(await store.deleteQuotes({ now: 141, keptMs: 100, limit: 2 }), 2);
      assert.equal(await store.deleteQuotes({ now: 141, keptMs: 100, limit: 2 }), 0);
      assert.equal(await store.deleteQuotes({ now: 120, keptMs: 100, limit: 2 }), 0, 'a clock put back');
      assert.deepEqual(await left(), [50]);
      await store.commit(aChange({ session: aSession({ revision: 2 }), quotes: [aQuote('late', 5)] }));
      assert.equal(await store.deleteQuotes({ now: 141, keptMs: 100, limit: 2 }), 1, 'one that came later');
    });

    it('loses the oldest quotes of the assistant that stores most when it outgrows its limit', async (t) => {
      const store = await newStore(t);
      const issue = async (assistant: string, count: number) => {
        await store.open(aSession({ id: assistant, assistant }));
        const details = { guarantee: 'held' as const, cancellation: `As ${assistant} knows it.` };
        const quotes = Array.from({ length: count }, (_, at) => ({
          ...aQuote(`${assistant}-${at}`, 10 + at),
          ...{ session: assistant, assistant, details },
        }));
        await store.commit(aChange({ session: aSession({ id: assistant, assistant, revision: 1 }), quotes }));
      };
      await issue('modest', 2);
      await issue('greedy', 6);
      const left = async () =>
        (await store.issuedQuotes({ since: 0, limit: 20 })).map(({ nxq }) => nxq).sort();
      assert.equal(await store.deleteSurplus({ maxBytes: 10_000, maxAssistantBytes: 10_000, limit: 9 }), 0);
      assert.equal(await store.deleteSurplus({ maxBytes: 2_000, maxAssistantBytes: 2_000, limit: 2 }), 2);
      const rest = ['greedy-2', 'greedy-3', 'greedy-4', 'greedy-5', 'modest-0', 'modest-1'];
      assert.deepEqual(await left(), rest);
      assert.equal(await store.deleteSurplus({ maxBytes: 9_000, maxAssistantBytes: 1_000, limit: 1 }), 1);
      assert.equal(await store.deleteSurplus({ maxBytes: 2_600, maxAssistantBytes: 2_600, limit: 1 }), 0);
      assert.deepEqual(await left(), rest.slice(1));
      let deleted = 0;
      while ((await store.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 1 })) > 0) deleted += 1;
      assert.deepEqual([deleted, await left()], [5, []]);
      assert.equal(
        await store.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 1 }),
        0,
        'what is gone counts no more',
      );
      const session = aSession({ id: 'greedy', assistant: 'greedy', revision: 2 });
      const late = { ...aQuote('late', 5), session: 'greedy', assistant: 'greedy' };
      await store.commit(aChange({ session, quotes: [late] }));
      for (let call = 0; call < 2; call += 1)
        await store.deleteSurplus({ maxBytes: 0, maxAssistantBytes: 0, limit: 1 });
      assert.deepEqual(await left(), [], 'an older one that was stored late goes too');
    });

    it('is deleted from by several at once without harm', async (t) => {
      const store = await newStore(t);
      await store.open(aSession());
      const quotes = Array.from({ length: 60 }, (_, at) => aQuote(`q${at}`, at));
      await store.commit(aChange({ session: aSession({ revision: 1 }), quotes }));
      const old = { now: 150, keptMs: 100, limit: 20 };
      const deleteAll = async () => {
        let [total, deleted] = [0, 0];
        do {
          deleted = await store.deleteQuotes(old);
          total += deleted;
        } while (deleted > 0);
        return total;
      };
      const [one, other] = await Promise.all([deleteAll(), deleteAll()]);
      assert.equal(one + other, 50);
      assert.equal((await store.issuedQuotes({ since: 0, limit: 100 })).length, 10);
    });
  });

  describe('a closed store', () => {
    it('has kept what was submitted before, and refuses the rest', async (t) => {
      const store = await newStore(t);
      const opening = store.open(aSession());
      await Promise.all([store.close(), opening]);
      const calls = [
        store.open(aSession({ id: 'late' })),
        store.find('s'),
        store.commit(aChange({ session: aSession({ revision: 1 }) })),
        store.claim('s', 0, 1),
        store.result('s'),
        store.usedKey('s', 'key'),
        store.countUsedKeys('s'),
        store.deleteExpired(cutoffs(1, 1, 1)),
        store.issuedQuotes({ since: 0, limit: 1 }),
        store.deleteQuotes({ now: 1, keptMs: 1, limit: 1 }),
        store.deleteSurplus({ maxBytes: 1, maxAssistantBytes: 1, limit: 1 }),
      ];
      for (const [at, call] of (await Promise.allSettled(calls)).entries()) {
        assert.ok(call.status === 'rejected' && isFailure('closed')(call.reason), `call ${at}`);
      }
      await store.close();
    });
  });
}

const cutoffs = (bodiesBefore: number, sessionsBefore: number, limit: number) => ({
  bodiesBefore,
  sessionsBefore,
  limit,
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const isFailure = (kind: string) => (error: unknown) =>
  error instanceof StorageFailure && error.kind === kind;

function aSession(overrides: Partial<Session> = {}): Session {
  return {
    id: 's',
    assistant: 'assistant',
    source: null,
    onlyPlace: null,
    apiVersion: '2026-11-15',
    openedAt: 1,
    expiresAt: 1_000,
    revision: 0,
    payload: {},
    amenities: [],
    result: null,
    ...overrides,
  };
}

function aChange({
  session,
  key = 'key',
  fingerprint = 'fingerprint',
  result = null,
  quotes = [],
}: {
  session: Session;
  key?: string;
  fingerprint?: string;
  result?: Uint8Array | null;
  quotes?: readonly IssuedQuote[];
}): SessionChange {
  const usedKey = { id: key, fingerprint };
  return { session, expectedRevision: session.revision - 1, usedKey, result, quotes };
}

function aQuote(nxq: string, retrievedAt = 1): IssuedQuote {
  return {
    nxq,
    session: 's',
    assistant: 'assistant',
    brand: 'casa-azul',
    property: 'casa-azul:1',
    place: 'calpe',
    checkIn: '2027-05-03',
    checkOut: '2027-05-09',
    guests: 2,
    amount: 41_250,
    currency: 'EUR',
    retrievedAt,
    validUntil: 1_800_000_000_000,
    details: { guarantee: 'at_retrieval' },
  };
}
