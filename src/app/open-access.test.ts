import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { auditDirectory, auditFilesIn } from '../telemetry/audit/audit-files.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { openAudit } from './open-access.ts';

const GUIDE = { id: 'guide', name: 'Guide', status: 'approved', recognised_by: [{ network: ['192.0.2.1'] }] };
const DAY = 24 * 60 * 60_000;
const QUARTER_OF_AN_HOUR = 15 * 60_000;

function aStage(t: TestContext, registry = registryOf()) {
  const dataDirectory = temporaryDirectory(t);
  const clock = createFakeClock(Date.UTC(2026, 10, 17, 12));
  const metrics = createMetrics();
  const lines: { readonly level: string; readonly msg: string; readonly file?: string }[] = [];
  const log = createLog({
    ...{ level: 'warn', clock },
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const openWith = (
    auditDays: number | null,
    store: 'sqlite' | 'memory' = 'sqlite',
    maxAuditMegabytes: number | null = null,
  ) =>
    openAudit({
      ...{ settings: { auditDays, maxAuditMegabytes, store, dataDirectory }, registry, node: 'a' },
      ...{ clock, log, metrics },
    });
  const run = async (auditDays = 2) => {
    const audit = openWith(auditDays);
    assert.ok(audit);
    await audit.close();
  };
  const files = () => auditFilesIn(auditDirectory(dataDirectory));
  return { clock, metrics, lines, openWith, run, files };
}

/** Time stands still while the disk works. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

it('keeps the files of as many days as are set', async (t) => {
  const { clock, openWith, run, files } = aStage(t);
  for (let day = 0; day < 5; day += 1) {
    await run();
    clock.stepWallClock(DAY);
  }
  const audit = openWith(2);
  await clock.advance(QUARTER_OF_AN_HOUR);
  await audit?.close();
  assert.deepEqual(
    files().map(({ day }) => day),
    ['2026-11-20', '2026-11-21', '2026-11-22'],
  );
});

it('deletes the oldest files beyond the megabytes that are set, and warns once', async (t) => {
  const { openWith, run, lines, files } = aStage(t);
  for (let start = 0; start < 3; start += 1) await run();
  assert.deepEqual([files().length, lines], [3, []], 'without a limit');
  // As much as one full file.
  await openWith(2, 'sqlite', 32)?.close();
  assert.deepEqual(
    files().map(({ number }) => number),
    [4],
  );
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [['warn', 'files of the audit log deleted because of their size']],
  );
});

it('marks what it tells of the registry at a start, which may be as old as the registry', async (t) => {
  const { run, files } = aStage(t, registryOf(GUIDE));
  await run();
  await run();
  const told = files().flatMap(({ path }) => {
    const records = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return records
      .filter(({ kind }) => kind === 'registry')
      .map(({ changes, start }) => [changes.length, start]);
  });
  assert.deepEqual(told, [
    [1, true],
    [1, true],
  ]);
});

it('writes none where that is turned off, or where nothing outlives the process', (t) => {
  const { openWith, files } = aStage(t);
  assert.deepEqual([openWith(null), openWith(2, 'memory'), files()], [null, null, []]);
});

it('tells an owner of a file that is not as it was written, or is gone', async (t) => {
  const { clock, metrics, lines, openWith, run, files } = aStage(t);
  await run();
  appendFileSync(files()[0]?.path ?? '', 'somebody was here\n');
  const audit = openWith(2);
  await clock.advance(100);
  await until(() => files().length === 2);
  const [first, second] = files();
  await until(() => readFileSync(second?.path ?? '', 'utf8').includes('"started"'));
  rmSync(second?.path ?? '');
  await audit?.close();
  assert.deepEqual(
    lines.map(({ level, msg, file }) => [level, file, msg.slice(0, 50)]),
    [
      ['error', first?.name, 'file of the audit log is not as it was written; it'],
      ['error', second?.name, 'file of the audit log was deleted, moved or replac'],
      ['error', undefined, 'records of the audit log were lost'],
    ],
  );
  assert.match(await metrics.render(), /^staywire_audit_records_lost_total(?:\{\})? 2$/m);
});
