import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it, type TestContext } from 'node:test';
import { MessageChannel, MessagePort } from 'node:worker_threads';
import { ClientGone, type QuoteProgress, type WaitingClient } from '../limits/deadline.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { type CallHandlers, createPortCalls, ThreadGone } from './port-calls.ts';

function connected(t: TestContext, handlers: CallHandlers) {
  const { port1, port2 } = new MessageChannel();
  t.after(() => {
    port1.close();
    port2.close();
  });
  return { calls: createPortCalls(port1, {}), other: createPortCalls(port2, handlers), port: port2 };
}

function clientThatLeaves() {
  const departure = new AbortController();
  const client: WaitingClient = {
    hasGone: () => departure.signal.aborted,
    departure: () => departure.signal,
  };
  return { client, leave: () => departure.abort(new ClientGone()) };
}

it('gets each answer to the call that it belongs to, in whatever order they come', async (t) => {
  const first = Promise.withResolvers<string>();
  const { calls } = connected(t, {
    late: () => first.promise,
    double(number: number) {
      first.resolve('after all');
      return number * 2;
    },
  });
  const late = calls.call('late', null);
  assert.deepEqual(await Promise.all([calls.call('double', 4), calls.call('double', 5)]), [8, 10]);
  assert.equal(await late, 'after all');
});

it('tells without waiting, and calls the other way too', async (t) => {
  const heard = Promise.withResolvers<string>();
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const one = createPortCalls(port1, { name: () => 'one' });
  const other = createPortCalls(port2, { greet: (name: string) => heard.resolve(name) });
  one.tell('greet', 'from one');
  assert.equal(await heard.promise, 'from one');
  assert.equal(await other.call('name', null), 'one');
});

it('throws here what was thrown there, as the kind of error that it was', async (t) => {
  const { calls } = connected(t, {
    gone() {
      throw new ClientGone();
    },
    full: () => Promise.reject(new StorageFailure('full', 'no room')),
    broken() {
      throw new TypeError('not a function');
    },
    odd() {
      throw 'a text';
    },
  });
  await assert.rejects(calls.call('gone', null), ClientGone);
  await assert.rejects(calls.call('full', null), {
    name: 'StorageFailure',
    kind: 'full',
    message: 'no room',
  });
  await assert.rejects(calls.call('broken', null), { message: 'not a function', stack: /port-calls\.test/ });
  await assert.rejects(calls.call('odd', null), { message: 'a text' });
});

it('lets the other thread know when the client goes, if it wants to', async (t) => {
  const waiting = Promise.withResolvers<void>();
  const { calls } = connected(t, {
    async search(_argument: null, client) {
      const departure = client.departure();
      assert.ok(departure && !client.hasGone());
      waiting.resolve();
      await once(departure, 'abort');
      assert.ok(client.hasGone());
      throw departure.reason;
    },
  });
  const { client, leave } = clientThatLeaves();
  const called = calls.call('search', null, client);
  await waiting.promise;
  leave();
  await assert.rejects(called, ClientGone);
});

it('knows of a client that had gone before the other thread asked', async (t) => {
  const { calls } = connected(t, {
    async search(_argument: null, client) {
      await once(client.departure() ?? new EventTarget(), 'abort');
      return 'noticed';
    },
  });
  const { client, leave } = clientThatLeaves();
  leave();
  assert.equal(await calls.call('search', null, client), 'noticed');
});

it('hands on how far the work has come, where somebody listens', async (t) => {
  const { calls } = connected(t, {
    search(_argument: null, { hear }) {
      hear?.({ asked: 3, answered: 1 });
      return hear !== undefined;
    },
  });
  const heard: QuoteProgress[] = [];
  const { client } = clientThatLeaves();
  assert.equal(
    await calls.call('search', null, { ...client, hear: (progress) => heard.push(progress) }),
    true,
  );
  assert.deepEqual(heard, [{ asked: 3, answered: 1 }]);
  assert.equal(await calls.call('search', null, client), false);
});

it('moves a port that is the answer', async (t) => {
  const { calls } = connected(t, { connect: () => new MessageChannel().port1 });
  const port = await calls.call('connect', null);
  assert.ok(port instanceof MessagePort);
  port.close();
});

it('rejects calls that nobody can answer any more, and lets those that it served go', async (t) => {
  const served = Promise.withResolvers<WaitingClient>();
  const { calls, other, port } = connected(t, {
    never(_argument: null, client) {
      client.departure();
      served.resolve(client);
      return new Promise(() => {});
    },
  });
  const pending = calls.call('never', null);
  const client = await served.promise;
  port.close();
  await assert.rejects(pending, ThreadGone);
  await assert.rejects(calls.call('never', null), ThreadGone);
  await assert.rejects(other.call('anything', null), ThreadGone);
  assert.ok(client.hasGone() && client.departure()?.aborted);
});

it('loses no other message with one that cannot be sent', async (t) => {
  const { calls } = connected(t, {
    double: (number: number) => number * 2,
    unsendable: () => () => undefined,
    connect: () => new MessageChannel().port1,
  });
  const outcomes = await Promise.allSettled([
    calls.call('double', 1),
    calls.call('double', () => undefined),
    calls.call('unsendable', null),
    calls.call('connect', null),
    calls.call('double', 4),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
  );
  const port = outcomes[3]?.status === 'fulfilled' ? outcomes[3].value : undefined;
  assert.ok(port instanceof MessagePort);
  port.close();
});
