import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { UsedNonces } from './used-nonces.ts';

const SIGNER = 'https://agent.example';

/** Nonces of several nodes that share them, and time that passes for all of them. */
export type NoncesOfMany = (
  test: TestContext,
  count: number,
) => Promise<{
  readonly nonces: readonly UsedNonces[];
  readonly pass: (milliseconds: number) => Promise<void>;
}>;

/** The cases that all stores of used nonces must pass. */
export function usedNoncesContract({ ofMany }: { readonly ofMany: NoncesOfMany }): void {
  it('are new once, whoever asks', async (t) => {
    const { nonces } = await ofMany(t, 2);
    const [one, other = one] = nonces;
    assert.ok(one && other);
    assert.equal(await one.claim(SIGNER, 'a', 60_000), true);
    assert.equal(await one.claim(SIGNER, 'a', 60_000), false);
    assert.equal(await other.claim(SIGNER, 'a', 60_000), false);
    assert.equal(await other.claim(SIGNER, 'b', 60_000), true);
    assert.equal(await one.claim(SIGNER, 'b', 60_000), false);
  });

  it('are new for exactly one of those who claim them at once', async (t) => {
    const { nonces } = await ofMany(t, 2);
    const claims = Array.from({ length: 20 }, (_, turn) =>
      nonces[turn % nonces.length]?.claim(SIGNER, 'a', 60_000),
    );
    const answers = await Promise.all(claims);
    assert.equal(answers.filter((isNew) => isNew).length, 1);
  });

  it('are remembered for as long as was asked, and may be new again afterwards', async (t) => {
    const { nonces, pass } = await ofMany(t, 1);
    const [one] = nonces;
    assert.ok(one);
    await one.claim(SIGNER, 'short', 1000);
    await one.claim(SIGNER, 'long', 60_000);
    await pass(500);
    assert.equal(await one.claim(SIGNER, 'short', 1000), false);
    await pass(2500);
    assert.equal(await one.claim(SIGNER, 'short', 1000), true);
    assert.equal(await one.claim(SIGNER, 'long', 60_000), false);
  });

  it('are told apart by their whole name', async (t) => {
    const { nonces } = await ofMany(t, 1);
    const [one] = nonces;
    assert.ok(one);
    assert.equal(await one.claim(SIGNER, 'name', 60_000), true);
    assert.equal(await one.claim(SIGNER, 'Name', 60_000), true);
    assert.equal(await one.claim(SIGNER, 'name2', 60_000), true);
  });
}
