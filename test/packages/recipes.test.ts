import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { restScript } from '../../docs/examples/assistants/scripted/rest-script.ts';
import { toolsScript } from '../../docs/examples/assistants/scripted/tools-script.ts';
import { startDemoProcess } from '../support/demo-process.ts';
import { skippedWithout } from '../support/install-folder.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';
import { expectedStay } from './expected-stay.ts';
import { startScriptedChatCompletions } from './scripted-chat-completions.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'docs/examples/assistants';
const GUARD = join(PROJECT, 'test/support/loopback-only.preload.ts');
const PROGRESS = /^\d of \d booking systems have answered$/m;

const skip = skippedWithout(FOLDER, 'the recipes of docs/for-assistants.md');

test('the recipes fit the types of their packages', { skip }, () => {
  const { status, stdout } = run(join(PROJECT, 'node_modules/.bin/tsc'), ['-p', FOLDER]);
  assert.equal(stdout, '');
  assert.equal(status, 0);
});

test('each recipe takes a traveller from a place to the link of a home, and calls this machine alone', async (t) => {
  const demo = await startDemoProcess(temporaryDirectory(t));
  t.after(() => demo.stop());
  const expected = await expectedStay(demo.service);
  const page = await fetch(expected.url);
  assert.equal(page.status, 200, 'a traveller can open the link');

  /** In a process with nothing of this environment: no key, no setting that turns a call home off. */
  async function talk(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [`--import=${GUARD}`, 'talk.ts', ...args], {
      cwd: join(PROJECT, FOLDER),
      env: {
        STAYWIRE_URL: demo.service,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    child.stdin.end(`${expected.lines.join('\n')}\n`);
    const [said, noted, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    assert.equal(code, 0, noted);
    const [question = '', set = '', answer = '', ...rest] = said.split('\n');
    assert.match(question, /check_out and guests/);
    assert.match(set, /options/);
    // Each set has quotes of its own.
    const link = expected.url.replace(/&quote=.*/, '&quote=nxq_');
    for (const part of [expected.name, String(expected.amount), link])
      assert.ok(answer.includes(part), answer);
    assert.deepEqual(rest, ['']);
    return noted;
  }

  await t.test('the client of the MCP SDK', { skip }, async (t) => {
    const url = await startScriptedChatCompletions(t, toolsScript);
    assert.match(
      await talk(['mcp-client'], { MODEL_URL: url, MODEL_NAME: 'scripted', MODEL_KEY: 'none' }),
      PROGRESS,
    );
  });
  await t.test('the AI SDK', { skip }, async () => {
    assert.equal(await talk(['ai-sdk', 'scripted/ai-sdk.ts']), '');
  });
  await t.test('LangChain', { skip }, async () => {
    assert.match(await talk(['langchain', 'scripted/langchain.ts']), PROGRESS);
  });
  await t.test('the program that hosts start with the configuration of the page', async (t) => {
    const { command, args } = documentedProgram();
    assert.deepEqual([command, args[0]], ['npx', 'staywire']);
    const own = args.slice(1).map((arg) => (arg === 'https://stays.example' ? demo.service : arg));
    const client = new Client({ name: 'test', version: '1.0.0' });
    t.after(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(PROJECT, 'bin/staywire.js'), ...own],
      }),
    );
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'search_stays'));
  });
  await t.test('fetch, which needs no package', async (t) => {
    const url = await startScriptedChatCompletions(t, restScript);
    assert.equal(await talk(['rest'], { MODEL_URL: url, MODEL_NAME: 'scripted', MODEL_KEY: 'none' }), '');
  });
});

test('a process that calls beyond this machine is found out', () => {
  const call = 'await fetch("https://192.0.2.1/").catch(() => {})';
  const { status, stderr } = run(process.execPath, [`--import=${GUARD}`, '--input-type=module', '-e', call]);
  assert.match(stderr, /A connection to 192\.0\.2\.1/);
  assert.equal(status, 86);
});

function documentedProgram(): { readonly command: string; readonly args: readonly string[] } {
  const page = readFileSync(join(PROJECT, 'docs/for-assistants.md'), 'utf8');
  return JSON.parse(/^```json\n(\{\s+"mcpServers".*?)^```$/ms.exec(page)?.[1] ?? '').mcpServers.staywire;
}

function run(command: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd: PROJECT, encoding: 'utf8', timeout: 120_000 });
}
