import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import { createStoredEntries } from './known-listings.ts';

function disk(content?: string) {
  const saved: OwnedBytes[] = content === undefined ? [] : [new TextEncoder().encode(content)];
  return {
    saved,
    read: async () => saved.at(-1),
    save: async (bytes: OwnedBytes) => {
      saved.push(bytes);
    },
  };
}

async function readAll(stored: ReturnType<typeof disk>): Promise<unknown[] | undefined> {
  const found: unknown[] = [];
  const isRead = await createStoredEntries(stored).read((entry) => found.push(entry));
  return isRead ? found : undefined;
}

/** What is done in each turn of the event loop while the work runs. */
async function perTurn(amount: () => number, work: () => Promise<unknown>): Promise<number[]> {
  const done: number[] = [];
  let isOver = false;
  let before = 0;
  const look = () => {
    done.push(amount() - before);
    before = amount();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  await new Promise(setImmediate);
  return done;
}

describe('stored entries', () => {
  it('come back as they were, whatever they are', async () => {
    const entries = fc.array(fc.jsonValue(), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(entries, async (some) => {
        const stored = disk();
        await createStoredEntries(stored).save(() => some);
        assert.deepEqual(await readAll(stored), JSON.parse(JSON.stringify(some)));
      }),
    );
  });

  it('are written and read a little in each turn of the event loop, however many and long they are', async () => {
    const long = '\u0001'.repeat(4000);
    const entries = [
      ...Array.from({ length: 20_000 }, (_, at) => [`home-${at}`, at]),
      ...Array.from({ length: 200 }, (_, at) => `${at}${long}`),
    ];
    const stored = disk();
    let asked = 0;
    let characters = 0;
    function* counted() {
      for (const entry of entries) {
        asked += 1;
        characters += JSON.stringify(entry).length;
        yield entry;
      }
    }
    const save = () => createStoredEntries(stored).save(counted);
    const written = await perTurn(() => characters, save);
    assert.equal(asked, entries.length);
    // A part in the making, the one before it, and the entry that made each of them full.
    const most = 2 * (32 * 1024 + 6 * 4010);
    assert.ok(Math.max(...written) <= most, `${Math.max(...written)} characters in one turn`);
    assert.ok(written.length > 100);

    let found = 0;
    const read = await perTurn(
      () => found,
      () =>
        createStoredEntries(stored).read((entry) => {
          found += JSON.stringify(entry).length;
        }),
    );
    assert.equal(found, characters);
    assert.ok(Math.max(...read) <= most, `${Math.max(...read)} characters in one turn`);
  });

  for (const [what, content] of [
    ['nothing', undefined],
    ['no byte', ''],
    ['a list of an earlier release', JSON.stringify([['a', { currency: 'EUR', maxGuests: 2 }]])],
    ['homes of an earlier release', JSON.stringify({ texts: [], homes: [], policies: [] })],
    ['a later release', 'staywire entries 2\n[]\n'],
    ['what ends in the middle', 'staywire entries 1\n[1,2]\n[3,'],
    ['what is no list', 'staywire entries 1\n{"a":1}\n'],
    ['no JSON', 'staywire entries 1\n\u0000\u0001'],
  ] as const) {
    it(`are none when the store has ${what}`, async () => {
      assert.equal(await readAll(disk(content)), undefined);
    });
  }

  it('are none when they are not what was expected', async () => {
    const stored = disk('staywire entries 1\n[1]\n');
    const unexpected = () => assert.fail('not this');
    assert.equal(await createStoredEntries(stored).read(unexpected), false);
  });

  it('of the last call are the ones that stay, also when there are fewer of them', async () => {
    const stored = disk();
    const entries = createStoredEntries(stored);
    const many = Array.from({ length: 20_000 }, (_, at) => at);
    await Promise.all([entries.save(async () => many), entries.save(() => ['last'])]);
    assert.deepEqual(await readAll(stored), ['last']);
  });

  it('are saved after a call that has failed', async () => {
    const stored = disk();
    const entries = createStoredEntries({
      ...stored,
      save: async (bytes) => {
        if (bytes.length > 100) throw new Error('disk full');
        await stored.save(bytes);
      },
    });
    const failing = entries.save(() => ['x'.repeat(100)]);
    const next = entries.save(() => ['next']);
    await failing;
    assert.equal(await readAll(stored), undefined, 'nothing is stored, and nobody fails for it');
    await next;
    assert.deepEqual(await readAll(stored), ['next']);
  });
});
