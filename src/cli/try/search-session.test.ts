import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createScriptedTerminal } from '../../../test/support/scripted-terminal.ts';
import { brandsText, whileAsking } from './search-session.ts';

describe('waiting for brands', () => {
  it('names them, and counts the seconds until they have answered', async () => {
    const [clock, terminal] = [createFakeClock(0), createScriptedTerminal()];
    const { promise, resolve } = Promise.withResolvers<{ readonly brands: number }>();
    const answer = whileAsking(['Casa Azul', 'Driftlark'], promise, ({ brands }) => brands, {
      clock,
      terminal,
    });
    await clock.advance(2150);
    resolve({ brands: 1 });
    assert.deepEqual(await answer, { brands: 1 });
    assert.match(terminal.waited[0] ?? '', /^⠋ 0 s {2}Asking Casa Azul and Driftlark …$/);
    assert.match(terminal.waited.at(-1) ?? '', /^⠙ 2 s {2}Asking/);
    assert.deepEqual(terminal.noted, ['Asked 1 brand in 2.1 s.']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('says that the service was asked where it answered without them', async () => {
    const [clock, terminal] = [createFakeClock(0), createScriptedTerminal()];
    await whileAsking(['Casa Azul'], Promise.resolve(), () => 0, { clock, terminal });
    assert.deepEqual(terminal.noted, ['Asked the service in 0.0 s.']);
  });

  it('ends when they fail', async () => {
    const [clock, terminal] = [createFakeClock(0), createScriptedTerminal()];
    const failing = Promise.reject(new Error('gone'));
    await assert.rejects(
      whileAsking(['A', 'B'], failing, () => 2, { clock, terminal }),
      /gone/,
    );
    assert.deepEqual(terminal.noted, ['Asked the service; no answer came.']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('names five of many', () => {
    assert.equal(brandsText(['A']), 'A');
    assert.equal(brandsText(['A', 'B', 'C']), 'A, B and C');
    assert.equal(brandsText(['A', 'B', 'C', 'D', 'E', 'F', 'G']), 'A, B, C, D, E and 2 more');
  });
});
