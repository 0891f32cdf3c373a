import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createLedgerSender } from './ledger-sender.ts';

/** One parcel, which stays until it is delivered, and a ledger that is down. */
function aSender() {
  const clock = createFakeClock(0);
  const state = { isDown: true, calls: 0, isDelivered: false };
  const sender = createLedgerSender({
    nextParcel: async () => (state.isDelivered ? undefined : { quotes: [], delivered }),
    async insert() {
      state.calls += 1;
      if (state.isDown) throw new Error('down');
    },
    clock,
    report: () => {},
  });
  async function delivered() {
    state.isDelivered = true;
  }
  return { clock, state, sender };
}

describe('the sender of the ledger', () => {
  it('pauses twice as long after each failure, up to five seconds', async () => {
    const { clock, state, sender } = aSender();
    sender.wake();
    await clock.advance(50);
    for (const pauseMs of [200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
      const before = state.calls;
      await clock.advance(pauseMs - 1);
      sender.wake();
      await clock.settle();
      assert.equal(state.calls, before, `${pauseMs}: new quotes do not shorten the pause`);
      await clock.advance(1);
      assert.equal(state.calls, before + 1, `${pauseMs}: it tries again`);
    }
    state.isDown = false;
    await clock.advance(5_050);
    assert.ok(state.isDelivered);
    assert.equal(clock.pendingTimers, 0);
  });

  it('gathers for a moment before it sends', async () => {
    const { clock, state, sender } = aSender();
    sender.wake();
    await clock.advance(49);
    sender.wake();
    assert.equal(state.calls, 0);
    await clock.advance(1);
    assert.equal(state.calls, 1);
  });

  it('tries at once for whoever waits, and tells them what failed', async () => {
    const { clock, state, sender } = aSender();
    sender.wake();
    await clock.advance(50);
    await assert.rejects(
      sender.until(() => state.isDelivered),
      /down/,
    );
    assert.equal(state.calls, 2);
    state.isDown = false;
    await sender.until(() => state.isDelivered);
    assert.equal(clock.pendingTimers, 0);
  });

  it('lets nobody wait once it is stopped', async () => {
    const { clock, state, sender } = aSender();
    sender.wake();
    await clock.settle();
    await sender.stop();
    assert.equal(clock.pendingTimers, 0);
    await assert.rejects(
      sender.until(() => state.isDelivered),
      { kind: 'closed' },
    );
  });
});
