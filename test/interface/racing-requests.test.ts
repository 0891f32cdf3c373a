import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../src/sessions/session.ts';
import { sessionIdOf } from '../../src/sessions/session-token.ts';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { setScene } from '../support/scene.ts';

const rateRule = { limit: 600, windowMs: 60_000 };

test('a request that waited for another one of its session sees what that one changed', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const committing = Promise.withResolvers<void>();
  const { sessions } = storage;
  const slow: Storage = {
    ...storage,
    sessions: {
      ...sessions,
      async commit(change) {
        await committing.promise;
        return sessions.commit(change);
      },
    },
  };
  const { open, service } = await setScene(t, { storage: slow });
  const { send } = await open();
  const answers = [send({ destination: 'lisbon-pt' }), send({ guests: 'a dozen' })];
  await service.requestsInFlight(2);
  committing.resolve();
  const [taken, refused] = await Promise.all(answers);
  assert.deepEqual(taken?.body.received, { destination: 'lisbon-pt' });
  assert.equal(refused?.body.error, 'invalid_value');
  assert.deepEqual(refused.body.received, { destination: 'lisbon-pt' });
});

test('a request that another process overtook is decided again on the new state', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const { open } = await setScene(t, { storage: overtakenOnce(storage) });
  const answer = await (await open()).send({ destination: 'lisbon-pt' });
  assert.equal(answer.body.error, 'incomplete_payload');
  assert.deepEqual(answer.body.received, { destination: 'lisbon-pt', guests: '2' });
});

test('a repeat that found its session before the first one was saved tells what that one changed', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule });
  const { sessions } = storage;
  let found: Session | undefined;
  const late: Storage = {
    ...storage,
    sessions: {
      ...sessions,
      async find(id) {
        const earlier = found;
        found = undefined;
        return earlier ?? sessions.find(id);
      },
    },
  };
  const { open } = await setScene(t, { storage: late });
  const conversation = await open();
  const before = await sessions.find(sessionIdOf(conversation.token) ?? '');
  const key = { 'idempotency-key': 'own' };
  await conversation.send({ destination: 'lisbon-pt' }, key);
  found = before;
  const repeated = await conversation.send({ destination: 'lisbon-pt' }, key);
  assert.equal(repeated.headers['idempotent-replayed'], 'true');
  assert.deepEqual(repeated.body.received, { destination: 'lisbon-pt' });
});

/** Before the first commit, another process sets the guests. */
function overtakenOnce(storage: Storage): Storage {
  const { sessions } = storage;
  let isOvertaken = false;
  return {
    ...storage,
    sessions: {
      ...sessions,
      async commit(change) {
        if (!isOvertaken) {
          isOvertaken = true;
          const session = await sessions.find(change.session.id);
          assert.ok(session);
          const revision = session.revision + 1;
          await sessions.commit({
            session: { ...session, revision, payload: { guests: '2' } },
            expectedRevision: session.revision,
            usedKey: null,
            result: null,
            quotes: [],
          });
        }
        return sessions.commit(change);
      },
    },
  };
}
