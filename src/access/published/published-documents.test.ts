import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { isAmong, parseAddress } from '../../parsing/ip-address.ts';
import type { PublishedAddress, PublishedCopies, PublishedCopy } from './published-document.ts';
import {
  createPublishedDocuments,
  type FetchDocument,
  type FetchedDocument,
  type PublishedDocuments,
} from './published-documents.ts';

const START = Date.parse('2026-11-17T04:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LIST: PublishedAddress = { kind: 'ranges', url: 'https://assistant.example/ranges.json' };
const OTHER_LIST: PublishedAddress = { kind: 'ranges', url: 'https://other.example/ranges.json' };
const DIRECTORY: PublishedAddress = { kind: 'keys', url: 'https://assistant.example/keys' };

const [firstKey, secondKey] = [0, 1].map(() => ({
  ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
}));

type Answer = FetchedDocument | 'hangs' | 'throws';

function document(json: unknown, etag: string | null = null): FetchedDocument {
  return { kind: 'document', bytes: new TextEncoder().encode(JSON.stringify(json)), etag };
}

const UNREACHABLE: FetchedDocument = {
  kind: 'failed',
  failure: 'unreachable',
  detail: 'nobody answers',
  retryAfterMs: null,
};

function copiesInMemory(initial: Readonly<Record<string, PublishedCopy>> = {}) {
  const kept = new Map(Object.entries(initial));
  let writes = 0;
  const copies: PublishedCopies = {
    read: ({ url }) => kept.get(url) ?? null,
    write({ url }, copy) {
      writes += 1;
      kept.set(url, copy);
    },
    keepOnly(addresses) {
      for (const url of kept.keys()) if (!addresses.some((one) => one.url === url)) kept.delete(url);
    },
  };
  return {
    ...copies,
    kept,
    get writes() {
      return writes;
    },
  };
}

const keysOf = ({ keys }: Pick<PublishedDocuments, 'keys'>) =>
  keys(DIRECTORY.url)?.map(({ key }) => key) ?? null;

function setUp({
  copies = copiesInMemory(),
  share = 0.5,
}: {
  readonly copies?: ReturnType<typeof copiesInMemory>;
  /** What chance gives, between 0 and 1. */
  readonly share?: number;
} = {}) {
  const clock = createFakeClock(START);
  const answers = new Map<string, Answer>();
  const asked: { readonly url: string; readonly etag: string | null; readonly atMs: number }[] = [];
  const events: string[] = [];
  let changes = 0;
  const start = clock.elapsed();
  const fetchDocument: FetchDocument = async (url, { etag, signal }) => {
    asked.push({ url, etag, atMs: clock.elapsed() - start });
    const answer = answers.get(url) ?? UNREACHABLE;
    if (answer === 'throws') throw new Error('a fault of ours');
    if (answer !== 'hangs') return answer;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const random = {
    bytes(count: number) {
      const bytes = Buffer.alloc(count);
      bytes.writeUInt32BE(Math.floor(share * (2 ** 32 - 1)));
      return bytes;
    },
  };
  const published = createPublishedDocuments({
    fetchDocument,
    clock,
    random,
    copies,
    maxAgeMs: 7 * DAY,
    observe: {
      fetched: ({ kind }, { hasChanged, count, dropped }) =>
        events.push(`${kind} ${hasChanged ? 'changed' : 'same'} ${count} ${dropped}`),
      failed: ({ kind }, { failure, used }) =>
        events.push(`${kind} failed: ${failure}${used ? `, by ${used.source}` : ''}`),
      tooOld: ({ kind }, ageMs) => events.push(`${kind} too old: ${ageMs / DAY} days`),
    },
  });
  published.onChange(() => {
    changes += 1;
  });
  const holds = (address: string, url = LIST.url) => {
    const ranges = published.ranges(url);
    const parsed = parseAddress(address);
    assert.ok(parsed);
    return ranges && isAmong(ranges, parsed);
  };
  return {
    published,
    clock,
    answers,
    asked,
    events,
    copies,
    holds,
    get changes() {
      return changes;
    },
  };
}

describe('published documents', () => {
  it('are fetched at once when they are followed, and never before', async () => {
    const scene = setUp();
    scene.answers.set(LIST.url, document(['11.1.0.0/16']));
    scene.answers.set(DIRECTORY.url, document({ keys: [firstKey] }));
    await scene.clock.advance(DAY);
    assert.deepEqual(scene.asked, []);
    scene.published.follow([LIST, DIRECTORY]);
    assert.equal(scene.holds('11.1.2.3'), null);
    assert.equal(keysOf(scene.published), null);
    await scene.clock.advance(0);
    assert.equal(scene.holds('11.1.2.3'), true);
    assert.equal(scene.holds('11.2.2.3'), false);
    assert.deepEqual(keysOf(scene.published), [firstKey]);
    assert.equal(scene.published.ranges(DIRECTORY.url), null, 'keys are no ranges');
    assert.equal(scene.changes, 2);
    scene.published.stop();
    assert.equal(scene.clock.pendingTimers, 0);
  });

  it('are asked for by their etag, and "unchanged" makes the copy young again', async () => {
    const { published, clock, answers, asked, events } = setUp();
    answers.set(LIST.url, document(['11.1.0.0/16'], '"one"'));
    published.follow([LIST]);
    await clock.advance(MINUTE);
    answers.set(LIST.url, { kind: 'unchanged' });
    await clock.advance(8 * DAY);
    assert.deepEqual([asked[0]?.etag, asked[1]?.etag], [null, '"one"']);
    const [status] = published.status();
    assert.ok(status && !status.isTooOld && (status.ageMs ?? 0) <= HOUR);
    assert.ok(published.ranges(LIST.url));
    assert.ok(!events.some((event) => event.includes('too old')));
    published.stop();
  });

  it('are replaced whole by a fetch that works: what is gone is gone', async () => {
    const scene = setUp();
    scene.answers.set(LIST.url, document(['11.1.0.0/16']));
    scene.answers.set(DIRECTORY.url, document({ keys: [firstKey, secondKey] }));
    scene.published.follow([LIST, DIRECTORY]);
    await scene.clock.advance(MINUTE);
    scene.answers.set(LIST.url, document(['11.2.0.0/16']));
    scene.answers.set(DIRECTORY.url, document({ keys: [secondKey] }));
    await scene.clock.advance(2 * HOUR);
    assert.equal(scene.holds('11.1.2.3'), false);
    assert.equal(scene.holds('11.2.2.3'), true);
    assert.deepEqual(keysOf(scene.published), [secondKey]);
    scene.answers.set(DIRECTORY.url, document({ keys: [] }));
    await scene.clock.advance(6 * MINUTE);
    assert.deepEqual(keysOf(scene.published), []);
    scene.published.stop();
  });

  it('tell of a change only when something has changed', async () => {
    const scene = setUp();
    scene.answers.set(LIST.url, document({ creationTime: 'a', prefixes: ['11.1.0.0/16', '11.3.0.0/16'] }));
    scene.answers.set(DIRECTORY.url, document({ keys: [firstKey] }));
    scene.published.follow([LIST, DIRECTORY]);
    await scene.clock.advance(MINUTE);
    assert.equal(scene.changes, 2);
    scene.answers.set(LIST.url, document({ creationTime: 'b', prefixes: ['11.3.0.0/16', '11.1.0.0/16'] }));
    await scene.clock.advance(2 * HOUR);
    assert.equal(scene.changes, 2, 'the same networks written anew');
    scene.published.stop();
  });

  const failures: Readonly<Record<string, Answer>> = {
    'that is not answered': UNREACHABLE,
    'that fails by a fault of ours': 'throws',
    'that brings a page': document('<html>'),
    'that brings an absurd list': document(['0.0.0.0/0']),
    'that brings no text': { kind: 'document', bytes: Uint8Array.of(0xff, 0xfe, 0x00), etag: null },
    'that brings keys where networks should be': document({ keys: [firstKey] }),
  };
  it('keep the last good copy after any failed fetch, and say so', async () => {
    for (const [what, answer] of Object.entries(failures)) {
      const { published, clock, answers, holds, events } = setUp();
      answers.set(LIST.url, document(['11.1.0.0/16']));
      published.follow([LIST]);
      await clock.advance(MINUTE);
      answers.set(LIST.url, answer);
      await clock.advance(DAY);
      assert.equal(holds('11.1.2.3'), true, what);
      const [status] = published.status();
      assert.ok(status?.lastFailure && !status.isTooOld, what);
      assert.equal(status.confirmedAt, START);
      assert.ok(events.filter((event) => event.startsWith('ranges failed')).length > 5, what);
      published.stop();
    }
  });

  it('that say "unchanged" although no copy is held have failed', async () => {
    const { published, clock, answers, events } = setUp();
    answers.set(LIST.url, { kind: 'unchanged' });
    published.follow([LIST]);
    await clock.advance(0);
    assert.deepEqual(events, ['ranges failed: unreadable']);
    published.stop();
  });

  it('are asked for less and less often while they fail', async () => {
    const { published, clock, asked } = setUp();
    published.follow([DIRECTORY, LIST]);
    await clock.advance(HOUR);
    const pauses = (url: string) => {
      const times = asked.filter((one) => one.url === url).map(({ atMs }) => atMs);
      return times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 1000));
    };
    assert.deepEqual(pauses(DIRECTORY.url).slice(0, 7), [15, 30, 60, 120, 240, 300, 300]);
    assert.deepEqual(pauses(LIST.url), [15, 30, 60, 120, 240, 480, 960]);
    published.stop();
  });

  it('are left alone as long as their server asks for, but not for ever', async () => {
    const { published, clock, answers, asked } = setUp();
    answers.set(DIRECTORY.url, { ...UNREACHABLE, retryAfterMs: 20 * MINUTE });
    published.follow([DIRECTORY]);
    await clock.advance(30 * MINUTE);
    assert.deepEqual(
      asked.map(({ atMs }) => atMs / MINUTE),
      [0, 20],
    );
    answers.set(DIRECTORY.url, { ...UNREACHABLE, retryAfterMs: 300 * DAY });
    await clock.advance(3 * HOUR);
    assert.deepEqual(
      asked.map(({ atMs }) => atMs / MINUTE),
      [0, 20, 40, 100, 160],
    );
    published.stop();
  });

  it('do not wait for each other: one that hangs delays none', async () => {
    const { published, clock, answers, holds } = setUp();
    answers.set(LIST.url, 'hangs');
    answers.set(OTHER_LIST.url, document(['11.2.0.0/16']));
    published.follow([LIST, OTHER_LIST]);
    await clock.advance(0);
    assert.equal(holds('11.2.2.3', OTHER_LIST.url), true);
    published.stop();
    await clock.settle();
    assert.equal(clock.pendingTimers, 0);
  });

  it('are not used any more when their last good copy is too old, which is said once', async () => {
    const scene = setUp();
    scene.answers.set(LIST.url, document(['11.1.0.0/16']));
    scene.published.follow([LIST]);
    await scene.clock.advance(MINUTE);
    scene.answers.set(LIST.url, UNREACHABLE);
    await scene.clock.advance(7 * DAY - MINUTE - 1);
    assert.equal(scene.holds('11.1.2.3'), true);
    assert.equal(scene.changes, 1);
    await scene.clock.advance(1);
    assert.equal(scene.holds('11.1.2.3'), null);
    assert.equal(scene.changes, 2);
    assert.equal(scene.published.status()[0]?.isTooOld, true);
    await scene.clock.advance(DAY);
    assert.equal(scene.events.filter((event) => event.includes('too old')).length, 1);
    scene.answers.set(LIST.url, document(['11.1.0.0/16']));
    await scene.clock.advance(2 * HOUR);
    assert.equal(scene.holds('11.1.2.3'), true, 'the same list, young again');
    assert.equal(scene.changes, 3);
    scene.published.stop();
  });

  it('grow as old when the wall clock is stepped', async () => {
    for (const step of [-30 * DAY, 30 * DAY]) {
      const { published, clock, answers, holds } = setUp();
      answers.set(LIST.url, document(['11.1.0.0/16']));
      published.follow([LIST]);
      await clock.advance(MINUTE);
      answers.set(LIST.url, UNREACHABLE);
      clock.stepWallClock(step);
      await clock.advance(7 * DAY - MINUTE - 1);
      assert.equal(holds('11.1.2.3'), true);
      await clock.advance(1);
      assert.equal(holds('11.1.2.3'), null);
      published.stop();
    }
  });

  it('are forgotten when they are not wanted any more, and their copies when that is certain', async () => {
    const { published, clock, answers, asked, copies, holds } = setUp();
    answers.set(LIST.url, document(['11.1.0.0/16']));
    answers.set(OTHER_LIST.url, document(['11.2.0.0/16']));
    published.follow([LIST, OTHER_LIST]);
    await clock.advance(MINUTE);
    published.follow([OTHER_LIST]);
    assert.equal(holds('11.1.2.3'), null);
    assert.deepEqual([...copies.kept.keys()], [LIST.url, OTHER_LIST.url]);
    published.forgetOthers();
    assert.deepEqual([...copies.kept.keys()], [OTHER_LIST.url]);
    asked.length = 0;
    await clock.advance(3 * HOUR);
    assert.ok(asked.length > 0 && asked.every(({ url }) => url === OTHER_LIST.url));
    assert.deepEqual(
      published.status().map(({ url }) => url),
      [OTHER_LIST.url],
    );
    published.stop();
  });

  it('that come after they were forgotten change nothing', async () => {
    const scene = setUp();
    scene.answers.set(LIST.url, 'hangs');
    scene.published.follow([LIST]);
    await scene.clock.advance(0);
    scene.published.follow([]);
    await scene.clock.advance(DAY);
    assert.equal(scene.changes, 0);
    assert.deepEqual(scene.events, []);
    assert.equal(scene.clock.pendingTimers, 0);
  });
});

