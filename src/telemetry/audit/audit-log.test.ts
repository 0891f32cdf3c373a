import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { auditDirectory, auditFileAfter, auditFilesIn } from './audit-files.ts';
import { type AuditLog, type AuditLogObserver, openAuditLog } from './audit-log.ts';
import {
  type AuditEntry,
  type AuditRecord,
  type ClosedFile,
  chainedLine,
  NEW_CHAIN,
} from './audit-record.ts';
import { verifyLog } from './verify-log.ts';

const NOON = Date.UTC(2026, 10, 17, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function aStage(t: TestContext, options: Partial<Parameters<typeof openAuditLog>[0]> = {}) {
  const directory = auditDirectory(temporaryDirectory(t));
  const clock = createFakeClock(NOON);
  const told = {
    ...{ closed: [] as ClosedFile[], torn: [] as number[], damaged: [] as [string, number][] },
    ...{ taken: [] as string[], pruned: 0, causes: new Set<string>(), failed: 0, lost: 0 },
  };
  const observe: AuditLogObserver = {
    closed: (file) => void told.closed.push(file),
    torn: (_file, bytes) => void told.torn.push(bytes),
    damaged: (file, line) => void told.damaged.push([file, line]),
    taken: (file) => void told.taken.push(file),
    pruned(files, cause) {
      told.pruned += files.length;
      told.causes.add(cause);
    },
    failed() {
      told.failed += 1;
    },
    lost(records) {
      told.lost += records;
    },
  };
  const openLog = () => openAuditLog({ directory, clock, days: 3, observe, ...options });
  const names = () => auditFilesIn(directory).map(({ name }) => name);
  const records = () =>
    auditFilesIn(directory)
      .flatMap(({ path }) => readFileSync(path, 'utf8').split('\n'))
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line));
  const verified = (anchors: readonly string[] = []) =>
    verifyLog({ directory, anchors, pause: async () => {} });
  return { directory, clock, told, openLog, names, records, verified };
}

const note = (at: number, number: number): AuditRecord => ({
  at,
  kind: 'published_list',
  list: `list-${number}`,
  state: 'on',
});

/** Time stands still while the disk works. */
async function written(log: AuditLog, records: readonly AuditRecord[], isDone: () => boolean): Promise<void> {
  log.write(records);
  while (!isDone()) await new Promise(setImmediate);
}

