import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';

const MINUTE = 60_000;

test('beyond its sessions an assistant opens no more until the oldest ends, and its open ones go on', async (t) => {
  const { service, open } = await setScene(t, { settings: { maxSessions: 2 } });
  const first = await open();
  await service.time.pass(5 * MINUTE);
  await open();
  const refused = await service.post('/ai/v1/auth', { source: 'acme' });
  assert.deepEqual([refused.status, refused.body.error], [429, 'too_many_sessions']);
  assert.equal(refused.headers['retry-after'], String(25 * 60));
  assert.equal(refused.body.retry_after_seconds, 25 * 60);
  assert.deepEqual(refused.body.next_request.body, { source: 'acme' });
  assert.equal((await first.send(STAY)).body.object, 'search_result');

  assert.match(
    refused.body.message,
    /Go on with one that is open: every field in its field_order can be changed/,
  );

  // Deleting comes later; whoever waits for as long as it was told is let in.
  service.time.now += 25 * MINUTE - 1_000;
  assert.equal((await service.post('/ai/v1/auth', {})).headers['retry-after'], '1');
  service.time.now += 1_000;
  assert.equal((await service.post('/ai/v1/auth', {})).status, 200);
  assert.equal((await service.post('/ai/v1/auth', {})).status, 429);
});

test('one assistant at its limit does not keep another out', async (t) => {
  const entry = { status: 'approved' };
  const reading = describeAssistantRegistry(
    {
      assistants: [
        {
          ...entry,
          id: 'greedy',
          name: 'G',
          recognised_by: [{ network: ['10.0.0.1'] }],
          limits: { sessions: 1 },
        },
        { ...entry, id: 'modest', name: 'M', recognised_by: [{ network: ['10.0.0.2'] }] },
      ],
    },
    () => {
      throw new Error('no file is named');
    },
  );
  assert.ok(reading.kind === 'valid');
  const { service } = await setScene(t, { registry: reading.value });
  const auth = async (remoteAddress: string) =>
    (await service.call({ method: 'POST', url: '/ai/v1/auth', remoteAddress })).status;
  assert.deepEqual([await auth('10.0.0.1'), await auth('10.0.0.1')], [200, 429]);
  assert.deepEqual([await auth('10.0.0.2'), await auth('10.0.0.2')], [200, 200]);
});
