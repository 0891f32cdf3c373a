import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { scaledCases } from '../../../test/support/property-cases.ts';
import { temporaryDirectory } from '../../../test/support/temporary-storage.ts';
import { type AuditFile, auditFilesIn } from './audit-files.ts';
import { openAuditLog } from './audit-log.ts';
import { type AuditEntry, type AuditRecord, type ClosedFile, chainedLine } from './audit-record.ts';
import { verifyLog } from './verify-log.ts';

const NOON = Date.UTC(2026, 10, 17, 12);
const DAY = 24 * 60 * 60_000;
const SILENT = {
  ...{ closed() {}, torn() {}, pruned() {} },
  ...{ damaged: assert.fail, taken: assert.fail, failed: assert.fail, lost: () => assert.fail() },
};

/** A run of the service, by what it writes; then it stops, or dies and leaves some bytes of a line. */
type Run = { readonly batches: readonly number[]; readonly days: number; readonly torn: string };

const runs = fc.array(
  fc.record({
    batches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
    days: fc.integer({ min: 0, max: 2 }),
    torn: fc.constantFrom('', '', '{"prev":"00', '\0\0\0', '{"pr\0\0'),
  }),
  { minLength: 1, maxLength: 4 },
);

async function writeRuns(directory: string, history: readonly Run[]): Promise<void> {
  const clock = createFakeClock(NOON);
  for (const { batches, days, torn } of history) {
    const log = openAuditLog({
      ...{ directory, clock, days: 3, observe: SILENT },
      limits: { fileBytes: 2_000, queuedRecords: 1_000 },
    });
    for (const [position, size] of batches.entries()) {
      log.write(
        Array.from({ length: size }, (_, number) => aRequest(clock.now(), `req_${position}_${number}`)),
      );
      await clock.advance(1_000);
    }
    clock.stepWallClock(days * DAY);
    log.write([{ at: clock.now(), kind: 'stopped' }]);
    await log.close();
    const last = auditFilesIn(directory).at(-1);
    if (torn !== '' && last) appendFileSync(last.path, torn);
  }
  // Whoever starts again says what a crash has left.
  const log = openAuditLog({ directory, clock, days: 3, observe: SILENT });
  log.write([{ at: clock.now(), kind: 'started', node: 'a', version: '1' }]);
  await log.close();
}

function aRequest(at: number, request: string): AuditRecord {
  const who = { assistant: 'acme', way: 'signature' };
  return { at, kind: 'request', who, what: 'search', status: 200, outcome: 'done', request };
}

const verify = (directory: string, anchors: readonly string[] = []) =>
  verifyLog({ directory, anchors, pause: async () => {} });

/** Runs the property in folders of its own. */
async function everyLog(
  t: TestContext,
  check: (directory: string, files: readonly AuditFile[], chosen: (below: number) => number) => Promise<void>,
  cases = 25,
): Promise<void> {
  const root = temporaryDirectory(t);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(runs, fc.infiniteStream(fc.nat()), async (history, numbers) => {
      count += 1;
      const directory = join(root, String(count));
      await writeRuns(directory, history);
      const chosen = (below: number) => Number(numbers.next().value) % below;
      await check(directory, auditFilesIn(directory), chosen);
      rmSync(directory, { recursive: true });
    }),
    { numRuns: scaledCases(cases) },
  );
}

function linesOf({ path }: AuditFile): string[] {
  return readFileSync(path, 'latin1').split(/(?<=\n)/);
}

