import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { consolePassword } from './console-password.ts';
import { writePrivately } from './private-files.ts';
import { startDemo } from './start-demo.ts';

const REPORT = path.join(import.meta.dirname, 'report.ts');

/** Runs it in an empty folder, as a terminal beside `npm start` would. */
function run(directory: string, ...words: readonly string[]) {
  return new Promise<{ readonly code: unknown; readonly output: string; readonly notes: string }>(
    (resolve) => {
      execFile(
        process.execPath,
        [REPORT, ...words],
        { cwd: directory, env: { PATH: process.env.PATH ?? '' }, timeout: 60_000 },
        (error, output, notes) => resolve({ code: error?.code ?? 0, output, notes }),
      );
    },
  );
}

test('the report of the demo knows its network and its assistants', { timeout: 120_000 }, async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'staywire-demo-report-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));

  const early = await run(directory);
  assert.deepEqual([early.code, early.notes], [2, 'There is no demo here yet. Start it with: npm start\n']);
  assert.ok(!existsSync(path.join(directory, 'data')), 'nothing is made by looking');

  const demo = await startDemo({ port: 0, steady: true, dataDirectory: null });
  writePrivately(path.join(directory, 'data/demo/network.json'), demo.networkFile());
  await demo.close();
  await consolePassword(
    { STAYWIRE_DATA_DIR: path.join(directory, 'data') },
    path.join(directory, 'data/demo'),
  );

  const { code, output, notes } = await run(directory, 'operators', '--json');
  assert.equal(code, 0, notes);
  const [state] = JSON.parse(output).reports[0].tables;
  const systems = state.rows.map(({ id, system_name }: Record<string, string>) => `${id}: ${system_name}`);
  assert.ok(systems.includes('hearthlane: open protocol'));
  assert.ok(systems.includes('quince-and-key: rate card'), systems.join());
  assert.match((await run(directory, 'assistants')).output, /^ {2}dash$/m);
});
