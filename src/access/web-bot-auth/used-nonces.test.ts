import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { usedNoncesContract } from './used-nonces.contract.ts';
import { createNoncesInMemory } from './used-nonces.ts';

const SIGNER = 'https://agent.example';

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
      await nonces.claim(SIGNER, `nonce ${turn}`, 600_000);
      await clock.advance(10_000);
    }
    assert.ok(nonces.size <= 61);
  });

  it('take no more than fits, at the cost of whoever has used most', async () => {
    const clock = createFakeClock(0);
    const nonces = createNoncesInMemory(clock, { maxNonces: 4 });
    const flooding = 'https://flooding.example';
    assert.equal(await nonces.claim(SIGNER, 'a', 60_000), true);
    for (let turn = 0; turn < 50; turn += 1) {
      assert.equal(await nonces.claim(flooding, `nonce ${turn}`, 60_000), true);
      assert.ok(nonces.size <= 4);
    }
    assert.equal(await nonces.claim(SIGNER, 'a', 60_000), false, 'the other signer has lost nothing');
    assert.equal(await nonces.claim(flooding, 'nonce 49', 60_000), false);
    assert.equal(await nonces.claim(flooding, 'nonce 0', 60_000), true, 'its own oldest is forgotten');
  });

  it('are those of a signer, whatever others call theirs', async () => {
    const nonces = createNoncesInMemory(createFakeClock(0));
    assert.equal(await nonces.claim(SIGNER, 'a', 60_000), true);
    assert.equal(await nonces.claim('https://other.example', 'a', 60_000), true);
  });
});
