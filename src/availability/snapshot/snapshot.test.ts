import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlainAvailabilityIndex } from '../../../test/support/plain-availability-index.ts';
import { applyChange, propertyLike, randomWorld, SOME_DAY } from '../../../test/support/random-world.ts';
import { createRestartedIndex } from '../../../test/support/restarted-index.ts';
import { createSnapshotInMemory } from '../../../test/support/snapshot-in-memory.ts';
import { createWorldIndex, WORLD_INDEX } from '../../../test/support/world-index.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Network, Place } from '../../catalogue/catalogue.ts';
import { ANY_STAY } from '../../catalogue/stay-criteria.ts';
import { answersOf, availabilityIndexContract } from '../availability-index.contract.ts';
import { createAvailabilityIndex } from '../tiled-index.ts';
import { dependenciesOf, openIndex } from './open-index.ts';
import { HEADER_BYTES, IndexChanged, writeSnapshot } from './snapshot.ts';

const NOW = SOME_DAY * 86_400_000;
const never = new AbortController().signal;

function networkOf(...cities: readonly (Partial<Place> & { readonly id: string })[]): Network {
  const usual = { aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency: 'EUR' } as const;
  return {
    brands: new Map(),
    places: new Map(cities.map((city) => [city.id, { ...usual, name: city.id, ...city }])),
  };
}

const LISBON = networkOf({ id: 'lisbon' });

function calendarOf(number: number) {
  const calendar = emptyCalendar(SOME_DAY, 60);
  calendar.available.fill(1);
  for (let night = 0; night < 60; night++) calendar.price[night] = 10_000 + ((night * number) % 97) * 100;
  return calendar;
}

function indexWith(homes: number, network: Network = LISBON, now = NOW) {
  const index = createAvailabilityIndex(network, { now });
  for (let number = 0; number < homes; number++) {
    index.put(propertyLike({ id: `a:${number}`, brand: 'a', place: 'lisbon' }), calendarOf(number), {
      listing: 1,
      calendar: number + 1,
    });
  }
  return index;
}

async function snapshotOf(index: ReturnType<typeof createAvailabilityIndex>, network: Network = LISBON) {
  const file = createSnapshotInMemory();
  await writeSnapshot(index, { file, dependsOn: dependenciesOf(network, 560), signal: never });
  return file;
}

async function reopened(content: Uint8Array | undefined, network: Network = LISBON, now = NOW) {
  const reasons: string[] = [];
  const file = createSnapshotInMemory(content);
  const observe = { read: () => undefined, refused: (reason: string) => void reasons.push(reason) };
  const clock = { now: () => now, elapsed: () => 0 };
  const opened = await openIndex(network, { file, clock, observe });
  return { ...opened, reasons };
}

describe('an index that goes on from copies of its memory', () => {
  availabilityIndexContract({ newIndex: createRestartedIndex });
});

