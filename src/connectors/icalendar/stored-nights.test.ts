import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { turnsDuring } from '../../../test/support/event-loop-turns.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { packNights, type StoredFeed, unpackNights } from './packed-nights.ts';
import { createStoredNights } from './stored-nights.ts';

function disk() {
  const documents = new Map<string, OwnedBytes>();
  const stored = (name: string) => ({
    read: async () => documents.get(name),
    async save(document: OwnedBytes) {
      documents.set(name, document);
    },
  });
  return { documents, stored };
}

const idOf = (at: number, digit = '0') => digit + at.toString(16).padStart(31, '0');

const feedOf = (...days: readonly number[]): StoredFeed => ({
  nights: Int32Array.from(days),
  doubtedSince: null,
});

async function unpacked(document: Uint8Array): Promise<[string, StoredFeed][]> {
  const entries: [string, StoredFeed][] = [];
  await unpackNights(document, (id, feed) => entries.push([id, feed]));
  return entries;
}

const anyNights = fc
  .array(fc.tuple(fc.integer({ min: -1000, max: 100_000 }), fc.integer({ min: -1000, max: 100_000 })), {
    maxLength: 20,
  })
  .map((ranges) => Int32Array.from(ranges.flat()));
const anyId = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const anyInstant = fc.integer({ min: 1, max: 10 ** 13 });
const anyFeed = fc.record(
  { nights: anyNights, doubtedSince: fc.option(anyInstant) },
  { noNullPrototype: true },
);
const anySlot = fc
  .array(fc.tuple(anyId, anyFeed), { maxLength: 20 })
  .map((entries) => new Map<string, StoredFeed>(entries));

describe('packed nights', () => {
  it('are unpacked as they were, wherever the document begins in its memory', async () => {
    await fc.assert(
      fc.asyncProperty(anySlot, fc.integer({ min: 0, max: 7 }), async (slot, offset) => {
        const document = await packNights(slot);
        const moved = new Uint8Array(document.length + offset).subarray(offset);
        moved.set(document);
        assert.deepEqual(await unpacked(moved), [...slot]);
      }),
    );
  });

  it('of a damaged document are those before the damage, and never an error', async () => {
    await fc.assert(
      fc.asyncProperty(anySlot, fc.nat(), async (slot, cut) => {
        const document = await packNights(slot);
        const entries = await unpacked(document.slice(0, cut % (document.length + 1)));
        assert.deepEqual(entries, [...slot].slice(0, entries.length));
      }),
    );
    await fc.assert(fc.asyncProperty(fc.uint8Array(), async (bytes) => void (await unpacked(bytes))));
    for (const days of [-2, 3, 1_000_000]) {
      const document = await packNights(new Map([[idOf(1), feedOf(1, 2)]]));
      new Int32Array(document.buffer)[8] = days;
      assert.deepEqual(await unpacked(document), []);
    }
  });
});

describe('stored nights', () => {
  it('of an earlier release are passed over, and replaced', async () => {
    const { documents, stored } = disk();
    documents.set('feed-0', new TextEncoder().encode(`{"${idOf(1)}":[20000,20002]}`));
    const nights = createStoredNights({ stored, clock: createFakeClock(0) });
    assert.equal(await nights.of(idOf(1)), undefined);
    nights.set(idOf(2), feedOf(5, 7));
    await nights.close();
    const again = createStoredNights({ stored, clock: createFakeClock(0) });
    assert.deepEqual([await again.of(idOf(1)), await again.of(idOf(2))], [undefined, feedOf(5, 7)]);
  });

  it('that are forgotten are forgotten on disk', async () => {
    const { documents, stored } = disk();
    const clock = createFakeClock(0);
    const nights = createStoredNights({ stored, clock });
    for (const at of [1, 2, 3]) nights.set(idOf(at, 'f'), feedOf(at, at + 1));
    nights.forget(idOf(1, 'f'));
    await nights.retain(new Set([idOf(3, 'f')]));
    await clock.advance(10_000);
    assert.deepEqual([...documents.keys()], ['feed-f']);
    assert.deepEqual(await unpacked(documents.get('feed-f') ?? new Uint8Array()), [
      [idOf(3, 'f'), feedOf(3, 4)],
    ]);
  });

  for (const { feeds, ranges, turns } of [
    { feeds: 200, ranges: 5000, turns: { writing: 10, loading: 10, forgetting: 0 } },
    { feeds: 100_000, ranges: 10, turns: { writing: 70, loading: 60, forgetting: 20 } },
  ]) {
    it(`of ${feeds} feeds in one document hold no turn for long`, async () => {
      const { stored } = disk();
      const written = createStoredNights({ stored, clock: createFakeClock(0) });
      const days = Int32Array.from({ length: 2 * ranges }, (_, at) => 20_000 + at);
      for (let at = 0; at < feeds; at += 1) written.set(idOf(at), { nights: days, doubtedSince: null });
      const read = createStoredNights({ stored, clock: createFakeClock(0) });
      const taken = {
        writing: await turnsDuring(() => written.close()),
        loading: await turnsDuring(() => read.of(idOf(0))),
        forgetting: await turnsDuring(() => read.retain(new Set())),
      };
      assert.equal(await read.of(idOf(0)), undefined);
      for (const work of ['writing', 'loading', 'forgetting'] as const) {
        assert.ok(taken[work] >= turns[work], `${work} took ${taken[work]} turns`);
      }
    });
  }
});
