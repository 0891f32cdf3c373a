import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { usedNoncesContract } from '../used-nonces.contract.ts';
import { createNoncesInMemory } from './nonces-in-memory.ts';

describe('nonces in memory', () => {
  usedNoncesContract({
    ofMany: async (_test, count) => {
      const clock = createFakeClock(0);
      const nonces = createNoncesInMemory(clock);
      return { nonces: Array.from({ length: count }, () => nonces), pass: (ms) => clock.advance(ms) };
    },
  });

  it('are forgotten when their time is over, without being asked for again', async () => {
    const clock = createFakeClock(0);
    const nonces = createNoncesInMemory(clock);
    for (let turn = 0; turn < 1000; turn += 1) {
      await nonces.claim(`nonce ${turn}`, 600_000);
      await clock.advance(10_000);
    }
    assert.ok(nonces.size <= 61);
  });

  it('take no more than fits, and forget none for a new one', async () => {
    const clock = createFakeClock(0);
    const nonces = createNoncesInMemory(clock, { maxNonces: 2 });
    await nonces.claim('a', 1000);
    await nonces.claim('b', 5000);
    await assert.rejects(nonces.claim('c', 1000));
    assert.equal(await nonces.claim('a', 1000), false);
    await clock.advance(1000);
    assert.equal(await nonces.claim('c', 1000), true);
  });
});