describe('the snapshot of an index', () => {
  it('has scratch memory as free memory, also where the memory has grown for it', async () => {
    const index = indexWith(3);
    const bytes = 8 * 1024 * 1024;
    // The second lies wholly in what has grown.
    for (let block = 0; block < 2; block++) index.arena.allocateScratch(bytes);
    const { index: copy } = await reopened((await snapshotOf(index)).content);
    const used = copy.usedBytes;
    for (let block = 0; block < 2; block++) copy.arena.allocateScratch(bytes);
    assert.equal(copy.usedBytes, used);
  });

  it('is written and read in the middle of random updates, roll-overs and questions', async () => {
    const worlds = randomWorld({ longestCalendar: 40, maxChanges: 12 });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ network, changes, questions }) => {
        const file = createSnapshotInMemory();
        const twin = createPlainAvailabilityIndex(network);
        let index = createWorldIndex(network);
        const dependsOn = dependenciesOf(network, WORLD_INDEX.ringDays);
        for (const [number, change] of changes.entries()) {
          for (const written of [index, twin]) applyChange(change, written);
          const [criteria, now] = questions[number % questions.length] ?? [ANY_STAY, NOW];
          assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
          if (number % 4 !== 3) continue;
          // Questions before it take scratch memory, and a restart forgets what was refused.
          await writeSnapshot(index, { file, dependsOn, signal: never });
          const before = index;
          ({ index } = await openIndex(network, {
            file,
            clock: { now: () => WORLD_INDEX.now, elapsed: () => 0 },
            ringDays: WORLD_INDEX.ringDays,
            observe: { read: () => undefined, refused: assert.fail },
          }));
          index.open();
          for (const { id } of before.homes()) twin.withdraw(id, []);
          assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
        }
        for (const [criteria, now] of questions) {
          assert.deepEqual(answersOf(index, criteria, now), answersOf(twin, criteria, now));
        }
      }),
    );
  });

  it('does not grow from one to the next, and leaves room that was free for use', async () => {
    let index = indexWith(300);
    for (let number = 0; number < 150; number++) index.remove(`a:${number * 2}`);
    const sizes: number[] = [];
    for (let restart = 0; restart < 4; restart++) {
      index.destinations(ANY_STAY, NOW);
      index.matches(
        { ...ANY_STAY, place: 'lisbon', checkIn: SOME_DAY + 3, checkOut: SOME_DAY + 5, guests: 1 },
        NOW,
        { cheapest: 5, cheapestOfBrand: () => 5, without: ['a:1', 'a:3'] },
      );
      const { content } = await snapshotOf(index);
      sizes.push(index.usedBytes);
      ({ index } = await reopened(content));
      index.open();
      for (let number = 0; number < 150; number++) {
        index.put(
          propertyLike({ id: `a:${number * 2}`, brand: 'a', place: 'lisbon' }),
          calendarOf(number * 2),
        );
      }
      assert.equal(index.propertyCount, 300);
      for (let number = 0; number < 150; number++) index.remove(`a:${number * 2}`);
    }
    // The table of ids was made anew once, beside the old one.
    assert.deepEqual(sizes.slice(1), Array(3).fill(sizes[1]));
  });

  it('lets nothing be found until it was compared with the store, and remembers no refusal', async () => {
    const written = indexWith(3);
    const stay = { ...ANY_STAY, checkIn: SOME_DAY + 1, checkOut: SOME_DAY + 3 };
    for (let number = 0; number < 3; number++) {
      written.withdraw(`a:${number}`, [{ from: SOME_DAY + 1, to: SOME_DAY + 3 }]);
    }
    assert.equal(written.hasMatch(stay, NOW), false);
    const { index, snapshot } = await reopened((await snapshotOf(written)).content);
    assert.equal(snapshot, 'read');
    const revision = index.revision(stay, NOW);
    assert.equal(index.hasMatch(ANY_STAY, NOW), false);
    assert.deepEqual(index.obstacle(ANY_STAY, NOW), { code: 'no_properties' });
    assert.deepEqual(index.destinations(ANY_STAY, NOW), []);
    assert.equal(index.holds('a:2', { listing: 1, calendar: 3 }), true);
    index.open();
    assert.equal(index.hasMatch(stay, NOW), true);
    assert.notEqual(index.revision(stay, NOW), revision);
  });

  it('goes on some days later, and is refused by an earlier day and after a year and a half', async () => {
    const { content } = await snapshotOf(indexWith(3));
    for (const days of [1, 13, 40]) {
      const now = NOW + days * 86_400_000;
      const { index } = await reopened(content, LISBON, now);
      index.open();
      const fresh = indexWith(3, LISBON, now);
      assert.deepEqual(answersOf(index, ANY_STAY, now), answersOf(fresh, ANY_STAY, now));
    }
    const { reasons, index } = await reopened(content, LISBON, NOW - 86_400_000);
    assert.deepEqual([reasons, index.propertyCount], [['was written on a later day than today'], 0]);
    assert.deepEqual((await reopened(content, LISBON, NOW + 600 * 86_400_000)).reasons, ['is too old']);
  });

  it('is given up when the index changes meanwhile, and not when it is asked', async () => {
    const index = indexWith(2000);
    const [first, second] = [createSnapshotInMemory(), createSnapshotInMemory()];
    const dependsOn = dependenciesOf(LISBON, 560);
    const asking = writeSnapshot(index, { file: first, dependsOn, signal: never });
    for (let question = 0; question < 20; question++) {
      index.destinations({ ...ANY_STAY, amenities: Array(question * 40).fill('pool') }, NOW);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    index.hasMatch({ ...ANY_STAY, checkIn: SOME_DAY + 541 }, NOW + 2 * 86_400_000);
    await asking;
    assert.equal((await reopened(first.content)).index.propertyCount, 2000);
    for (const change of [
      () => index.withdraw('a:7', [{ from: SOME_DAY, to: SOME_DAY + 1 }]),
      () => index.remove('a:8'),
      () => index.followDate(NOW + 86_400_000),
      // A clock that was set back over midnight.
      () => index.hasMatch({ ...ANY_STAY, checkIn: SOME_DAY + 5 }, NOW),
    ]) {
      const writing = writeSnapshot(index, { file: second, dependsOn, signal: never });
      change();
      await assert.rejects(writing, IndexChanged);
    }
    const stopping = AbortSignal.abort();
    await assert.rejects(writeSnapshot(index, { file: second, dependsOn, signal: stopping }));
    assert.equal(second.content, undefined);
  });

  it('is refused when it is damaged anywhere, and the index is empty then', async () => {
    const { content = new Uint8Array() } = await snapshotOf(indexWith(20));
    const places = fc.oneof(
      fc.integer({ min: 0, max: HEADER_BYTES }),
      fc.integer({ min: 0, max: content.length - 1 }),
      fc.integer({ min: content.length - 100, max: content.length - 1 }),
    );
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, bits, isCut) => {
        const damaged = isCut ? content.slice(0, at) : content.slice();
        if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ bits;
        const { index, snapshot, reasons } = await reopened(damaged);
        assert.deepEqual([index.propertyCount, snapshot, reasons.length], [0, 'refused', 1]);
        assert.match(
          reasons[0] ?? '',
          /too short|another format|other places|not whole|damaged|cannot be read/,
        );
      }),
    );
    assert.equal((await reopened(content)).snapshot, 'read');
    assert.equal((await reopened(undefined)).snapshot, 'none');
  });

  it('is refused when the places are not the same, and not when only brands or names are', async () => {
    const { content } = await snapshotOf(indexWith(3));
    for (const network of [
      networkOf({ id: 'lisbon' }, { id: 'porto' }),
      networkOf({ id: 'lisbon', timeZone: 'Europe/Lisbon' }),
      networkOf({ id: 'lisbon', currency: 'USD' }),
      networkOf({ id: 'lisbon', kind: 'country' }),
    ]) {
      const { snapshot, reasons } = await reopened(content, network);
      assert.equal(snapshot, 'refused');
      assert.match(reasons.join(), /other places/);
    }
    const renamed = networkOf({ id: 'lisbon', name: 'Lisboa', aliases: ['LIS'] });
    assert.equal((await reopened(content, renamed)).snapshot, 'read');
    assert.notEqual(dependenciesOf(LISBON, 560), dependenciesOf(LISBON, 672));
  });

  it('is refused when its header says something else than its memory', async () => {
    const { content = new Uint8Array() } = await snapshotOf(indexWith(3));
    const header = Buffer.from(content.slice(0, HEADER_BYTES)).toString();
    for (const changed of [
      header.replace('"staywire_index":1', '"staywire_index":2'),
      header.replace(/"memory_bytes":\d+/, '"memory_bytes":99999999999'),
      header.replace(/"memory_bytes":\d+/, '"memory_bytes":null'),
      header.replace(/"free_bytes":\d+/, '"free_bytes":-1'),
      `null${' '.repeat(HEADER_BYTES - 4)}`,
    ]) {
      const other = Buffer.concat([
        Buffer.from(changed.trimEnd().padEnd(HEADER_BYTES)),
        content.slice(HEADER_BYTES),
      ]);
      assert.equal((await reopened(other)).snapshot, 'refused', changed);
    }
  });
});
