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
    const terms = { brand: 'sol', concurrency: 8, reservesLast: false, maxPlaceMs: 60_000 };
    const shared = operator({ ...terms, onBreaker: (state) => states.push(state) });
    for (let call = 0; call < 5; call += 1) {
      const admission = await shared.admit(['assistant', '192.0.2.1']);
      if (admission.kind === 'entered') admission.report('failed');
    }
    assert.equal((await shared.admit(['assistant', '192.0.2.1'])).kind, 'refused');
    assert.equal(states.at(-1), 'open');
    const answering = await operator({ ...terms, brand: 'luna', onBreaker() {} }).admit([
      'assistant',
      '192.0.2.1',
    ]);
    const question = { references: ['a'], checkIn: 40_000, checkOut: 40_003, guests: 2, currency: 'EUR' };
    if (answering.kind === 'entered') await answering.report('succeeded', question);

    const { budget, tokenLock } = account({
      id: 'hostaway/main/1',
      windows: [{ requests: 1, perMs: 3_600_000 }],
      maxInFlight: 2,
    });
    const caller = { assistant: 'assistant', name: 'assistant 192.0.2.1' };
    const call = { urgency: 'live', goesFirst: false, caller } as const;
    const permit = await budget.take(call);
    assert.ok(permit.kind === 'granted');
    assert.equal((await budget.take(call)).kind, 'rest');
    const other = { ...call, caller: { assistant: 'other', name: 'other 192.0.2.2' } };
    assert.deepEqual(await budget.take(other), { kind: 'wait', forMs: null });
    assert.equal(await permit.renew(), false);
    permit.done(1);
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
    assert.equal(keys.length, 12);
    for (const key of keys) assert.ok((await redis.ask((client) => client.pttl(key))) > 0, key);
  });
}
