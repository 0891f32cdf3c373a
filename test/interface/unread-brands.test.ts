import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStorage } from '../../src/storage/memory/storage.ts';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { ACME, setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';
import { SAMPLE_RATE_RULE } from '../support/temporary-storage.ts';

const isDown: ScriptedOperator['misbehave'] = (_path, response) => {
  response.writeHead(503).end();
  return true;
};
const hangs: ScriptedOperator['misbehave'] = () => true;
const LATE = { properties: [property('late')], misbehave: isDown };

const NOT_SEARCHED = /Not searched, or not fully, because a booking system could not be read: Brand late\./;

async function sceneWithoutLate(t: Parameters<typeof setScene>[0]) {
  const scene = await setScene(t, {
    brands: { acme: ACME, late: LATE },
    network: { refresh_seconds: 60 },
  });
  const { late } = scene.operators;
  assert.ok(late);
  const recover = async () => {
    late.misbehave = () => false;
    const refreshed = scene.service.nextRefresh('late');
    await scene.service.time.pass(66_000);
    await refreshed;
  };
  return { ...scene, recover };
}

test('a result across brands names one that could not be read, and is not called complete', async (t) => {
  const { service, open, recover } = await sceneWithoutLate(t);
  assert.equal((await service.get('/readyz')).status, 200, 'the others can be searched');
  const conversation = await open();
  const { body } = await conversation.search();
  const { selection, coverage } = body.comparison_set;
  assert.deepEqual(selection, { matches: 2, priced: 2, shown: 2, complete: false });
  assert.deepEqual(
    coverage.map(({ brand }: { brand: string }) => brand),
    ['Brand acme'],
    'it was not asked',
  );
  assert.match(body.notes, NOT_SEARCHED);
  await recover();
  const again = await service.get(body.available_requests.ask_again.href);
  assert.deepEqual(again.body.comparison_set.selection, { matches: 3, priced: 3, shown: 3, complete: true });
  assert.doesNotMatch(again.body.notes, /Not searched/);
  assert.equal('ask_again' in again.body.available_requests, false);
});

test('a search of a brand that could not be read says so, sends nobody elsewhere, and goes on once it was read', async (t) => {
  const { service, open, recover } = await sceneWithoutLate(t);
  const conversation = await open('late');
  const first = await conversation.read();
  assert.equal(first.body.error, 'nothing_on_offer');
  assert.match(
    first.body.message,
    /because a booking system could not be read: Brand late\. It does not mean/,
  );
  assert.deepEqual([first.headers['retry-after'], first.body.retry_after_seconds], ['30', 30]);
  assert.deepEqual(
    first.body.available_requests.map(({ field, value }: Record<string, string>) => [field, value]),
    [['brand_locked', 'false']],
    'the other brands can be chosen, but are not the next request',
  );
  assert.equal(first.body.next_request.field, undefined);

  const whole = await conversation.send({ brand_locked: true, ...STAY });
  assert.equal(whole.body.error, 'nothing_on_offer');
  assert.equal(whole.body.reason, undefined);
  assert.doesNotMatch(whole.raw, /nothing_free|Nothing can be booked/);
  assert.match(whole.body.next_request.url, /brand_locked=true&destination=lisbon-pt.*&guests=2&/);
  await recover();
  const { body } = await service.get(whole.body.next_request.url);
  assert.equal(body.object, 'search_result', JSON.stringify(body));
  assert.deepEqual(
    body.results.map(({ property_id: id }: { property_id: string }) => id),
    ['late:late'],
  );
});

test('a result is not replaced by an empty one, nor filters or dates taken away, while nothing is known', async (t) => {
  const { service, operator, open } = await setScene(t, {
    settings: { calendarMaxAgeHours: 1, sessionMinutes: 600 },
    network: { refresh_seconds: 60 },
  });
  const conversation = await open('acme');
  const found = await conversation.search({ brand_locked: true });
  assert.equal(found.body.results.length, 2);
  operator.misbehave = isDown;
  await service.time.pass(2 * 3_600_000);
  for (const [values, value] of [
    [{ amenities: 'pool' }, 'pool'],
    [{ check_out: '2027-04-14' }, '2027-04-14'],
    [{ guests: 3 }, '3'],
  ] as const) {
    const { body } = await conversation.send(values);
    assert.equal(body.error, 'nothing_on_offer', JSON.stringify(values));
    assert.equal(body.received.check_out, STAY.check_out);
    const [field = ''] = Object.keys(values);
    assert.match(body.next_request.url, new RegExp(`&field=${field}&value=${value}&`));
  }
  assert.equal((await conversation.result()).raw, found.raw);
  operator.misbehave = () => false;
  const refreshed = service.nextRefresh('acme');
  await service.time.pass(3_600_000);
  await refreshed;
  const { body } = await conversation.send({ amenities: 'pool' });
  assert.deepEqual(
    body.results.map(({ property_id: id }: { property_id: string }) => id),
    ['acme:b'],
  );
});

test('before any brand was read no destination is called booked', async (t) => {
  const { open } = await setScene(t, {
    brands: { acme: { ...ACME, misbehave: hangs } },
    waitForStart: false,
  });
  const conversation = await open();
  for (const values of [{ destination: 'lisbon-pt' }, { guests: 2 }, STAY]) {
    const { body, headers } = await conversation.send(values);
    assert.equal(body.error, 'nothing_on_offer', JSON.stringify(values));
    assert.equal(headers['retry-after'], '30');
    assert.match(body.message, /could not be read: Brand acme\./);
  }
  const { body } = await conversation.send({ guests: 'two' });
  assert.deepEqual([body.error, body.reason.code], ['invalid_value', 'wrong_type']);
});

test('a start that still loads its homes says so, and when to ask again', async (t) => {
  const storage = await openMemoryStorage({ directory: '', rateRule: SAMPLE_RATE_RULE });
  const loading = Promise.withResolvers<void>();
  const inventory: typeof storage.inventory = {
    ...storage.inventory,
    async load(...given) {
      await loading.promise;
      return storage.inventory.load(...given);
    },
  };
  const { service, open } = await setScene(t, { storage: { ...storage, inventory }, waitForStart: false });
  const conversation = await open();
  const { body, headers } = await conversation.send(STAY);
  assert.equal(body.error, 'nothing_on_offer');
  assert.match(body.message, /^The service is still loading homes/);
  assert.deepEqual([headers['retry-after'], body.retry_after_seconds], ['2', 2]);
  const read = service.nextRefresh('acme');
  loading.resolve();
  await read;
  const result = await service.get(body.next_request.url);
  assert.equal(result.body.object, 'search_result');
});
