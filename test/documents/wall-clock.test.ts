import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TIMER = /\bset(?:Timeout|Interval)\(|\bperformance\.now\b|\bprocess\.(?:hrtime|uptime)\b/;

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.(test|contract|generated)\.ts$/.test(file))
  .map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8') }));

describe('time', () => {
  it('comes from the clock that is handed in, and from nowhere else', () => {
    const system = /\bDate\.now\b|\bnew Date\(\)/;
    const found = sources.filter(({ code }) => TIMER.test(code) || system.test(code)).map(({ file }) => file);
    // A page runs in a browser and the client elsewhere, where there is no clock of ours. The first looks after its own process,
    // before there is a service, and must not keep it alive.
    assert.deepEqual(found.sort(), [
      'src/app/process.ts',
      'src/client/client-options.ts',
      'src/clock.ts',
      'src/console/console-script.ts',
      'src/mcp/card/page/main.ts',
    ]);
  });
});
