import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { plainContext, plainListing, plainRates } from '../../../../test/support/plain-listing.ts';
import { DEFAULT_BRAND_BUDGET } from '../../../catalogue/catalogue.ts';
import { BookingSystemFailure, type FailureKind } from '../../../limits/booking-system-failure.ts';
import type { CardEntry } from '../../rate-card/catalogue.ts';
import type { IntakeLaneName } from '../intake/intake.ts';
import { createInlineIntake } from '../intake/run-task.ts';
import { createLatestDocument, type DocumentSource, documentFile } from './latest-document.ts';

const START = 1_800_000_000_000;
const MAX_AGE_MS = 300_000;
const patient = new AbortController().signal;

const cardWith = (nightly: string) =>
  JSON.stringify({
    properties: [{ listing: plainListing, rates: { ...plainRates, nightly }, booked: [] }],
  });

/** A source of which a test decides the document, whether it can be reached, and how long it takes. */
function setUp({ storedJson }: { readonly storedJson?: string } = {}) {
  const clock = createFakeClock(START);
  const inline = createInlineIntake(plainContext);
  const reads: (string | null)[] = [];
  const parsed: IntakeLaneName[] = [];
  const saved: string[] = [];
  const told: FailureKind[] = [];
  const world = {
    json: cardWith('100.00'),
    version: '1',
    failure: null as FailureKind | null,
    delayMs: 0,
    parsingMs: 0,
    abandoned: 0,
  };
  const source: DocumentSource = {
    async read({ version, signal }) {
      reads.push(version);
      signal.addEventListener('abort', () => {
        world.abandoned += 1;
      });
      if (world.delayMs > 0) await new Promise<void>((resolve) => clock.after(world.delayMs, resolve));
      if (world.failure) throw new BookingSystemFailure(world.failure, 'as the test says');
      if (version === world.version) return { kind: 'unchanged' };
      return {
        kind: 'document',
        bytes: new TextEncoder().encode(world.json),
        digest: world.json,
        version: world.version,
      };
    },
    close: async () => undefined,
  };
  const latest = createLatestDocument<CardEntry>({
    source,
    stored: {
      read: async () => (storedJson === undefined ? undefined : new TextEncoder().encode(storedJson)),
      save: async (document) => {
        saved.push(textOf(document));
      },
    },
    async readEntries(order) {
      parsed.push(order.lane);
      if (world.parsingMs > 0) await new Promise<void>((resolve) => clock.after(world.parsingMs, resolve));
      return inline.run({ task: 'rate_card', brand: plainContext.brand, parameters: plainContext, ...order });
    },
    clock,
    budget: DEFAULT_BRAND_BUDGET,
    maxAgeMs: MAX_AGE_MS,
    onLastDocumentUsed: ({ kind }) => told.push(kind),
  });
  const nightly = async () => {
    const { entries, readAt } = await latest.fresh(patient);
    return [entries.get('casa-1')?.rates.nightly, readAt - START];
  };
  return { clock, world, latest, reads, parsed, saved, told, nightly };
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const failsAs = (kind: FailureKind) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === kind;

describe('a document to price from', () => {
  it('is read anew each time, and its time is that of the reading, changed or not', async () => {
    const { clock, world, reads, nightly } = setUp();
    assert.deepEqual(await nightly(), ['100.00', 0]);
    await clock.advance(60_000);
    assert.deepEqual(await nightly(), ['100.00', 60_000], 'it was found unchanged just now');
    await clock.advance(1000);
    Object.assign(world, { json: cardWith('120.00'), version: '2' });
    assert.deepEqual(await nightly(), ['120.00', 61_000]);
    assert.deepEqual(reads, [null, '1', '1']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('that comes again without a version is not parsed again, and stored once', async () => {
    const { world, parsed, saved, nightly } = setUp();
    world.version = '';
    await nightly();
    world.version = 'another name for the same';
    await nightly();
    assert.deepEqual(parsed, ['live']);
    assert.deepEqual(saved, [cardWith('100.00')]);
    Object.assign(world, { json: cardWith('120.00'), version: 'new' });
    assert.deepEqual((await nightly())[0], '120.00');
    assert.deepEqual(saved, [cardWith('100.00'), cardWith('120.00')]);
  });

  it('is not kept waiting by a refresh, and an older document does not come back when the refresh is done', async () => {
    const { clock, world, parsed, latest, nightly } = setUp();
    world.parsingMs = 2000;
    const refreshed = latest.refreshed(patient);
    await clock.settle();
    Object.assign(world, { json: cardWith('120.00'), version: '2', parsingMs: 0 });
    assert.deepEqual(await nightly(), ['120.00', 0]);
    assert.deepEqual(parsed, ['background', 'live']);
    await clock.advance(2000);
    assert.equal((await refreshed).entries.get('casa-1')?.rates.nightly, '120.00');
    assert.deepEqual(await nightly(), ['120.00', 2000]);
  });

  it('is used with its own time while it cannot be read, and no longer than allowed', async () => {
    for (const failure of ['unreachable', 'server_error', 'rejected', 'garbled'] as const) {
      const { clock, world, told, nightly, latest } = setUp();
      await nightly();
      world.failure = failure;
      await clock.advance(MAX_AGE_MS);
      assert.deepEqual(await nightly(), ['100.00', 0], failure);
      assert.deepEqual(told, [failure]);
      await clock.advance(1);
      await assert.rejects(latest.fresh(patient), failsAs(failure));
      world.failure = null;
      assert.deepEqual(await nightly(), ['100.00', MAX_AGE_MS + 1], 'and used again once it can be read');
    }
  });

  it('grows old by elapsed time, and tells its time by the wall clock as it stands', async () => {
    for (const step of [-7_200_000, 7_200_000]) {
      const { clock, world, nightly, latest } = setUp();
      await nightly();
      world.failure = 'unreachable';
      clock.stepWallClock(step);
      await clock.advance(MAX_AGE_MS);
      assert.deepEqual(await nightly(), ['100.00', step], 'not in the future, which no price may be');
      await clock.advance(1);
      await assert.rejects(latest.fresh(patient), failsAs('unreachable'));
    }
  });

  it('is kept when what it was replaced with is no rate card', async () => {
    const { world, told, latest, nightly } = setUp();
    await nightly();
    Object.assign(world, { json: '{}', version: '2' });
    assert.deepEqual(await nightly(), ['100.00', 0]);
    assert.deepEqual(told, ['garbled'], 'the log says that the last card is used, and why');
    await assert.rejects(latest.refreshed(patient), failsAs('garbled'));
    assert.equal(told.length, 1, 'the refresh fails, which is logged by itself');
  });

  it('of an earlier process must be read before it can be priced from', async () => {
    const { world, latest, nightly } = setUp({ storedJson: cardWith('80.00') });
    world.failure = 'unreachable';
    assert.equal((await latest.accepted(patient))?.entries.size, 1);
    await assert.rejects(latest.fresh(patient), failsAs('unreachable'));
    assert.equal((await latest.refreshed(patient)).entries.size, 1, 'its listings are still good');
    await assert.rejects(latest.fresh(patient), failsAs('unreachable'));
    world.failure = null;
    assert.deepEqual(await nightly(), ['100.00', 0]);
  });

  it('is read once for all who ask while it is being read', async () => {
    const { clock, world, reads, nightly, latest } = setUp();
    world.delayMs = 100;
    const answers = Promise.all([nightly(), nightly(), latest.refreshed(patient), nightly()]);
    await clock.advance(100);
    const [first, second] = await answers;
    assert.deepEqual(
      [first, second],
      [
        ['100.00', 100],
        ['100.00', 100],
      ],
    );
    assert.equal(reads.length, 1);
    const later = nightly();
    await clock.advance(100);
    assert.deepEqual(await later, ['100.00', 200]);
    assert.equal(reads.length, 2);
  });

  it('whose source hangs is used while it is young enough, and the reading is given up', async () => {
    const { clock, world, nightly, latest } = setUp();
    await nightly();
    world.delayMs = 1_000_000;
    const priced = nightly();
    await clock.advance(2499);
    assert.equal(world.abandoned, 0);
    await clock.advance(1);
    assert.deepEqual(await priced, ['100.00', 0]);
    assert.equal(world.abandoned, 1);
    await clock.advance(MAX_AGE_MS);
    const tooOld = assert.rejects(latest.fresh(patient), failsAs('timeout'));
    await clock.advance(2500);
    await tooOld;
  });

  it('is not waited for when the caller gives up', async () => {
    const { clock, world, latest, nightly } = setUp();
    await nightly();
    world.delayMs = 1_000_000;
    const leaving = new AbortController();
    const rejected = assert.rejects(latest.fresh(leaving.signal));
    await clock.settle();
    leaving.abort();
    await rejected;
    assert.equal(world.abandoned, 1);
  });
});

describe('a document in a file', () => {
  it('is unchanged while its time and size are, whatever was read meanwhile', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'rate-card-'));
    t.after(() => rmSync(directory, { recursive: true }));
    const path = join(directory, 'card.json');
    writeFileSync(path, 'one');
    const source = documentFile(path);
    const read = (version: string | null) => source.read({ version, signal: patient });
    const first = await read(null);
    assert.ok(first.kind === 'document' && textOf(first.bytes) === 'one');
    assert.deepEqual(await read(first.version), { kind: 'unchanged' });

    writeFileSync(path, 'two');
    const { atime, mtime } = statSync(path);
    utimesSync(path, atime, new Date(mtime.getTime() + 1000));
    const second = await read(first.version);
    assert.ok(second.kind === 'document' && textOf(second.bytes) === 'two');

    writeFileSync(path, 'three');
    utimesSync(path, atime, new Date(mtime.getTime() + 1000));
    assert.equal((await read(second.version)).kind, 'document', 'the same time, but another size');
  });
});
