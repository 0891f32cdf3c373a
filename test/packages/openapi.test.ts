import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { skippedWithoutTools } from '../support/install-tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOOLS = join(ROOT, 'tools', 'node_modules');
const DOCUMENT = join(ROOT, 'openapi.json');

/** A program that a developer could have written: it must compile, and its mistakes must not. */
const PROGRAM = `
import type { components, operations, paths } from './interface.js';

type Answer = paths['/ai/v1/search']['post']['responses'][200]['content']['application/json'];
type Request = NonNullable<operations['search']['requestBody']>['content']['application/json'];
type Option = components['schemas']['Option'];

export const request: Request = { destination: 'lisbon-pt', check_in_day: '2027-05-08', guests: 2 };

export function cheapest(answer: Answer): string {
  if ('results' in answer) {
    const [option]: readonly Option[] = answer.results;
    const bedrooms: number | null = option?.capacity.bedrooms ?? null;
    return option ? \`\${option.name}: \${option.quote.amount} \${answer.comparison_set.currency}, \${bedrooms}\` : 'none';
  }
  if (answer.error === 'incomplete_payload' && 'next_required' in answer) return \`asks for \${answer.next_required}\`;
  const reason: components['schemas']['RefusalReason'] | undefined = 'reason' in answer ? answer.reason : undefined;
  return reason?.code === 'minimum_stay' ? \`at least \${reason.nights} nights\` : answer.message;
}

// @ts-expect-error: an amount is a number
export const wrong: components['schemas']['Quote']['amount'] = '378.00';
// @ts-expect-error: there is no such reason
export const misspelt: components['schemas']['RefusalReason']['code'] = 'minimum_stays';
`;

describe('the OpenAPI document', {
  skip: skippedWithoutTools('the OpenAPI document by Redocly and openapi-typescript'),
}, () => {
  it('passes the recommended rules of Redocly without a warning', (t) => {
    const folder = temporaryFolder(t);
    const { status, stdout, stderr } = run('@redocly/cli/bin/cli.js', folder, [
      'lint',
      '--extends=recommended',
      '--format=json',
      DOCUMENT,
    ]);
    assert.equal(status, 0, stderr);
    const { totals, problems } = JSON.parse(stdout);
    assert.deepEqual({ totals, problems }, { totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  });

  it('gives types in openapi-typescript with which a program compiles', (t) => {
    const folder = temporaryFolder(t);
    const generated = run('openapi-typescript/bin/cli.js', folder, [DOCUMENT, '--output', 'interface.ts']);
    assert.equal(generated.status, 0, generated.stderr);
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const checked = run('typescript/bin/tsc', folder, [...flags, 'program.ts']);
    assert.equal(checked.status, 0, checked.stdout);
  });
});

function run(tool: string, cwd: string, words: readonly string[]) {
  return spawnSync(process.execPath, [join(TOOLS, tool), ...words], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH ?? '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'staywire-openapi-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
