import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createScriptedTerminal } from '../../../test/support/scripted-terminal.ts';
import { brandsText, whileAsking } from './while-waiting.ts';

describe('waiting for brands', () => {
  it('names them, and counts the seconds until they have answered', async () => {
    const [clock, terminal] = [createFakeClock(0), createScriptedTerminal()];
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = whileAsking(['Casa Azul', 'Driftlark'], promise, { clock, terminal });
    await clock.advance(2150);
    resolve('priced');
    assert.equal(await answer, 'priced');
    assert.match(terminal.waited[0] ?? '', /^⠋ 0 s {2}Asking Casa Azul and Driftlark …$/);
    assert.match(terminal.waited.at(-1) ?? '', /^⠙ 2 s {2}Asking/);
    assert.deepEqual(terminal.noted, ['Asked 2 brands in 2.1 s.']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('ends when they fail', async () => {
    const [clock, terminal] = [createFakeClock(0), createScriptedTerminal()];
    await assert.rejects(whileAsking([], Promise.reject(new Error('gone')), { clock, terminal }), /gone/);
    assert.deepEqual(terminal.noted, ['Asked the service; no answer came.']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('names five of many', () => {
    assert.equal(brandsText(['A']), 'A');
    assert.equal(brandsText(['A', 'B', 'C']), 'A, B and C');
    assert.equal(brandsText(['A', 'B', 'C', 'D', 'E', 'F', 'G']), 'A, B, C, D, E and 2 more');
  });
});
