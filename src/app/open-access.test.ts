import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { auditDirectory, auditFilesIn } from '../telemetry/audit/audit-files.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { openAudit } from './open-access.ts';

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
  return { lines, openWith, run, files };
}

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
    [['warn', 'files of the audit log deleted because of their age or size']],
  );
});

it('writes none where that is turned off, or where nothing outlives the process', (t) => {
  const { openWith, files } = aStage(t);
  assert.deepEqual([openWith(null), openWith(2, 'memory'), files()], [null, null, []]);
});

it('tells an owner of a file that is not as it was written', async (t) => {
  const { lines, run, files } = aStage(t);
  await run();
  appendFileSync(files()[0]?.path ?? '', 'somebody was here\n');
  await run();
  const [first] = files();
  assert.deepEqual(
    lines.map(({ level, msg, file }) => [level, file, msg.slice(0, 50)]),
    [['error', first?.name, 'file of the audit log is not as it was written; it']],
  );
});