describe('copies of published documents', () => {
  const copied = (confirmedAt: number): PublishedCopy => ({
    confirmedAt,
    text: JSON.stringify(['11.1.0.0/16']),
  });

  it('are in force from the start, and asked for when they are due', async () => {
    const copies = copiesInMemory({ [LIST.url]: copied(START - 20 * MINUTE) });
    const { published, clock, asked, holds } = setUp({ copies });
    published.follow([LIST]);
    assert.equal(holds('11.1.2.3'), true);
    assert.equal(published.status()[0]?.source, 'copy');
    await clock.advance(40 * MINUTE);
    assert.deepEqual(
      asked.map(({ etag, atMs }) => [etag, Math.round(atMs / MINUTE)]),
      [[null, 40]],
    );
    published.stop();
  });

  it('that are too old are not used, and asked for at once', async () => {
    const copies = copiesInMemory({ [LIST.url]: copied(START - 7 * DAY) });
    const { published, clock, answers, asked, events, holds } = setUp({ copies });
    answers.set(LIST.url, document(['11.1.0.0/16']));
    published.follow([LIST]);
    assert.equal(holds('11.1.2.3'), null);
    assert.deepEqual(events, [], 'its publisher is asked first');
    await clock.advance(0);
    assert.equal(asked[0]?.etag, null, 'whole: an older release may have understood less of it');
    assert.equal(holds('11.1.2.3'), true, 'its publisher says that it still holds');
    published.stop();
  });

  it('that are too old are told of once they could not be fetched, and only once', async () => {
    const copies = copiesInMemory({ [LIST.url]: copied(START - 7 * DAY) });
    const { published, clock, events } = setUp({ copies });
    published.follow([LIST]);
    await clock.advance(HOUR);
    assert.deepEqual(events.slice(0, 3), [
      'ranges failed: unreachable',
      'ranges too old: 7 days',
      'ranges failed: unreachable',
    ]);
    assert.equal(events.filter((event) => event.includes('too old')).length, 1);
    published.stop();
  });

  it('from the future are used, and grow old from now on', async () => {
    const copies = copiesInMemory({ [LIST.url]: copied(START + 400 * DAY) });
    const { published, clock, holds } = setUp({ copies });
    published.follow([LIST]);
    await clock.advance(7 * DAY - 1);
    assert.equal(holds('11.1.2.3'), true);
    await clock.advance(1);
    assert.equal(holds('11.1.2.3'), null);
    published.stop();
  });

  it('that cannot be read, or would be refused today, count as none', () => {
    for (const text of ['{', '["0.0.0.0/0"]', '{"keys": []}']) {
      const copies = copiesInMemory({ [LIST.url]: { ...copied(START), text } });
      const { published, holds } = setUp({ copies });
      published.follow([LIST]);
      assert.equal(holds('11.1.2.3'), null);
      published.stop();
    }
  });

  it('are written when something has changed, and otherwise once an hour', async () => {
    const { published, clock, answers, copies } = setUp();
    answers.set(DIRECTORY.url, document({ keys: [{ ...firstKey, kid: 'one' }] }, '"one"'));
    published.follow([DIRECTORY]);
    await clock.advance(59 * MINUTE);
    assert.equal(copies.writes, 1);
    const { text = '', ...dated } = copies.kept.get(DIRECTORY.url) ?? {};
    assert.deepEqual(dated, { confirmedAt: START });
    assert.deepEqual(JSON.parse(text), { keys: [firstKey] }, 'only what is needed of it');
    await clock.advance(7 * MINUTE);
    assert.equal(copies.writes, 2);
    assert.ok((copies.kept.get(DIRECTORY.url)?.confirmedAt ?? 0) >= START + HOUR);
    published.stop();
  });
});

describe('keys with times', () => {
  it('that were withdrawn by their end stay so after a restart without their publisher', async () => {
    const { published, clock, answers, copies } = setUp();
    answers.set(
      DIRECTORY.url,
      document({ keys: [{ ...firstKey, exp: START / 1000 + 7 * 86_400 }, secondKey] }),
    );
    published.follow([DIRECTORY]);
    await clock.advance(MINUTE);
    answers.set(DIRECTORY.url, document({ keys: [{ ...firstKey, exp: START / 1000 - 60 }, secondKey] }));
    await clock.advance(5 * MINUTE);
    assert.equal(published.keys(DIRECTORY.url)?.[0]?.notAfter, START / 1000 - 60);
    published.stop();

    const restarted = setUp({ copies });
    restarted.published.follow([DIRECTORY]);
    await restarted.clock.advance(HOUR);
    assert.equal(restarted.published.keys(DIRECTORY.url)?.[0]?.notAfter, START / 1000 - 60);
    restarted.published.stop();
  });
});
