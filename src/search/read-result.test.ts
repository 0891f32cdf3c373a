import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { textOf, type View } from '../contract/exchange.ts';
import type { Session } from '../sessions/session.ts';
import { withoutToken } from '../sessions/session-token.ts';
import { compactResult } from './answers/compact-result.ts';
import { createReadResult } from './read-result.ts';

const network = sampleNetwork(['acme']);
const RESULT = sampleResultBody();
const NEWER = { ...RESULT, notes: 'Newer.' };
function setUp(maxReadyBytes = 100_000) {
  const store = {
    body: JSON.stringify(RESULT),
    isDeleted: false,
    isForgotten: false,
    readings: 0,
  };
  const readResult = createReadResult({
    sessions: {
      find: async (id) => (store.isForgotten ? undefined : sampleSession(id)),
      async result() {
        store.readings += 1;
        return store.isDeleted ? undefined : withoutToken(store.body, 'ses_a');
      },
    },
    index: createPlainAvailabilityIndex(network),
    network,
    clock: createFakeClock(0),
    maxReadyBytes,
  });
  async function read(session: Session, view: View = 'full'): Promise<string> {
    const reading = await readResult({ session, token: 'ses_a' }, view);
    return reading.kind === 'result' ? Buffer.from(textOf(reading.answer)).toString() : reading.kind;
  }
  return { store, read, readResult };
}

function answered(revision: number): Session {
  const result = { answersPayload: true, amenityOffers: [] };
  return { ...sampleSession('id', revision), result };
}

test('a result is read from the store once, then served from memory with its token', async () => {
  const { store, read } = setUp();
  assert.equal(await read(answered(3)), JSON.stringify(RESULT));
  assert.equal(await read(answered(3)), JSON.stringify(RESULT));
  assert.equal(store.readings, 1);
});

test('a changed session never gets an old result', async () => {
  const { store, read } = setUp();
  await read(answered(3));
  store.body = JSON.stringify(NEWER);
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
  const compact = JSON.stringify(compactResult(RESULT));
  assert.equal(await read(answered(3), 'compact'), compact);
  assert.equal(await read(answered(3), 'compact'), compact);
  assert.equal(store.readings, 1);
  assert.equal(await read(answered(3)), JSON.stringify(RESULT));
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
