import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import type { OpeningBody } from '../mcp/session-openings.ts';
import { createPortCalls } from '../threads/port-calls.ts';
import { createOpeningsOfThreads, createSharedOpenings } from './shared-openings.ts';

function threads(t: TestContext, count: number) {
  const ofThreads = createOpeningsOfThreads(createFakeClock(0).elapsed);
  const openings = Array.from({ length: count }, (_, number) => {
    const { port1, port2 } = new MessageChannel();
    t.after(() => port1.close());
    createPortCalls(port2, ofThreads.handlersFor(number));
    return createSharedOpenings(createPortCalls(port1, {}));
  });
  return { openings, threadEnded: ofThreads.threadEnded };
}

function sessionNamed(session: string): OpeningBody {
  return { object: 'session', session } as unknown as OpeningBody;
}

it('opens one session under a name, whichever threads are asked, and another once it is forgotten', async (t) => {
  const {
    openings: [one, other],
  } = threads(t, 2);
  assert.ok(one && other);
  let opened = 0;
  const openNew = async () => sessionNamed(`ses_${++opened}`);
  const bodies = await Promise.all([
    one.open('k', openNew),
    other.open('k', openNew),
    one.open('k', openNew),
  ]);
  assert.equal(opened, 1);
  for (const body of bodies) assert.deepEqual(body, sessionNamed('ses_1'));
  other.forget('ses_1');
  assert.deepEqual(await other.open('k', openNew), sessionNamed('ses_2'));
});

it('lets another thread open the session when one fails, or ends', async (t) => {
  const {
    openings: [one, other],
    threadEnded,
  } = threads(t, 2);
  assert.ok(one && other);
  const mayFail = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const failing = one.open('k', async () => {
    begun.resolve();
    await mayFail.promise;
    throw new Error('no room');
  });
  await begun.promise;
  const second = other.open('k', async () => sessionNamed('ses_2'));
  mayFail.resolve();
  await assert.rejects(failing, { message: 'no room' });
  assert.deepEqual(await second, sessionNamed('ses_2'));

  const begunAgain = Promise.withResolvers<void>();
  void one.open('l', () => {
    begunAgain.resolve();
    return new Promise(() => {});
  });
  await begunAgain.promise;
  const third = other.open('l', async () => sessionNamed('ses_3'));
  threadEnded(0);
  assert.deepEqual(await third, sessionNamed('ses_3'));
});