describe('the log on disk', () => {
  it('begins each file with an anchor, and goes on with the numbers of the one before', async (t) => {
    const { openLog, clock, told, names, records, verified, directory } = aStage(t);
    for (const run of [1, 2]) {
      const log = openLog();
      log.write([note(clock.now(), run), note(clock.now(), run)]);
      await log.close();
    }
    assert.deepEqual(names(), ['audit.00000001.2026-11-17.jsonl', 'audit.00000002.2026-11-17.jsonl']);
    const [first, , last, second] = records();
    assert.deepEqual(
      records().map(({ seq, kind }) => [seq, kind]),
      [
        [1, 'anchor'],
        [2, 'published_list'],
        [3, 'published_list'],
        [4, 'anchor'],
        [5, 'published_list'],
        [6, 'published_list'],
      ],
    );
    assert.deepEqual([first.prev, first.before], ['0'.repeat(64), null]);
    assert.deepEqual(second.before, { file: names()[0], hash: last.hash, records: 3, torn: null });
    assert.deepEqual(told.closed[0], { file: names()[0], hash: last.hash, records: 3 });
    assert.equal((await verified()).fault, null);
    assert.equal(statSync(auditFilesIn(directory)[0]?.path ?? '').mode & 0o777, 0o600);
  });

  it('begins another file on another day, also where the clock was put back, and at its size', async (t) => {
    const { openLog, clock, names, records, verified } = aStage(t, {
      limits: { fileBytes: 1_500, queuedRecords: 100 },
    });
    const log = openLog();
    let notes = 0;
    const write = (count: number) => {
      notes += count;
      const isDone = () => records().filter(({ kind }) => kind === 'published_list').length === notes;
      return written(
        log,
        Array.from({ length: count }, () => note(clock.now(), 1)),
        isDone,
      );
    };
    await write(1);
    clock.stepWallClock(-2 * DAY);
    await write(1);
    clock.stepWallClock(3 * DAY);
    await write(8);
    await write(1);
    await log.close();
    assert.deepEqual(
      names().map((name) => name.slice(6, 25)),
      ['00000001.2026-11-17', '00000002.2026-11-15', '00000003.2026-11-18', '00000004.2026-11-18'],
    );
    assert.equal((await verified()).fault, null);
  });

  it('deletes files of days that are over for long, says so before, and verifies without them', async (t) => {
    const { openLog, clock, told, names, records, verified } = aStage(t);
    for (let day = 0; day < 6; day += 1) {
      // The second was begun by a clock that was wrong.
      if (day === 1) clock.stepWallClock(900 * DAY);
      const log = openLog();
      log.write([note(clock.now(), day)]);
      await log.close();
      clock.stepWallClock(day === 1 ? -899 * DAY : DAY);
    }
    const log = openLog();
    await written(log, [note(clock.now(), 6)], () => names().length === 7);
    await clock.advance(15 * MINUTE);
    while (told.pruned < 3) await new Promise(setImmediate);
    await log.close();
    assert.equal(names()[0], 'audit.00000004.2026-11-20.jsonl');
    const pruned = records().find(({ kind }) => kind === 'pruned');
    assert.deepEqual(
      pruned.files.map(({ file }: ClosedFile) => file),
      told.closed.slice(0, 3).map(({ file }) => file),
    );
    const anchors = told.closed.map(({ hash }) => hash);
    assert.equal(anchors.length, 7);
    assert.deepEqual(await verified(anchors.slice(3)).then(({ fault, files }) => [fault, files]), [null, 4]);
    // What a record says of a file that is gone proves nothing: anybody could have written it.
    for (const gone of anchors.slice(0, 3)) {
      assert.equal((await verified([gone])).fault?.kind, 'unknown_anchor');
    }
  });

  it('deletes the oldest files where all would be larger than the limit, at each new file, and verifies without them', async (t) => {
    const limits = { fileBytes: 1_500, queuedRecords: 100 };
    const maxBytes = 6_000;
    const { openLog, clock, told, names, records, verified, directory } = aStage(t, { limits, maxBytes });
    const sizeOfAll = () => auditFilesIn(directory).reduce((sum, { path }) => sum + statSync(path).size, 0);
    const log = openLog();
    let largest = 0;
    for (let number = 0; number < 100; number += 1) {
      await written(log, [note(clock.now(), number)], () => records().at(-1)?.list === `list-${number}`);
      largest = Math.max(largest, sizeOfAll());
    }
    await log.close();
    const lineBytes = 1_000;
    assert.ok(largest > maxBytes / 2 && largest < maxBytes + lineBytes, `${largest} bytes`);
    assert.deepEqual([[...told.causes], told.failed, told.lost], [['size'], 0, 0]);
    assert.equal(told.closed.length, told.pruned + names().length);
    const anchors = told.closed.slice(told.pruned).map(({ hash }) => hash);
    assert.equal((await verified(anchors)).fault, null);
    const next = openLog();
    next.write([note(clock.now(), 100)]);
    await next.close();
    assert.equal((await verified()).fault, null, 'after a start too');
  });

  it('says where a damaged file keeps older ones from being deleted', async (t) => {
    const { openLog, clock, told, names, directory } = aStage(t);
    for (let start = 0; start < 3; start += 1) {
      const log = openLog();
      log.write([note(clock.now(), start)]);
      await log.close();
    }
    const second = auditFilesIn(directory)[1]?.path ?? '';
    writeFileSync(second, readFileSync(second, 'utf8').replace('"anchor"', '"ancho_"'));
    const log = openLog();
    await written(log, [note(clock.now(), 3)], () => names().length === 4);
    clock.stepWallClock(400 * DAY);
    await clock.advance(31 * MINUTE);
    while (told.damaged.length === 0) await new Promise(setImmediate);
    await log.close();
    assert.deepEqual([told.damaged[0], told.pruned], [[names()[1], 1], 0]);
  });

  it('tells no more files in one record than a line may be long', async (t) => {
    const { openLog, clock, told, names, records, verified, directory } = aStage(t);
    mkdirSync(directory, { recursive: true });
    let end = NEW_CHAIN;
    let before: ClosedFile | null = null;
    let file = auditFileAfter(directory, null, NOON);
    for (let count = 0; count < 1_002; count += 1) {
      const anchor: AuditEntry = {
        kind: 'anchor',
        file: file.name,
        before: before && { ...before, torn: null },
      };
      const line = chainedLine(end, { at: NOON, ...anchor });
      writeFileSync(file.path, line.text);
      end = line.end;
      before = { file: file.name, hash: end.hash, records: 1 };
      file = auditFileAfter(directory, file, NOON);
    }
    clock.stepWallClock(10 * DAY);
    const log = openLog();
    await written(log, [note(clock.now(), 0)], () => names().length === 1_003);
    for (const pruned of [1_000, 1_002]) {
      await clock.advance(15 * MINUTE);
      while (told.pruned < pruned) await new Promise(setImmediate);
    }
    await log.close();
    const inRecords = records().flatMap(({ kind, files }) => (kind === 'pruned' ? [files.length] : []));
    assert.deepEqual([inRecords, names().length, (await verified()).fault], [[1_000, 2], 1, null]);
  });

  it('deletes nothing for a quarter of an hour after the clock was set', async (t) => {
    const { openLog, clock, told, names } = aStage(t);
    const first = openLog();
    first.write([note(clock.now(), 0)]);
    await first.close();
    const log = openLog();
    await written(log, [note(clock.now(), 1)], () => names().length === 2);
    await clock.advance(14 * MINUTE);
    clock.stepWallClock(400 * DAY);
    await clock.advance(MINUTE);
    await clock.advance(MINUTE);
    assert.equal(told.pruned, 0);
    clock.stepWallClock(-400 * DAY);
    await clock.advance(60 * MINUTE);
    await log.close();
    assert.deepEqual([told.pruned, names().length], [0, 2]);
  });

  it('keeps a file that a crash has torn as it is, and tells in the next', async (t) => {
    const { openLog, clock, told, records, verified, directory } = aStage(t);
    const first = openLog();
    first.write([note(clock.now(), 0)]);
    await first.close();
    appendFileSync(auditFilesIn(directory)[0]?.path ?? '', '{"prev":"0123');
    const second = openLog();
    second.write([note(clock.now(), 1)]);
    await second.close();
    assert.deepEqual(told.torn, [13]);
    assert.equal(records().find(({ before }) => before)?.before.torn.bytes, 13);
    const { fault, torn } = await verified();
    assert.deepEqual([fault, torn[0]?.bytes], [null, 13]);
  });

  it('takes zero bytes that a loss of power has left for a torn end', async (t) => {
    const { openLog, clock, told, verified, directory } = aStage(t);
    const first = openLog();
    first.write([note(clock.now(), 0)]);
    await first.close();
    appendFileSync(auditFilesIn(directory)[0]?.path ?? '', `{"prev":"01${'\0'.repeat(2_000_000)}`);
    const second = openLog();
    second.write([note(clock.now(), 1)]);
    await second.close();
    assert.deepEqual([told.torn, told.damaged], [[2_000_011], []]);
    assert.equal((await verified()).fault, null);
  });

  it('never calls lines torn that were changed or removed: it tells of them, and they are found for ever', async (t) => {
    const changes: readonly [LineFaultAt, (lines: string[]) => string[]][] = [
      [{ kind: 'changed', line: 3 }, (lines) => lines.with(2, (lines[2] ?? '').replace('list-', 'lisp-'))],
      [{ kind: 'out_of_place', line: 3 }, (lines) => lines.toSpliced(2, 1)],
      [{ kind: 'changed', line: 5 }, (lines) => lines.with(4, (lines[4] ?? '').replace('list-', 'lisp-'))],
      [{ kind: 'changed', line: 1 }, (lines) => lines.with(0, 'x\n')],
      [{ kind: 'changed', line: 1 }, () => []],
      [{ kind: 'changed', line: 1 }, () => ['\0\0']],
      [{ kind: 'changed', line: 6 }, (lines) => [...lines, 'x\n']],
      [{ kind: 'changed', line: 6 }, (lines) => [...lines, '\0\0\n\0']],
    ];
    for (const [{ kind, line }, change] of changes) {
      const { openLog, clock, told, names, verified, directory } = aStage(t);
      const run = async () => {
        const log = openLog();
        log.write([0, 1, 2, 3].map((one) => note(clock.now(), one)));
        await log.close();
      };
      await run();
      const path = auditFilesIn(directory)[0]?.path ?? '';
      const changed = change(readFileSync(path, 'utf8').split(/(?<=\n)/)).join('');
      writeFileSync(path, changed);
      const fault = { kind, file: names()[0], line };
      assert.deepEqual((await verified()).fault, fault, 'before the start');
      await run();
      await run();
      assert.deepEqual([told.damaged, told.torn], [[[names()[0], line]], []]);
      assert.deepEqual((await verified()).fault, fault, 'after it');
      assert.equal(readFileSync(path, 'utf8'), changed, 'it is left as it was found');
      // Whoever cuts off the lines that do not hold has not made it whole.
      if (line === 1) continue;
      writeFileSync(
        path,
        changed
          .split(/(?<=\n)/)
          .slice(0, line - 1)
          .join(''),
      );
      assert.deepEqual((await verified()).fault, { ...fault, kind: 'changed' }, 'cut off afterwards');
    }
  });
});

