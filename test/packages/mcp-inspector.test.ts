import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { skippedWithoutTools, toolsFolder } from '../support/install-tools.ts';
import { startStays } from '../support/mcp-client.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/staywire.js', import.meta.url));
const CARD = 'ui://staywire/comparison.html';
const STAY = { destination: 'Lisbon', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };
const MAX_CALL_MS = 60_000;
const LAUNCHER = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const ALWAYS = ['--format', 'json', '--stored-auth-only', '--connect-timeout', String(MAX_CALL_MS)];

const skip = skippedWithoutTools('what the MCP Inspector’s command line shows');

describe('the Inspector’s command line', { skip }, () => {
  const targets = {
    'over HTTP, 2025': (origin: string) => [`${origin}/mcp`],
    'over HTTP, 2026': (origin: string) => [`${origin}/mcp`, '--protocol-era', 'modern'],
    'over stdio, 2025': (origin: string) => [process.execPath, PROGRAM, 'mcp', '--url', origin],
  };
  for (const [name, target] of Object.entries(targets)) {
    it(`lists and calls the tools ${name}`, async (t) => {
      const { origin } = await startStays(t);
      const home = temporaryDirectory(t);
      const inspect = async (...options: string[]) => {
        const args = [...target(origin), ...ALWAYS, ...options];
        const launcher = join(toolsFolder() ?? '', LAUNCHER);
        const child = spawn(process.execPath, [launcher, '--cli', ...args], {
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: MAX_CALL_MS,
          env: { PATH: process.env.PATH ?? '', HOME: home },
        });
        const ended = new Promise((resolve) => child.once('close', resolve));
        const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
        assert.equal(await ended, 0, said + complained);
        return JSON.parse(said).result;
      };

      // Also judges whether other hosts can read the schemas.
      const listed = await inspect('--method', 'tools/list', '--strict');
      assert.deepEqual(
        listed.tools.map((tool: { name: string }) => tool.name),
        ['search_stays', 'refine_stays', 'show_stay', 'describe_network'],
      );

      const called = await inspect(
        ...['--method', 'tools/call', '--tool-name', 'search_stays'],
        ...['--tool-args-json', JSON.stringify(STAY)],
      );
      assert.equal(called.structuredContent.outcome, 'comparison');
      assert.equal(called.structuredContent.comparison.options.length, 4);
      assert.match(called.content[0].text, /^lisbon-pt, 2027-04-10 to 2027-04-13 \(3 nights\), 2 guests/);
      if (name !== 'over HTTP, 2026') return;

      const { resources } = await inspect('--method', 'resources/list');
      assert.deepEqual(
        resources.map(({ uri }: { uri: string }) => uri),
        [CARD],
      );
      const { contents } = await inspect('--method', 'resources/read', '--uri', CARD);
      assert.match(contents[0].text, /^<!doctype html>/i);
    });
  }
});
