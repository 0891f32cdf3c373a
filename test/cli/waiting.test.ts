import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { startGuesty } from '../emulators/guesty.ts';
import { aHome } from '../emulators/homes.ts';
import { createCommandStage } from '../support/command-stage.ts';

const MINUTE_MS = 60_000;

/** A vendor that wants so long a pause when it has had enough. */
async function connected(t: TestContext, pauseMs: number) {
  const emulator = await startGuesty({
    homes: [aHome({ id: 1 })],
    now: vendorClock.now,
    limits: [{ requests: 1_000_000, perMs: pauseMs }],
  });
  t.after(() => emulator.close());
  const stage = createCommandStage(t);
  assert.equal((await stage.run(['init'])).code, 0);
  const words = [
    'connect',
    'hills',
    '--system',
    'guesty',
    '--secrets-from-stdin',
    '--set',
    `url=${emulator.url}`,
    'rate_limits=[{"requests":1000,"seconds":1}]',
  ];
  const connect = () => stage.run(words, { input: JSON.stringify(emulator.credentials) });
  return { emulator, connect };
}

describe('a command whose account has used up its limit', () => {
  it('ends, and says which account waits until when and what to do, where the pause is long', async (t) => {
    const { emulator, connect } = await connected(t, 60 * MINUTE_MS);
    emulator.setFault('rate_limited', 'catalogue');
    const { code, notes } = await connect();
    assert.notEqual(code, 0);
    assert.match(
      notes.replace(/\s+/g, ' '),
      /the account hills at guesty can be sent no more requests before \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC.*run the command again/,
    );
  });

  it('waits where the pause is short, and goes on', async (t) => {
    const { emulator, connect } = await connected(t, 40_000);
    emulator.setFault('rate_limited', 'catalogue');
    const run = connect();
    let isOver = false;
    void run.finally(() => {
      isOver = true;
    });
    while (emulator.budget.refused === 0 && !isOver) await new Promise((resolve) => setTimeout(resolve, 5));
    emulator.setFault(null);
    await new Promise((resolve) => setTimeout(resolve, 50));
    vendorClock.skip(40_000);
    const { notes } = await run;
    assert.ok(emulator.budget.refused > 0);
    assert.doesNotMatch(notes, /can be sent no more requests/);
    assert.match(notes, /pictures of 1 home/);
  });
});
