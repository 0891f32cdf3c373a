import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { holdsLittle, inAttempts } from '../../../test/support/longest-hold.ts';
import { type OwnedBytes, weightOf } from '../../parsing/owned-memory.ts';
import { createStoredEntries } from '../shared/listings/known-listings.ts';
import {
  createCachedDetails,
  type KnownPolicy,
  loadKnownHomes,
  lodgifyHome,
  saveKnownHomes,
} from './known-homes.ts';

const MAX_HOLD_MS = 50;

function disk(content?: OwnedBytes) {
  let document = content;
  return {
    size: () => document?.length ?? 0,
    /** As a service that has just started sees it. */
    entries: () =>
      createStoredEntries({
        read: async () => document,
        save: async (bytes) => {
          document = bytes;
        },
      }),
  };
}

const homesOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, at) => [`${at}`, lodgifyHome(`9${at}`, 4, 'EUR')]));
const policiesOf = (count: number, text: (at: number) => string) =>
  new Map(
    Array.from({ length: count }, (_, at): [string, KnownPolicy] => [
      `${at}`,
      { text: text(at), readAt: at },
    ]),
  );

describe('the homes of Lodgify that are known', () => {
  it('are known after a restart, with their policies', async () => {
    const known = {
      homes: homesOf(1000),
      policies: policiesOf(900, (at) => (at % 3 ? `policy ${at % 7}` : '')),
    };
    const stored = disk();
    await saveKnownHomes(stored.entries(), known);
    assert.deepEqual(await loadKnownHomes(stored.entries()), known);
  });

  it('are not known from what an earlier release has written', async () => {
    const earlier = { texts: ['a'], homes: [['1', '91', 4, 'EUR']], policies: [['1', 0, 0]] };
    const stored = disk(new TextEncoder().encode(JSON.stringify(earlier)));
    assert.equal(await loadKnownHomes(stored.entries()), undefined);
    assert.equal(await loadKnownHomes(disk().entries()), undefined);
  });

  it('are all stored, but only some megabytes of their policies, whatever is in them', async () => {
    const known = {
      homes: homesOf(4000),
      policies: policiesOf(4000, (at) => `${at % 400}`.padEnd(4000, '\u0001')),
    };
    const stored = disk();
    await saveKnownHomes(stored.entries(), known);
    assert.ok(stored.size() < 4_000_000, `${stored.size()} bytes`);
    const again = await loadKnownHomes(stored.entries());
    assert.deepEqual(again?.homes, known.homes);
    const texts = new Set(Array.from(again?.policies.values() ?? [], ({ text }) => text));
    assert.equal(texts.size, 125);
    assert.equal(again?.policies.size, 1250, 'ten homes have each of the texts');
  });

  it('hold the event loop for less than 50 ms when they are stored and loaded, however long their policies are', async (t) => {
    const known = {
      homes: homesOf(20_000),
      policies: policiesOf(20_000, (at) => `${at % 600}`.padEnd(4000, '\u0001')),
    };
    await inAttempts(async () => {
      const stored = disk();
      await holdsLittle(t, { what: 'storing', maxMs: MAX_HOLD_MS }, () =>
        saveKnownHomes(stored.entries(), known),
      );
      await holdsLittle(t, { what: 'loading', maxMs: MAX_HOLD_MS }, () => loadKnownHomes(stored.entries()));
    });
  });
});

const details = { room: undefined, settings: undefined, updatedAt: 'x'.repeat(100), readAt: 0 };
const policy = { text: 'x'.repeat(100), readAt: 0 };

test('what is kept of homes has a weight that it does not pass, policies included', () => {
  const kept = createCachedDetails(2000);
  for (let id = 0; id < 100; id += 1) {
    kept.addPolicy(String(id), policy);
    kept.addDetails(String(id), details);
  }
  const weight = [...kept.details, ...kept.policies].reduce(
    (sum, [id, value]) => sum + id.length + weightOf(value),
    0,
  );
  assert.ok(weight <= 2000 && weight > 1700, String(weight));
  assert.ok(kept.details.size > 0 && kept.policies.size > 0);
});

test('a home is kept once, as it was first', () => {
  const kept = createCachedDetails(2000);
  kept.addDetails('1', details);
  for (let time = 0; time < 100; time += 1) kept.addDetails('1', { ...details, readAt: 1 });
  kept.addDetails('2', details);
  assert.deepEqual([...kept.details.values()], [details, details]);
});
