import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { Session } from '../sessions/session.ts';
import { withoutToken } from '../sessions/token-free-body.ts';
import { createReadResult } from './read-result.ts';

const network = sampleNetwork(['acme']);
let stored: string;
let readings: number;

beforeEach(() => {
  stored = '{"session":"ses_a"}';
  readings = 0;
});

function setUp(maxReadyBytes = 1000) {
  const read = createReadResult({
    sessions: {
      async result() {
        readings += 1;
        return withoutToken(stored, 'ses_a');
      },
    },
    index: createPlainAvailabilityIndex(network),
    network,
    clock: createFakeClock(0),
    maxReadyBytes,
  });
  return async (session: Session) => {
    const reading = await read({ session, token: 'ses_a' });
    return reading.kind === 'result' ? Buffer.from(reading.body).toString() : reading.kind;
  };
}

function answered(revision: number): Session {
  const result = { answersPayload: true, appliedAmenities: [], amenityOffers: [] };
  return { ...sampleSession('id', revision), result };
}

test('a result that was read is at hand with its token, without the store', async () => {
  const read = setUp();
  assert.equal(await read(answered(3)), '{"session":"ses_a"}');
  assert.equal(await read(answered(3)), '{"session":"ses_a"}');
  assert.equal(readings, 1);
});

test('a session that has changed never gets an old result', async () => {
  const read = setUp();
  await read(answered(3));
  stored = '{"session":"ses_a","newer":true}';
  assert.equal(await read(answered(4)), stored);
});

test('what does not fit into memory is read from the store each time', async () => {
  const read = setUp(10);
  await read(answered(3));
  await read(answered(3));
  assert.equal(readings, 2);
});

test('a session without a result is told the step, and the store is not asked', async () => {
  assert.equal(await setUp()(sampleSession('id', 3)), 'not_ready');
  assert.equal(readings, 0);
});
