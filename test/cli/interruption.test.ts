import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { aHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startCommand } from '../support/command-line.ts';
import { addPlaces, createCommandStage } from '../support/command-stage.ts';
import { connectHills } from './connect-hills.ts';

const HOMES = 60;

async function setUp(t: TestContext) {
  const homes = Array.from({ length: HOMES }, (_, index) => aHome({ id: index + 1 }));
  const emulator = await startHostaway({ homes, now: Date.now, limits: 'off' });
  t.after(() => emulator.close());
  // Only what is interrupted has to be a process.
  const { directory, run } = createCommandStage(t);
  const runHere = async (words: readonly string[]) => {
    const input = JSON.stringify(emulator.credentials);
    const { code, output, notes } = await run(words, { input, tools: { clock: systemClock } });
    assert.equal(code, 0, notes);
    return output;
  };
  await runHere(['init']);
  addPlaces(directory);
  const connect = (requestsInASecond: number) =>
    connectHills(emulator, `rate_limits=[{"requests":${requestsInASecond},"seconds":1}]`);
  return { emulator, directory, runHere, connect };
}

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('data'));

describe('Ctrl-C', () => {
  for (const signal of ['SIGTERM'] as const) {
    it(`in the middle of connect leaves everything as it was (${signal})`, async (t) => {
      const { emulator, directory, connect } = await setUp(t);
      const input = JSON.stringify(emulator.credentials);
      const file = join(directory, 'network.jsonc');
      const before = { file: readFileSync(file, 'utf8'), files: filesIn(directory) };
      emulator.setFault('slow', 'catalogue');
      const running = startCommand(connect(1000), { directory, input });
      await running.said(/Trying hills/);
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.ended;
      assert.equal(code, 130, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /Interrupted; nothing is left half done\.\n$/);
      assert.deepEqual({ file: readFileSync(file, 'utf8'), files: filesIn(directory) }, before);
    });
  }

  it('in the middle of a synchronisation keeps what was read, and the next one goes on from there', async (t) => {
    const { emulator, directory, runHere, connect } = await setUp(t);
    await runHere(connect(20));
    const running = startCommand(['sync'], { directory });
    await running.said(/hills: calendars [1-9]0 %/);
    running.child.kill('SIGINT');
    const interrupted = await running.ended;
    assert.equal(interrupted.code, 130, interrupted.stderr);
    assert.match(interrupted.stdout, /Interrupted; the next run goes on from here\./);
    const read = Number(/(\d+) calendars? read/.exec(interrupted.stderr)?.[1]);
    assert.ok(read > 0 && read < HOMES, interrupted.stderr);
    const asked = emulator.requests.length;
    const [brand] = JSON.parse(await runHere(['sync', '--json'])).brands;
    assert.deepEqual([brand.outcome, brand.calendars_read], ['complete', HOMES - read]);
    const calendars = emulator.requests.slice(asked).filter(({ kind }) => kind === 'calendar');
    assert.equal(calendars.length, HOMES - read);
  });
});
