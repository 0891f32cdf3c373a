import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { View } from '../contract/exchange.ts';
import type { Session } from '../sessions/session.ts';
import { withoutToken } from '../sessions/session-token.ts';
import { createReadResult } from './read-result.ts';

const network = sampleNetwork(['acme']);
function setUp(maxReadyBytes = 1000) {
  const store = {
    body: '{"session":"ses_a"}',
    isDeleted: false,
    isForgotten: false,
    readings: 0,
    compacted: 0,
  };
  const readResult = createReadResult({
    sessions: {
      find: async (id) => (store.isForgotten ? undefined : sampleSession(id)),
      async result() {
        store.readings += 1;
        return store.isDeleted ? undefined : withoutToken(store.body, 'ses_a');
      },
    },
    answers: {
      compactResult: (full) => {
        store.compacted += 1;
        return full.replace('}', ',"view":"compact"}');
      },
      withSideEffects: (full) => full,
    },
    index: createPlainAvailabilityIndex(network),
    network,
    clock: createFakeClock(0),
    maxReadyBytes,
  });
  async function read(session: Session, view: View = 'full'): Promise<string> {
    const reading = await readResult({ session, token: 'ses_a' }, view);
    return reading.kind === 'result' ? Buffer.from(reading.answer.body).toString() : reading.kind;
  }
  return { store, read, readResult };
}

function answered(revision: number): Session {
  const result = { answersPayload: true, amenityOffers: [] };
  return { ...sampleSession('id', revision), result };
}

test('a result is read from the store once, then served from memory with its token', async () => {
  const { store, read } = setUp();
  assert.equal(await read(answered(3)), '{"session":"ses_a"}');
  assert.equal(await read(answered(3)), '{"session":"ses_a"}');
  assert.equal(store.readings, 1);
});

test('a changed session never gets an old result', async () => {
  const { store, read } = setUp();
  await read(answered(3));
  store.body = '{"session":"ses_a","newer":true}';
  assert.equal(await read(answered(4)), store.body);
});

test('a result too large for the cache is read from the store each time', async () => {
  const { store, read } = setUp(10);
  await read(answered(3));
  await read(answered(3));
  assert.equal(store.readings, 2);
});

test('a session without a result gets the step, and the store is not read', async () => {
  const { store, read } = setUp();
  assert.equal(await read(sampleSession('id', 3)), 'not_ready');
  assert.equal(store.readings, 0);
});

test('a result that was deleted is not one that is still to come', async () => {
  const { store, read } = setUp();
  store.isDeleted = true;
  assert.equal(await read(answered(3)), 'deleted');
  store.isForgotten = true;
  assert.equal(await read(answered(3)), 'gone', 'the store has forgotten the whole session');
});

test('the compact view is made once from the stored bytes, and neither view is given for the other', async () => {
  const { store, read } = setUp();
  const compact = '{"session":"ses_a","view":"compact"}';
  assert.equal(await read(answered(3), 'compact'), compact);
  assert.equal(await read(answered(3), 'compact'), compact);
  assert.equal(store.compacted, 1);
  assert.equal(await read(answered(3)), '{"session":"ses_a"}');
});

test('a reading tells whether the result answers the search as it stands', async () => {
  const { readResult } = setUp();
  for (const answersPayload of [true, false]) {
    const session = { ...answered(3), result: { answersPayload, amenityOffers: [] } };
    const reading = await readResult({ session, token: 'ses_a' }, 'full');
    assert.ok(reading.kind === 'result');
    assert.equal(reading.answer.current, answersPayload);
  }
});
