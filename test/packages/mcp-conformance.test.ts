import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { skippedWithoutTools, toolsFolder } from '../support/install-tools.ts';
import { startStays } from '../support/mcp-client.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { EXCEPTIONS } from './mcp-conformance-exceptions.ts';

/** The revisions that the suite has scenarios for, and how many of its checks pass in each. */
const PASSED = { '2025-06-18': 30, '2025-11-25': 35, '2026-07-28': 92 } as const;
const MAX_RUN_MS = 120_000;

type Check = { readonly id: string; readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO' };
type ScenarioChecks = { readonly scenario: string; readonly checks: readonly Check[] };

const skip = skippedWithoutTools('what the conformance suite of the Model Context Protocol says');

describe('the conformance suite of the Model Context Protocol', { skip }, () => {
  const failedInAny = new Set<string>();
  for (const [revision, passed] of Object.entries(PASSED)) {
    it(`passes in revision ${revision}, but for the exceptions that have a reason`, async (t) => {
      const scenarios = await runConformance(t, revision);
      const checks = scenarios.flatMap(({ scenario, checks: all }) =>
        all.map(({ id, status }) => ({ name: `${scenario}/${id}`, status })),
      );
      const failed = checks
        .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
        .map(({ name }) => name)
        .sort();
      for (const name of failed) failedInAny.add(name);
      const scenariosRun = new Set(scenarios.map(({ scenario }) => scenario));
      assert.deepEqual(failed, expectedIn(revision, scenariosRun));
      assert.equal(checks.filter(({ status }) => status === 'SUCCESS').length, passed);
    });
  }

  it('has each exception once, and none for a check that is not made', () => {
    const names = EXCEPTIONS.flatMap(({ checks }) => checks);
    assert.deepEqual(names.toSorted(), [...failedInAny].sort());
  });
});

function expectedIn(revision: string, scenariosRun: ReadonlySet<string>): readonly string[] {
  return EXCEPTIONS.filter((one) => one.revision === undefined || one.revision === revision)
    .flatMap(({ checks }) => checks)
    .filter((name) => scenariosRun.has(dirname(name)))
    .sort();
}

async function runConformance(t: TestContext, revision: string): Promise<readonly ScenarioChecks[]> {
  const { origin } = await startStays(t);
  const results = temporaryDirectory(t);
  const suite = join(toolsFolder() ?? '', 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(
    process.execPath,
    [suite, 'server', '--url', `${origin}/mcp`, '--suite', 'all', '--spec-version', revision, '-o', results],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: MAX_RUN_MS },
  );
  const [said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const files = globSync('*/checks.json', { cwd: results });
  assert.ok(files.length > 0, said);
  return files.map((file) => ({
    scenario: scenarioIn(basename(dirname(file))),
    checks: JSON.parse(readFileSync(join(results, file), 'utf8')),
  }));
}

/** The folder of a scenario is named after it and the time at which it ran. */
function scenarioIn(folder: string): string {
  const name = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder)?.[1];
  assert.ok(name, folder);
  return name;
}