describe('a log', () => {
  it('verifies as long as nobody touches it, with torn ends that were told', async (t) => {
    await everyLog(t, async (directory, files) => {
      const { fault, hash, records, files: count } = await verify(directory);
      assert.equal(fault, null);
      assert.equal(count, files.length);
      assert.ok(records > files.length);
      assert.equal((await verify(directory, [hash ?? ''])).fault, null);
    });
  });

  it('does not, once any byte is another', async (t) => {
    await everyLog(t, async (directory, files, chosen) => {
      for (let tries = 0; tries < 5; tries += 1) {
        const file = files[chosen(files.length)] as AuditFile;
        const before = readFileSync(file.path);
        const bytes = Buffer.from(before);
        const at = chosen(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 + chosen(255));
        writeFileSync(file.path, bytes);
        const { fault } = await verify(directory);
        assert.ok(fault, `${file.name} at ${at}`);
        writeFileSync(file.path, before);
      }
    });
  });

  it('does not, once a line is removed, doubled or exchanged with another', async (t) => {
    await everyLog(t, async (directory, files, chosen) => {
      const file = files[chosen(files.length)] as AuditFile;
      const lines = linesOf(file);
      const [one, other] = [chosen(lines.length), chosen(lines.length)];
      const { hash } = await verify(directory);
      const removed = lines.toSpliced(one, 1);
      const doubled = lines.toSpliced(one, 0, lines[one] ?? '');
      const exchanged = lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
      for (const changed of [removed, doubled, exchanged]) {
        if (changed.join('') === lines.join('')) continue;
        writeFileSync(file.path, changed.join(''), 'latin1');
        const { fault } = await verify(directory, [hash ?? '']);
        assert.ok(fault);
      }
    });
  });

  it('does not, once it is cut at any byte; at its very end only a hash that was kept elsewhere tells', async (t) => {
    await everyLog(t, async (directory, files, chosen) => {
      const position = chosen(files.length);
      const file = files[position] as AuditFile;
      const { length } = readFileSync(file.path);
      const { hash } = await verify(directory);
      const to = chosen(length);
      truncateSync(file.path, to);
      assert.ok((await verify(directory, [hash ?? ''])).fault);
      const isWhole = readFileSync(file.path, 'latin1').endsWith('\n');
      const isEnd = position === files.length - 1 && isWhole;
      assert.equal((await verify(directory)).fault === null, isEnd);
    });
  });

  it('does not, once a file is removed, exchanged with another, doubled or renamed', async (t) => {
    await everyLog(t, async (directory, files, chosen) => {
      if (files.length < 3) return;
      const at = chosen(files.length - 1);
      const [one, other] = [files[at], files[at + 1]] as [AuditFile, AuditFile];
      const aside = join(directory, 'aside');
      renameSync(one.path, aside);
      assert.ok((await verify(directory)).fault, 'removed');
      renameSync(other.path, one.path);
      renameSync(aside, other.path);
      assert.ok((await verify(directory)).fault, 'exchanged');
      renameSync(other.path, aside);
      renameSync(one.path, other.path);
      renameSync(aside, one.path);
      assert.equal((await verify(directory)).fault, null, 'as it was');
      const copy = one.path.replace('.2026', '.2027');
      copyFileSync(one.path, copy);
      assert.ok((await verify(directory)).fault, 'doubled');
      rmSync(one.path);
      assert.ok((await verify(directory)).fault, 'renamed');
    });
  });

  it('does not without its newest file, for whoever kept a hash', async (t) => {
    await everyLog(t, async (directory, files) => {
      const { hash } = await verify(directory);
      rmSync((files.at(-1) as AuditFile).path);
      assert.deepEqual((await verify(directory, [hash ?? ''])).fault !== null, true);
    });
  });

  it('names the first fault with its file and line', async (t) => {
    const directory = temporaryDirectory(t);
    await writeRuns(directory, [{ batches: [6, 6], days: 0, torn: '' }]);
    const [first] = auditFilesIn(directory);
    assert.ok(first);
    const lines = linesOf(first);
    const changed = lines.with(3, (lines[3] ?? '').replace('"status":200', '"status":201'));
    writeFileSync(first.path, changed.join(''));
    assert.deepEqual((await verify(directory)).fault, { kind: 'changed', file: first.name, line: 4 });
    writeFileSync(first.path, lines.toSpliced(2, 1).join(''));
    assert.deepEqual((await verify(directory)).fault, { kind: 'out_of_place', file: first.name, line: 3 });
    writeFileSync(first.path, lines.slice(0, -1).join(''));
    assert.deepEqual((await verify(directory)).fault, {
      kind: 'cut_off',
      file: first.name,
      line: lines.length,
    });
    rmSync(first.path);
    const { fault } = await verify(directory);
    assert.equal(fault?.kind, 'missing_before');
  });

  it('names records about itself that it would not write, though the chain holds', async (t) => {
    const root = temporaryDirectory(t);
    const first = { file: 'audit.00000001.2026-11-17.jsonl', hash: 'a'.repeat(64), records: 3 };
    const second = { ...first, file: 'audit.00000002.2026-11-17.jsonl' };
    const third = { ...first, file: 'audit.00000003.2026-11-17.jsonl' };
    const forged: readonly AuditEntry[] = [
      { kind: 'anchor', file: third.file, before: null },
      { kind: 'pruned', files: [] },
      { kind: 'pruned', files: [{ ...first, file: 'elsewhere' }] },
      { kind: 'pruned', files: [second] },
      { kind: 'pruned', files: [first, third] },
      { kind: 'pruned', files: [first, second, third] },
      // It is there, and ended otherwise.
      { kind: 'pruned', files: [first] },
      JSON.parse('{"kind":"pruned","files":null}'),
      JSON.parse('{"kind":"pruned","files":[null]}'),
    ];
    for (const [position, entry] of forged.entries()) {
      const directory = join(root, String(position));
      const write = async (...records: readonly AuditEntry[]) => {
        const log = openAuditLog({ directory, clock: createFakeClock(NOON), days: 3, observe: SILENT });
        log.write(records.map((record) => ({ at: NOON, ...record })));
        await log.close();
      };
      await write({ kind: 'stopped' });
      await write({ kind: 'stopped' });
      await write({ kind: 'stopped' }, entry, { kind: 'stopped' });
      await write({ kind: 'stopped' });
      const { fault } = await verify(directory);
      assert.deepEqual(fault, { kind: 'misplaced', file: third.file, line: 3 }, JSON.stringify(entry));
    }
  });

  it('does not take whole lines for a torn end, whatever the next file says of them', async (t) => {
    const directory = temporaryDirectory(t);
    await writeRuns(directory, [{ batches: [6], days: 0, torn: '' }]);
    const [first, second] = auditFilesIn(directory);
    assert.ok(first && second);
    const lines = linesOf(first);
    const tail = lines.slice(4).join('').replace('"status":200', '"status":201');
    writeFileSync(first.path, lines.slice(0, 4).join('') + tail);
    const { hash, seq } = JSON.parse(lines[3] ?? '');
    const torn = { bytes: Buffer.byteLength(tail), sha256: createHash('sha256').update(tail).digest('hex') };
    const { text } = chainedLine(
      { hash, next: seq + 1 },
      { at: NOON, kind: 'anchor', file: second.name, before: { file: first.name, hash, records: 4, torn } },
    );
    writeFileSync(second.path, text);
    assert.deepEqual((await verify(directory)).fault, { kind: 'changed', file: first.name, line: 5 });
  });

  it('bears files that a crash has left between the record of their deletion and the deletion', async (t) => {
    const directory = temporaryDirectory(t);
    const ends: ClosedFile[] = [];
    const write = async (...records: readonly AuditEntry[]) => {
      const observe = { ...SILENT, closed: (file: ClosedFile) => void ends.push(file) };
      const log = openAuditLog({ directory, clock: createFakeClock(NOON), days: 3, observe });
      log.write(records.map((record) => ({ at: NOON, ...record })));
      await log.close();
    };
    for (let count = 0; count < 3; count += 1) await write({ kind: 'stopped' });
    await write({ kind: 'stopped' }, { kind: 'pruned', files: ends.slice(0, 2) });
    assert.equal((await verify(directory)).fault, null, 'both are there');
    const [first, second] = auditFilesIn(directory);
    rmSync(first?.path ?? '');
    assert.equal((await verify(directory)).fault, null, 'the second is there');
    await write({ kind: 'pruned', files: ends.slice(1, 3) });
    rmSync(second?.path ?? '');
    assert.equal((await verify(directory)).fault, null, 'the third is there');
  });

  it('has nothing to say where there is none, unless a hash was kept', async (t) => {
    const directory = temporaryDirectory(t);
    assert.deepEqual(await verify(directory), {
      fault: null,
      files: 0,
      records: 0,
      from: null,
      until: null,
      hash: null,
      lost: 0,
      torn: [],
    });
    assert.equal((await verify(directory, ['a'.repeat(64)])).fault?.kind, 'unknown_anchor');
  });

  it('is read once more where its end is being written', async (t) => {
    const directory = temporaryDirectory(t);
    await writeRuns(directory, [{ batches: [2], days: 0, torn: '' }]);
    const last = auditFilesIn(directory).at(-1) as AuditFile;
    const whole = readFileSync(last.path);
    const { records } = await verify(directory);
    writeFileSync(last.path, whole.subarray(0, -10));
    const read = await verifyLog({ directory, pause: async () => writeFileSync(last.path, whole) });
    assert.deepEqual([read.fault, read.records], [null, records]);
    writeFileSync(last.path, whole.subarray(0, -10));
    assert.equal((await verify(directory)).fault?.kind, 'unfinished');
  });
});
