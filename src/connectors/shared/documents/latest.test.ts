import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import { documentFile } from './document-source.ts';
import { createLatest } from './latest.ts';

const START = 1_800_000_000_000;
const MAX_AGE_MS = 300_000;
const patient = new AbortController().signal;
const failsAs = (kind: FailureKind) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === kind;

/** A source of which a test decides the content, whether it can be reached, and how long it takes. */
function setUp(minIntervalMs = 0) {
  const clock = createFakeClock(START);
  const reads: (string | undefined)[] = [];
  const fallbacks: FailureKind[] = [];
  const world = { content: 'one', failure: null as FailureKind | null, delayMs: 0, isAborted: false };
  const latest = createLatest<string>({
    async read({ known, signal }) {
      reads.push(known);
      signal.addEventListener('abort', () => {
        world.isAborted = true;
      });
      if (world.delayMs > 0) await new Promise<void>((resolve) => clock.after(world.delayMs, resolve));
      if (world.failure) throw new BookingSystemFailure(world.failure, 'as the test says');
      return world.content;
    },
    clock,
    maxAgeMs: MAX_AGE_MS,
    minIntervalMs,
    onLastUsed: ({ kind }) => fallbacks.push(kind),
  });
  const fresh = async () => {
    const dated = await latest.fresh(patient);
    return [dated.content, latest.ageOf(dated)];
  };
  return { clock, world, latest, reads, fallbacks, fresh };
}

describe('the latest content of a source', () => {
  it('is read for each price with what is known, and as old as its reading', async () => {
    const { clock, world, reads, fresh } = setUp();
    assert.deepEqual(await fresh(), ['one', 0]);
    await clock.advance(60_000);
    world.content = 'two';
    assert.deepEqual(await fresh(), ['two', 0]);
    assert.deepEqual(reads, [undefined, 'one']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('is used while it cannot be read, for its time by elapsed time and no longer', async () => {
    for (const step of [0, -7_200_000, 7_200_000]) {
      const { clock, world, fallbacks, fresh, latest } = setUp();
      await fresh();
      world.failure = 'garbled';
      clock.stepWallClock(step);
      await clock.advance(MAX_AGE_MS);
      assert.deepEqual([await fresh(), fallbacks], [['one', MAX_AGE_MS], ['garbled']], `${step}`);
      await clock.advance(1);
      await assert.rejects(latest.fresh(patient), failsAs('garbled'), `${step}`);
      world.failure = null;
      assert.deepEqual(await fresh(), ['one', 0], `${step}`);
    }
  });

  it('is read once for all who ask meanwhile, and for those who come after the first has left', async () => {
    const { clock, world, reads, fresh, latest } = setUp();
    world.delayMs = 1000;
    const leaving = new AbortController();
    const left = assert.rejects(latest.fresh(leaving.signal));
    const others = Promise.all([fresh(), latest.read('background', patient), fresh()]);
    leaving.abort(new Error('gone'));
    await left;
    await clock.advance(1000);
    assert.deepEqual((await others)[2], ['one', 1000]);
    assert.equal(reads.length, 1);
    assert.equal(world.isAborted, false);
  });

  it('is not waited for longer than a price can wait, and the next price finds what was read meanwhile', async () => {
    const { clock, world, fresh, latest } = setUp();
    await fresh();
    Object.assign(world, { content: 'two', delayMs: 5000 });
    const priced = fresh();
    await clock.advance(2500);
    assert.deepEqual(await priced, ['one', 2500]);
    await clock.advance(2500);
    assert.equal(latest.last()?.content, 'two');
    const hanging = assert.rejects(latest.read('live', patient), failsAs('unreachable'));
    world.failure = 'unreachable';
    await clock.advance(5000);
    await hanging;
    latest.close();
    assert.ok(world.isAborted);
  });

  it('of an earlier process has no known age, and gives way to one that was read', async () => {
    const { world, latest, fresh } = setUp();
    world.failure = 'unreachable';
    assert.equal(latest.restore('stored').content, 'stored');
    await assert.rejects(latest.fresh(patient), failsAs('unreachable'));
    world.failure = null;
    assert.deepEqual(await fresh(), ['one', 0]);
    assert.equal(latest.restore('stored').content, 'one');
  });

  it('that may be read once in a minute is not read again within it, after a failure either', async () => {
    const { clock, world, reads, latest } = setUp(60_000);
    world.failure = 'server_error';
    for (const _ of [1, 2]) await assert.rejects(latest.read('live', patient), failsAs('server_error'));
    world.failure = null;
    await clock.advance(60_000);
    for (const _ of [1, 2]) assert.equal((await latest.read('live', patient)).content, 'one');
    assert.equal(reads.length, 2);
  });
});

it('a document in a file is unchanged while its time and size are', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'document-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'card.json');
  const read = (version: string | null) => documentFile(path).read({ version, signal: patient });
  await assert.rejects(read(null), failsAs('unreachable'));
  let version: string | null = null;
  for (const [text, later] of [
    ['one', 0],
    ['two', 1000],
    // The same time, but another size.
    ['three', 1000],
  ] as const) {
    writeFileSync(path, text);
    const { atime, mtime } = statSync(path);
    utimesSync(path, atime, new Date(mtime.getTime() + later));
    const answer = await read(version);
    assert.ok(answer.kind === 'document' && new TextDecoder().decode(answer.bytes) === text, text);
    version = answer.version;
    assert.deepEqual(await read(version), { kind: 'unchanged' }, text);
  }
});
