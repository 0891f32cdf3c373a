import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { skippedWithoutTools, toolsFolder } from '../support/install-tools.ts';
import type { PackedPackage } from './packed-package.ts';
import { readmeExample } from './readme-example.ts';

const WITHOUT_TOOLS = 'what publint, are-the-types-wrong and TypeScript 5 say of the package';
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"]+)\1/g;

/** What others say of the package that would be published. */
export async function judgePackage(
  t: TestContext,
  { tarball, project, folder }: PackedPackage,
): Promise<void> {
  const skip = skippedWithoutTools(WITHOUT_TOOLS);
  const tool = (file: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(toolsFolder() ?? '', 'node_modules', file), ...args],
      {
        cwd: project,
        encoding: 'utf8',
        timeout: 120_000,
        env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
      },
    );
    return { status, output: stdout + stderr };
  };

  await t.test('has no fault that publint knows', { skip }, () => {
    const { status, output } = tool('publint/src/cli.js', 'run', tarball, '--strict');
    assert.equal(status, 0, output);
    assert.match(output, /All good!/);
  });

  await t.test('has types that are right wherever ES modules are', { skip }, () => {
    // CommonJS is left out on purpose: the package is an ES module, which Node 20.19 and later can require.
    const { status, output } = tool(
      '@arethetypeswrong/cli/dist/index.js',
      tarball,
      '--profile=esm-only',
      '--no-definitely-typed',
      '--format=json',
    );
    assert.equal(status, 0, output);
    const { analysis } = JSON.parse(output) as {
      analysis: { entrypoints: Record<string, { resolutions: Record<string, { resolution: unknown }> }> };
    };
    assert.deepEqual(Object.keys(analysis.entrypoints).sort(), ['./client', './package.json']);
    for (const kind of ['node16-esm', 'bundler']) {
      const { resolution } = analysis.entrypoints['./client']?.resolutions[kind] ?? {};
      assert.equal((resolution as { fileName: string }).fileName.split('/').at(-1), 'client.d.ts');
    }
  });

  await t.test('has a client that reaches no dependency and no other part of the package', () => {
    const reached = filesReachedFrom(join(folder, 'dist/client/client.js'));
    const outside = [...reached.files].filter((file) => !file.startsWith(join(folder, 'dist/client/')));
    assert.deepEqual({ outside, packages: [...reached.packages] }, { outside: [], packages: [] });
    assert.ok(reached.files.size > 5, 'its files were found');
    const types = filesReachedFrom(join(folder, 'dist/client/client.d.ts'));
    assert.deepEqual([...types.packages], []);
  });

  await t.test(
    'is used with types as its page shows, by TypeScript 5 with no other types installed',
    { skip },
    () => {
      writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(project, 'example.ts'), readmeExample());
      writeFileSync(join(project, 'narrowed.ts'), NARROWED);
      for (const resolution of ['nodenext', 'bundler']) {
        const { status, output } = tool(
          'typescript/bin/tsc',
          ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'],
          ...['--lib', 'es2022,dom', '--module', resolution === 'bundler' ? 'esnext' : 'nodenext'],
          ...['--moduleResolution', resolution, 'example.ts', 'narrowed.ts'],
        );
        assert.equal(status, 0, output);
      }
    },
  );

  await t.test('has what it names, and no sources or tests beside it', () => {
    for (const file of ['README.md', 'LICENSE', 'openapi.json', 'src/client/README.md', 'bin/staywire.js']) {
      assert.ok(existsSync(join(folder, file)), file);
    }
    assert.ok(!existsSync(join(folder, 'src/client/client.ts')));
    assert.ok(!existsSync(join(folder, 'dist/client/send-request.test.js')));
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.equal(scripts.prepack, 'npm run build', 'npm pack builds first');
  });
}

/** Each line with an error that is expected must be one, or the compiler complains. */
const NARROWED = `
import { createClient, StaywireError, type StayOption } from 'staywire/client';
const client = createClient({ baseUrl: new URL('https://stays.example.com'), fetch });
const answer = await client.step('token', { guests: 2, destination: 'Lisbon' });
// @ts-expect-error: not every answer has options
answer.body.results;
// @ts-expect-error: a search has no such field
await client.step('token', { colour: 'red' });
if (answer.kind === 'comparison') {
  const first: StayOption | undefined = answer.body.results[0];
  const guarantee: 'held' | 'at_retrieval' | undefined = first?.quote.price_guarantee;
  console.log(guarantee);
} else if (answer.kind === 'question') {
  console.log(answer.question.choices[0]?.matchCount, answer.body.error satisfies 'incomplete_payload');
} else if (answer.kind === 'refusal') {
  console.log(answer.refusals[0]?.reason?.code satisfies string | undefined);
} else {
  console.log(answer.code, answer.kind satisfies 'problem');
}
const outcome = await client.search({ amenities: ['pool'], choose: async ({ choices }) => choices[0]?.value ?? null });
await client.refine(answer, 'pool');
await client.result(outcome);
// @ts-expect-error: this is no session
await client.result({ token: 'token' });
if (outcome.kind === 'stopped') await client.step(outcome, { [outcome.question.field]: 'x' });
try {
  await client.open({ signal: AbortSignal.timeout(5) });
} catch (error) {
  if (error instanceof StaywireError) console.log(error.code, error.retryAfterSeconds);
}
`;

function filesReachedFrom(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, , name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!name.startsWith('.')) packages.add(`${relative(dirname(entry), file)}: ${name}`);
      else if (entry.endsWith('.js')) files.add(join(dirname(file), name));
      else files.add(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return { files, packages };
}
