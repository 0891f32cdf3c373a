import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAY } from '../support/conversation.ts';
import { NOON } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { setScene } from '../support/scene.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
const oneNode = { skip: perNode('each node warns of its own clock, and one of them reads the brand') };
const STEPS = [
  ['back', -2 * HOUR],
  ['forward', 2 * HOUR],
] as const;

for (const [direction, step] of STEPS) {
  test(`a wall clock that steps ${direction} gives nobody a new rate window, and the reset follows it`, async (t) => {
    const { service } = await setScene(t, { settings: { rateLimit: 3 } });
    const call = () => service.get('/ai/v1/terms');
    for (let request = 0; request < 3; request += 1) assert.equal((await call()).status, 200);
    await service.time.pass(10_000);
    service.time.stepWallClock(step);
    const { status, headers } = await call();
    assert.deepEqual(
      [status, headers['retry-after'], headers['x-ratelimit-reset']],
      [429, '50', String((NOON + MINUTE + step) / 1000)],
    );
    await service.time.pass(49_999);
    assert.equal((await call()).status, 429);
    await service.time.pass(1);
    assert.equal((await call()).status, 200);
  });

  test(`a wall clock that steps ${direction} loses no calendar update`, async (t) => {
    const { service, operator, open } = await setScene(t, { network: { refresh_seconds: 60 } });
    const refresh = async () => {
      const refreshed = service.nextRefresh('acme');
      await service.time.pass(66_000);
      await refreshed;
    };
    const homes = operator.properties;
    operator.properties = homes.map((home) => ({ ...home, periods: [] }));
    service.time.stepWallClock(step);
    await refresh();
    assert.equal((await (await open()).read()).body.error, 'nothing_on_offer');
    operator.properties = homes;
    service.time.stepWallClock(-step);
    await refresh();
    assert.equal((await (await open()).read()).body.next_required, 'destination');
  });

  test(`a search during which the wall clock steps ${direction} ends at its deadline, and no breaker opens`, async (t) => {
    const { service, operator, open } = await setScene(t);
    const asked = Promise.withResolvers<void>();
    operator.misbehave = () => {
      asked.resolve();
      return true;
    };
    const conversation = await open();
    const search = conversation.send({
      destination: 'lisbon-pt',
      check_in_day: '2027-04-10',
      check_out: '2027-04-13',
      guests: 2,
    });
    await asked.promise;
    service.time.stepWallClock(step);
    await service.time.pass(8000);
    const { body } = await search;
    // A step forward ends the session, because its end is an instant that the caller was told.
    assert.equal(body.error, step < 0 ? 'upstream_unavailable' : 'session_expired');
    const lines = service.logLines.map((line) => JSON.parse(line));
    const finished = lines.find(({ msg, operation }) => msg === 'request' && operation === 'search');
    assert.ok(finished.duration_ms >= 4000 && finished.duration_ms <= 8000, String(finished.duration_ms));

    operator.misbehave = () => false;
    assert.equal((await (await open()).search()).body.object, 'search_result');
    assert.ok(!lines.some(({ msg }) => msg === 'circuit breaker changed'));
  });
}

for (const days of [4, 3650, -1000]) {
  const direction = days > 0 ? 'ahead' : 'behind';
  test(
    `a wall clock that was ${Math.abs(days)} days ${direction}, and is right again, leaves every night searchable`,
    oneNode,
    async (t) => {
      const { service, operator, open } = await setScene(t, { network: { refresh_seconds: 60 } });
      const soon = {
        check_in_month: '2027-03',
        check_in_day: '2027-03-02',
        check_out: '2027-03-04',
      };
      const found = async (stay: Record<string, string>) => {
        const { body } = await (await open()).search(stay);
        return body.results.map(({ url }: { url: string }) => url);
      };
      const before = [await found(soon), await found({})];
      const ready = async () => {
        const { status, body } = await service.get('/readyz');
        return [status, body];
      };
      const warnings = () =>
        service.logLines
          .map((line) => JSON.parse(line))
          .filter(({ level, msg }) => level === 'warn' && /clock/.test(msg));

      service.time.stepWallClock(days * DAY);
      await (await open()).read();
      const readWrongly = service.nextRefresh('acme');
      await service.time.pass(66_000);
      await readWrongly;
      assert.deepEqual(await ready(), [200, { status: 'ready' }], 'a clock cannot be known as wrong');

      // The operator gives no answer until the search below has been answered.
      const { promise: answers, resolve: answer } = Promise.withResolvers<boolean>();
      operator.misbehave = (path) => (path === '/calendars' ? answers : false);
      service.time.stepWallClock(-days * DAY);
      assert.deepEqual(await ready(), [503, { status: 'unavailable', reason: 'clock_was_set' }]);
      const meanwhile = await (await open()).send({ ...STAY, ...soon });
      assert.equal(meanwhile.body.error, 'nothing_on_offer', meanwhile.raw);
      assert.match(meanwhile.body.message, /does not mean that nothing is free/);

      const readAgain = service.nextRefresh('acme');
      answer(false);
      await readAgain;
      assert.deepEqual([await found(soon), await found({})], before);
      assert.deepEqual(await ready(), [200, { status: 'ready' }]);
      const wrong = new Date(NOON + days * DAY).toISOString().slice(0, 10);
      assert.deepEqual(
        warnings().map(({ from, to }) => ({ from, to })),
        [
          { from: '2027-03-01', to: wrong },
          { from: wrong, to: '2027-03-01' },
        ],
      );
    },
  );
}

test('a session ends at the instant that its caller was told, whatever the wall clock does before', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const end = Date.parse(conversation.opened.body.expires_at);
  service.time.stepWallClock(-2 * HOUR);
  service.time.now += 31 * MINUTE;
  assert.equal((await conversation.search()).body.session_expires_at, conversation.opened.body.expires_at);
  service.time.now = end - 1;
  assert.equal((await conversation.read()).body.error, 'incomplete_payload');
  service.time.now = end;
  assert.equal((await conversation.read()).body.error, 'session_expired');
  const other = await open();
  service.time.stepWallClock(2 * HOUR);
  assert.equal((await other.read()).body.error, 'session_expired');
});

test('a wall clock that is wrong for a moment costs no session its result or its keys', async (t) => {
  const { service, open } = await setScene(t);
  const conversation = await open();
  const key = { 'idempotency-key': 'my-own' };
  await conversation.search();
  const changed = await conversation.send({ guests: 1 }, key);
  const result = await conversation.result();
  service.time.stepWallClock(2 * HOUR);
  await service.time.pass(13_000);
  assert.equal((await conversation.read()).body.error, 'session_expired');
  service.time.stepWallClock(-2 * HOUR);
  await service.time.pass(13_000);
  assert.equal((await conversation.result()).raw, result.raw);
  const repeated = await conversation.send({ guests: 1 }, key);
  assert.equal(repeated.headers['idempotent-replayed'], 'true');
  assert.equal(repeated.raw, changed.raw);
});