type LineFaultAt = { readonly kind: string; readonly line: number };

describe('the log whose newest file is taken away while it is written', () => {
  const take: Readonly<Record<string, { change(path: string): void; fault: string; lost: number }>> = {
    deleted: { change: (path) => rmSync(path), fault: 'missing_before', lost: 3 },
    'moved away': { change: (path) => renameSync(path, `${path}.old`), fault: 'missing_before', lost: 3 },
    'deleted with its folder': {
      change: (path) => rmSync(dirname(path), { recursive: true }),
      ...{ fault: 'missing_before', lost: 3 },
    },
    'replaced by another': {
      change(path) {
        writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace('"list-1"', '"list-7"'));
        renameSync(`${path}.new`, path);
      },
      ...{ fault: 'changed', lost: 2 },
    },
    'replaced by one that holds together': {
      change(path) {
        const lines = readFileSync(path, 'utf8').trim().split('\n');
        const [first] = lines.map((line) => JSON.parse(line));
        let end = { hash: first.prev, next: first.seq };
        const forged = lines.map((line) => {
          const { prev, seq, at, hash, ...entry } = JSON.parse(line.replace('"list-1"', '"list-7"'));
          const made = chainedLine(end, { at: Date.parse(at), ...entry });
          end = made.end;
          return made.text;
        });
        writeFileSync(`${path}.new`, forged.join(''));
        renameSync(`${path}.new`, path);
      },
      ...{ fault: 'wrong_anchor', lost: 0 },
    },
    'replaced by a shorter one': {
      change(path) {
        writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8').split('\n').slice(0, 2).join('\n')}\n`);
        renameSync(`${path}.new`, path);
      },
      ...{ fault: 'cut_off', lost: 1 },
    },
  };
  for (const [how, { change, fault, lost }] of Object.entries(take)) {
    it(`tells that it was ${how}, and begins the next one after it`, async (t) => {
      for (const isClosedAtOnce of [false, true]) {
        const { openLog, clock, told, names, records, verified, directory } = aStage(t);
        const first = openLog();
        first.write([note(clock.now(), 0)]);
        await first.close();
        const log = openLog();
        const isWritten = (number: number) => () => records().some(({ list }) => list === `list-${number}`);
        await written(
          log,
          [1, 2].map((one) => note(clock.now(), one)),
          isWritten(2),
        );
        const [, taken] = auditFilesIn(directory);
        change(taken?.path ?? '');
        if (!isClosedAtOnce) await written(log, [note(clock.now(), 3)], isWritten(3));
        await log.close();
        assert.deepEqual([told.taken, told.lost, told.failed], [[taken?.name], lost, 0]);
        assert.equal(names().at(-1), 'audit.00000003.2026-11-17.jsonl');
        assert.equal(records().find(({ kind }) => kind === 'lost')?.records ?? 0, lost);
        assert.equal((await verified()).fault?.kind, fault);
        const next = openLog();
        next.write([note(clock.now(), 4)]);
        await next.close();
        assert.equal((await verified()).fault?.kind, fault, 'after a start too');
        assert.equal(clock.pendingTimers, 0);
      }
    });
  }

  it('goes on with a file that was moved away and back', async (t) => {
    const { openLog, clock, told, records, verified, directory } = aStage(t);
    const log = openLog();
    await written(log, [note(clock.now(), 0)], () => records().length === 2);
    const path = auditFilesIn(directory)[0]?.path ?? '';
    renameSync(path, `${path}.old`);
    renameSync(`${path}.old`, path);
    await written(log, [note(clock.now(), 1)], () => records().length === 3);
    await log.close();
    assert.deepEqual([told.taken, told.lost, (await verified()).fault], [[], 0, null]);
  });

  it('goes on where somebody has put a file at the next number', async (t) => {
    const { openLog, clock, told, names, records, verified, directory } = aStage(t);
    const log = openLog();
    await written(log, [note(clock.now(), 0)], () => records().length === 2);
    const path = auditFilesIn(directory)[0]?.path ?? '';
    renameSync(path, path.replace('00000001', '00000002'));
    await written(log, [note(clock.now(), 1)], () => names().length === 2);
    await log.close();
    assert.deepEqual([told.taken.length, told.failed, names().length], [1, 0, 2]);
    assert.equal(names()[1], 'audit.00000003.2026-11-17.jsonl');
    assert.ok((await verified()).fault);
  });

  it('remembers the file while the disk is full', async (t) => {
    const { disk, openForAppending } = aDisk();
    const { openLog, clock, told, names, records, verified, directory } = aStage(t, { openForAppending });
    const log = openLog();
    await written(log, [note(clock.now(), 0)], () => records().length === 2);
    rmSync(auditFilesIn(directory)[0]?.path ?? '');
    disk.isOpening = false;
    await written(log, [note(clock.now(), 1)], () => told.failed > 0);
    disk.isOpening = true;
    await clock.advance(5_000);
    await log.close();
    assert.deepEqual([told.taken.length, told.lost], [1, 2]);
    assert.ok(names().every((name) => !name.includes('00000001')));
    assert.equal((await verified()).fault?.kind, 'missing_before');
  });
});

