import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { setScene } from '../support/scene.ts';
import { createInProcessTransport } from './in-process-transport.ts';

const caller = { assistant: 'local', address: '127.0.0.1' };

test('a second transport needs nothing of HTTP', () => {
  const transport = readFileSync(new URL('./in-process-transport.ts', import.meta.url), 'utf8');
  assert.ok(transport.split('\n').length <= 150);
  assert.doesNotMatch(transport, /\/http\//);
  for (const file of globSync('src/requests/**/*.ts')) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /from '(\.\.\/http\/|node:http)/, file);
  }
});

test('a whole search through another transport: open, narrow down, read, refine', async (t) => {
  const { service } = await setScene(t);
  const transport = createInProcessTransport({ serveOperation: service.serveOperation, caller });

  const opened = await transport.call('openSession', { source: 'acme' });
  assert.equal(opened.error, null);
  const token: string = opened.body.session;

  let step = await transport.call('search', {}, { token });
  const asked: string[] = [];
  while (step.error === 'incomplete_payload') {
    assert.equal(step.body.method, 'CALL');
    const field: string = step.body.next_required;
    asked.push(field);
    const value = Reflect.get(STAY, field) ?? step.body.next_request.value;
    step = await transport.call('search', { [field]: value }, { token, key: `answer-${field}` });
  }
  assert.deepEqual(asked, [
    'brand_locked',
    'destination',
    'check_in_month',
    'check_in_day',
    'check_out',
    'guests',
  ]);
  assert.equal(step.body.object, 'search_result');
  assert.equal(step.body.results.length, 2);

  const read = await transport.call('readResult', {}, { token });
  assert.deepEqual(read.body, step.body);
  const narrowed = await transport.call('search', { amenities: 'pool' }, { token });
  assert.deepEqual(narrowed.body.applied_filters, { amenities: ['pool'] });

  const schema = await transport.call('readSchema');
  assert.equal(schema.body.object, 'schema');
  assert.ok(schema.tag);
  assert.equal((await transport.call('readTerms')).body.object, 'terms');
});

test('sessions, keys, windows and load are the same through every transport', async (t) => {
  const { service, open } = await setScene(t, { settings: { rateLimit: 6 } });
  const transport = createInProcessTransport({ serveOperation: service.serveOperation, caller });

  // Opened through HTTP, used through this transport.
  const { token } = await open();
  const first = await transport.call('search', { destination: 'lisbon-pt' }, { token, key: 'k1' });
  const again = await transport.call('search', { destination: 'lisbon-pt' }, { token, key: 'k1' });
  assert.deepEqual([first.replayed, again.replayed], [false, true]);
  assert.deepEqual(again.body, first.body);
  const other = await transport.call('search', { destination: 'porto-pt' }, { token, key: 'k1' });
  assert.equal(other.error, 'idempotency_key_reused');
  const twoKeys = await transport.call('search', {}, { token, key: 'kein Schlüssel' });
  assert.deepEqual([twoKeys.error, twoKeys.key], ['invalid_idempotency_key', null]);
  assert.equal(
    (await transport.call('search', {}, { token, version: '1999-01-01' })).error,
    'unsupported_version',
  );

  // A session belongs to the assistant that opened it.
  const stranger = createInProcessTransport({
    serveOperation: service.serveOperation,
    caller: { assistant: 'another', address: '127.0.0.1' },
  });
  assert.equal((await stranger.call('search', {}, { token })).error, 'session_not_found');

  await transport.call('search', {}, { token });
  const limited = await transport.call('search', {}, { token });
  assert.equal(limited.error, 'rate_limited');
  assert.equal(limited.rate.remaining, 0);
  assert.ok((limited.retryAfterSeconds ?? 0) > 0);

  service.load.lagMs = 10_000;
  assert.equal((await stranger.call('openSession')).error, 'overloaded');
});

test('a fault is an answer, and it is reported under the id of the call', async (t) => {
  const { service } = await setScene(t);
  const transport = createInProcessTransport({ serveOperation: service.serveOperation, caller });
  const token: string = (await transport.call('openSession')).body.session;
  await service.storage.sessions.close();
  const broken = await transport.call('search', { destination: 'lisbon-pt' }, { token });
  assert.equal(broken.error, 'storage_unavailable');
  assert.ok(service.logLines.some((line) => JSON.parse(line).request_id === 'call_2'));
});
