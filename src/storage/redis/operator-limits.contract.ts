import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newPrefix } from '../../../test/support/new-prefix.ts';

import { systemRandom } from '../../random.ts';
import type { RedisConnection } from './connection.ts';
import { createRedisOperatorLimits } from './operator-limits.ts';

/** Runs every script once, by the clock of the server; other suites check the counting, with a clock of the tests. */
export function operatorLimitsContract(
  connect: () => Promise<RedisConnection>,
  { skip = false as string | false } = {},
): void {
  it("counts operators' limits by Redis' own clock, and leaves no key for ever", { skip }, async () => {
    const redis = await connect();
    const prefix = newPrefix();
    const { operator, account } = createRedisOperatorLimits({ redis, prefix, random: systemRandom });
    const states: string[] = [];
    const terms = { brand: 'sol', concurrency: 8, maxPlaceMs: 60_000 };
    const shared = operator({ ...terms, onBreaker: (state) => states.push(state) });
    const caller = ['assistant', '192.0.2.1'];
    for (let call = 0; call < 5; call += 1) {
      const admission = await shared.admit(caller);
      if (admission.kind === 'entered') await admission.report('failed');
    }
    assert.equal((await shared.admit(caller)).kind, 'refused');
    assert.equal(states.at(-1), 'open');
    const luna = operator({ ...terms, brand: 'luna', concurrency: 1, onBreaker() {} });
    const answering = await luna.admit(caller);
    if (answering.kind === 'entered') await answering.report('succeeded');
    assert.equal((await luna.admit(caller)).kind, 'full');

    const { budget, tokenLock } = account({
      id: 'hostaway/main/1',
      windows: [{ requests: 3, perMs: 3_600_000 }],
      maxInFlight: 2,
    });
    const call = { urgency: 'live', assistant: 'assistant' } as const;
    const permit = await budget.take(call);
    assert.ok(permit.kind === 'granted');
    assert.equal((await budget.take(call)).kind, 'granted');
    assert.deepEqual(await budget.take(call), { kind: 'wait', forMs: null });
    await permit.renew();
    permit.done(2);
    budget.pause(1);
    const wait = await budget.take(call);
    assert.ok(wait.kind === 'wait' && wait.forMs !== null && wait.forMs > 3_500_000);

    const lock = tokenLock('secret-1');
    const held = await lock.take();
    assert.deepEqual(await lock.take(), { kind: 'held' });
    if (held.kind === 'taken') held.release({ restMs: 60_000, failure: 'rejected' });
    const resting = await lock.take();
    assert.ok(resting.kind === 'resting' && resting.failure === 'rejected' && resting.forMs > 30_000);

    const keys = await redis.ask((client) => client.keys(`${prefix}*`));
    assert.equal(keys.length, 8, `${keys}`);
    for (const key of keys) assert.ok((await redis.ask((client) => client.pttl(key))) > 0, key);
  });
}