/** A disk that takes only so many bytes of each write from now on, and then says that it is full; or that does not synchronise. */
function aDisk() {
  const disk = {
    ...{ takes: Number.POSITIVE_INFINITY, isOpening: true, isSyncing: true },
    handles: [] as FileHandle[],
  };
  const openForAppending = async (path: string): Promise<FileHandle> => {
    if (!disk.isOpening) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const handle = await open(path, 'a');
    disk.handles.push(handle);
    const sync = handle.datasync.bind(handle);
    handle.datasync = async () => {
      if (!disk.isSyncing) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      await sync();
    };
    const append = handle.appendFile.bind(handle);
    handle.appendFile = async (bytes) => {
      if (disk.takes === Number.POSITIVE_INFINITY) return append(bytes);
      await append((bytes as Buffer).subarray(0, disk.takes));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    return handle;
  };
  return { disk, openForAppending };
}

describe('the log on a disk that is full', () => {
  it('writes every record once when there is room again, whatever the disk took of them before', async (t) => {
    for (const takes of [0, 100, 400, 600]) {
      const { disk, openForAppending } = aDisk();
      const { openLog, clock, told, records, verified } = aStage(t, { openForAppending });
      const log = openLog();
      disk.takes = takes;
      await written(
        log,
        [0, 1, 2].map((one) => note(clock.now(), one)),
        () => told.failed > 0,
      );
      log.write([note(clock.now(), 3)]);
      disk.takes = Number.POSITIVE_INFINITY;
      await clock.advance(5_000);
      await log.close();
      assert.deepEqual(
        records().flatMap(({ kind, list }) => (kind === 'published_list' ? [list] : [])),
        [0, 1, 2, 3].map((number) => `list-${number}`),
      );
      assert.deepEqual([(await verified()).fault, told.lost], [null, 0]);
    }
  });

  it('counts what finds no room to wait, and says how much that was', async (t) => {
    const { disk, openForAppending } = aDisk();
    const { openLog, clock, told, records, verified } = aStage(t, {
      openForAppending,
      limits: { fileBytes: 1_000_000, queuedRecords: 10 },
    });
    const log = openLog();
    disk.takes = 0;
    await written(log, [note(clock.now(), 0)], () => told.failed > 0);
    for (let batch = 0; batch < 5; batch += 1) log.write([0, 1, 2].map((one) => note(clock.now(), one)));
    assert.equal(told.lost, 6);
    disk.takes = Number.POSITIVE_INFINITY;
    await clock.advance(5_000);
    await log.close();
    assert.equal(records().find(({ kind }) => kind === 'lost').records, 6);
    assert.deepEqual(await verified().then(({ fault, lost }) => [fault, lost]), [null, 6]);
    assert.equal(told.failed, 1, 'once, and not at every try');
  });

  it('says that files were deleted only where it deletes them', async (t) => {
    const refusals = [
      { takes: 0, isSyncing: true },
      { takes: 100, isSyncing: true },
      { takes: Number.POSITIVE_INFINITY, isSyncing: false },
    ];
    for (const refusal of refusals) {
      const { disk, openForAppending } = aDisk();
      const { openLog, clock, told, names, records, verified } = aStage(t, { openForAppending });
      const first = openLog();
      first.write([note(clock.now(), 0)]);
      await first.close();
      clock.stepWallClock(10 * DAY);
      const log = openLog();
      const isWritten = (number: number) => () => records().some(({ list }) => list === `list-${number}`);
      await written(log, [note(clock.now(), 1)], isWritten(1));
      await clock.advance(2_000);
      Object.assign(disk, refusal);
      await clock.advance(15 * MINUTE);
      while (told.failed === 0) await new Promise(setImmediate);
      Object.assign(disk, { takes: Number.POSITIVE_INFINITY, isSyncing: true });
      await clock.advance(5_000);
      await written(log, [note(clock.now(), 2)], isWritten(2));
      assert.deepEqual([told.pruned, names()[0]], [0, 'audit.00000001.2026-11-17.jsonl']);
      const said = records().filter(({ kind }) => kind === 'pruned').length;
      assert.equal(said, refusal.isSyncing ? 0 : 1);
      await clock.advance(15 * MINUTE);
      while (told.pruned === 0) await new Promise(setImmediate);
      await log.close();
      assert.deepEqual([told.pruned, names()[0]], [1, 'audit.00000002.2026-11-27.jsonl']);
      assert.equal(records().filter(({ kind }) => kind === 'pruned').length, said + 1);
      assert.equal((await verified()).fault, null);
    }
  });

  it('leaves no file open when it cannot be synchronised', async (t) => {
    const { disk, openForAppending } = aDisk();
    const { openLog, clock, told, records } = aStage(t, { openForAppending });
    const log = openLog();
    await written(log, [note(clock.now(), 0)], () => records().length === 2);
    disk.isSyncing = false;
    clock.stepWallClock(DAY);
    await written(log, [note(clock.now(), 1)], () => told.failed > 0);
    await clock.advance(5_000);
    await log.close();
    assert.deepEqual(
      disk.handles.map(({ fd }) => fd),
      [-1, -1],
    );
    assert.equal(records().length, 4);
  });

  it('ends although nothing can be written', async (t) => {
    const { disk, openForAppending } = aDisk();
    const { openLog, clock, told } = aStage(t, { openForAppending });
    const log = openLog();
    disk.takes = 0;
    await written(log, [note(clock.now(), 0)], () => told.failed > 0);
    await log.close();
    assert.equal(told.lost, 1);
    assert.equal(clock.pendingTimers, 0);
  });
});
