import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPortCalls, ThreadGone } from './port-calls.ts';
import { createPeers } from './worker-pool.ts';

it('waits for a thread that is being replaced, and calls the new one', async (t) => {
  const peers = createPeers({}, createFakeClock(0));
  const first = new MessageChannel();
  createPortCalls(first.port2, { name: () => 'first' });
  peers.add(3, first.port1);
  assert.equal(await (await peers.of(3)).call('name', null), 'first');
  first.port2.close();
  await once(first.port1, 'close');

  const called = peers.of(3).then((calls) => calls.call('name', null));
  const second = new MessageChannel();
  t.after(() => second.port1.close());
  createPortCalls(second.port2, { name: () => 'second' });
  peers.add(3, second.port1);
  assert.equal(await called, 'second');
});

it('does not wait for ever', async () => {
  const clock = createFakeClock(0);
  const peers = createPeers({}, clock);
  const lost = assert.rejects(peers.of(1), ThreadGone);
  await clock.advance(5_000);
  await lost;
  assert.equal(clock.pendingTimers, 0);
});
