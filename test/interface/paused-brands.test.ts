import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { ACME, setScene } from '../support/scene.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';

/** Other nodes hear of a decision with their next look. */
const oneNode = { skip: perNode('a decision counts at once where it was made') };

const OTHER = { properties: [property('o1'), property('o2', { place: 'porto-pt' })] };
const NOT_ON_OFFER = /homes of this search are not on offer here at present: Brand acme\. It does not mean/;
const SAYS_BOOKED = /nothing_free|booked or closed|could not be read|Not searched/;

/** Counts every call to the operator. */
function countCalls(operator: ScriptedOperator): () => number {
  let calls = 0;
  const before = operator.misbehave;
  operator.misbehave = (path, response) => {
    calls += 1;
    return before(path, response);
  };
  return () => calls;
}

const idsIn = ({ results }: { results: { property_id: string }[] }) =>
  results.map(({ property_id: id }) => id).sort();

test(
  'pausing takes the homes of a brand out of the next search, resuming brings them back without a call',
  oneNode,
  async (t) => {
    const { service, operator, operators, open } = await setScene(t, {
      brands: { acme: ACME, other: OTHER },
      controls: createControlsInMemory(),
    });
    const ask = async () => (await (await open()).search()).body;
    assert.deepEqual(idsIn(await ask()), ['acme:a', 'acme:b', 'other:o1']);
    const asked = operator.asked.length;
    const calls = countCalls(operator);
    await service.operators.pause('acme');
    const without = await ask();
    assert.deepEqual(idsIn(without), ['other:o1']);
    assert.deepEqual(without.comparison_set.selection, { matches: 1, priced: 1, shown: 1, complete: true });
    assert.doesNotMatch(without.notes, SAYS_BOOKED);
    assert.doesNotMatch(without.notes, /acme/);
    assert.deepEqual([calls(), operator.asked.length], [0, asked]);
    assert.equal((await service.get('/readyz')).status, 200);
    await service.operators.resume('acme');
    await service.time.pass(0);
    assert.equal(calls(), 0);
    assert.deepEqual(idsIn(await ask()), ['acme:a', 'acme:b', 'other:o1']);
    assert.ok(operators.other);
  },
);

test('a step that was answered before a pause is not repeated after it', oneNode, async (t) => {
  const { service, open } = await setScene(t, {
    brands: { acme: ACME, other: { properties: [property('o1')] } },
    controls: createControlsInMemory(),
  });
  const placesOf = async () =>
    (await (await open()).read()).body.available_requests.map(({ value }: { value: string }) => value);
  assert.ok((await placesOf()).includes('porto-pt'));
  await service.operators.pause('acme');
  assert.ok(!(await placesOf()).includes('porto-pt'), 'only acme has a home there');
  await service.operators.resume('acme');
  await service.time.pass(0);
  assert.ok((await placesOf()).includes('porto-pt'));
});

test(
  'a search that is locked to a paused brand is told in general words, keeps what it has, and goes on later',
  oneNode,
  async (t) => {
    const { service, open } = await setScene(t, {
      brands: { acme: ACME, other: OTHER },
      controls: createControlsInMemory(),
    });
    const conversation = await open('acme');
    await conversation.send({ brand_locked: true, destination: 'lisbon-pt' });
    await service.operators.pause('acme');
    for (const answer of [
      await conversation.read(),
      await conversation.send({ check_in_day: STAY.check_in_day }),
      await conversation.send({ ...STAY }),
    ]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.body.error, 'nothing_on_offer');
      assert.match(answer.body.message, NOT_ON_OFFER);
      assert.doesNotMatch(answer.raw, SAYS_BOOKED);
      assert.equal(answer.body.retry_after_seconds, 30);
      assert.ok(answer.body.next_request.url);
      assert.equal(answer.body.received.destination, 'lisbon-pt');
    }
    const last = await conversation.send({ ...STAY });
    await service.operators.resume('acme');
    await service.time.pass(0);
    const { body } = await service.get(last.body.next_request.url);
    assert.equal(body.object, 'search_result', JSON.stringify(body));
    assert.deepEqual(idsIn(body), ['acme:a', 'acme:b']);
  },
);

test('one who came for a paused brand may choose the others', oneNode, async (t) => {
  const { service, open } = await setScene(t, {
    brands: { acme: ACME, other: OTHER },
    controls: createControlsInMemory(),
  });
  await service.operators.pause('acme');
  const conversation = await open('acme');
  const { body } = await conversation.read();
  assert.match(body.message, NOT_ON_OFFER);
  assert.deepEqual(
    body.available_requests.map(({ field, value }: Record<string, string>) => [field, value]),
    [['brand_locked', 'false']],
  );
  const all = await conversation.send({ brand_locked: false, ...STAY });
  assert.deepEqual(idsIn(all.body), ['other:o1']);
});

test('a network of which every brand is paused is ready, and says what is the matter', oneNode, async (t) => {
  const controls = createControlsInMemory();
  await controls.setPaused('acme', true, 0);
  const { service, operator, open } = await setScene(t, { controls });
  const ready = await service.get('/readyz');
  assert.equal(ready.status, 200, ready.raw);
  const { body } = await (await open()).send(STAY);
  assert.equal(body.error, 'nothing_on_offer');
  assert.match(body.message, NOT_ON_OFFER);
  assert.equal(operator.asked.length, 0);
  await service.operators.resume('acme');
  const refreshed = service.nextRefresh('acme');
  await service.time.pass(0);
  await refreshed;
  assert.deepEqual(idsIn((await (await open()).search()).body), ['acme:a', 'acme:b']);
});

test(
  'a search under way shows nothing of a brand that is paused meanwhile, and asks its operator no more',
  oneNode,
  async (t) => {
    const { service, operator, operators, open } = await setScene(t, {
      brands: { acme: { ...ACME, entry: {} }, other: OTHER },
      controls: createControlsInMemory(),
    });
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const { promise: wasAsked, resolve: asked } = Promise.withResolvers<void>();
    assert.ok(operators.other);
    operators.other.misbehave = async (path) => {
      if (path === '/quotes') {
        asked();
        await mayAnswer;
      }
      return false;
    };
    const quoted = service.nextQuoteCall('acme');
    const conversation = await open();
    const searching = conversation.send(STAY);
    await wasAsked;
    await quoted;
    const before = operator.asked.length;
    await service.operators.pause('acme');
    answer();
    const { body } = await searching;
    assert.equal(body.object, 'search_result');
    assert.deepEqual(idsIn(body), ['other:o1']);
    assert.deepEqual(
      body.comparison_set.coverage.map(({ brand }: { brand: string }) => brand),
      ['Brand other'],
    );
    assert.doesNotMatch(body.notes, SAYS_BOOKED);
    assert.equal(operator.asked.length, before);
  },
);

test(
  'a search whose only brand is paused while it is asked ends without the blame of an operator',
  oneNode,
  async (t) => {
    const { service, operator, open } = await setScene(t, { controls: createControlsInMemory() });
    const { promise: wasAsked, resolve: asked } = Promise.withResolvers<void>();
    operator.misbehave = (path) => {
      if (path !== '/quotes') return false;
      asked();
      return true;
    };
    const conversation = await open();
    const searching = conversation.send(STAY);
    await wasAsked;
    await service.operators.pause('acme');
    const { body, raw } = await searching;
    assert.equal(body.object, 'search_result', raw);
    assert.deepEqual(body.results, []);
    assert.match(body.notes, /which does not mean that nothing is free/);
    assert.doesNotMatch(
      raw,
      /no_operator_answered|upstream_unavailable|No operator could offer|no answer in time/,
    );
    const next = await conversation.send({ guests: 1 });
    assert.match(next.body.message, NOT_ON_OFFER);
  },
);

test(
  'the owner can have a brand read at once, and is told of a brand that there is not',
  oneNode,
  async (t) => {
    const { service, operator, open } = await setScene(t, { controls: createControlsInMemory() });
    operator.properties = [...operator.properties, property('new')];
    const refreshed = service.nextRefresh('acme');
    await service.operators.readNow('acme');
    await refreshed;
    assert.deepEqual(idsIn((await (await open()).search()).body), ['acme:a', 'acme:b', 'acme:new']);
    for (const act of ['pause', 'resume', 'readNow'] as const) {
      await assert.rejects(service.operators[act]('nobody'), /There is no brand nobody on this network/);
    }
  },
);

test('a service that keeps no decisions says so, and goes on', oneNode, async (t) => {
  const { service, open } = await setScene(t);
  await assert.rejects(service.operators.pause('acme'), /cannot be kept here/);
  assert.deepEqual(idsIn((await (await open()).search()).body), ['acme:a', 'acme:b']);
});

test('the owner sees how operators fare', oneNode, async (t) => {
  const { service, operator } = await setScene(t, {
    brands: { acme: { properties: [property('a'), property('b', { currency: 'USD' })] } },
    controls: createControlsInMemory(),
  });
  const [health] = await service.operators.health();
  assert.ok(health);
  const { heldBack, lastReadAt, oldestCalendarMs, ...plain } = health;
  assert.deepEqual(plain, {
    brand: 'acme',
    name: 'Brand acme',
    system: 'open',
    lastFailure: null,
    homes: 1,
    calendarsWaiting: 0,
    breaker: 'closed',
    pausedAt: null,
    budget: null,
    heldBackBesides: 0,
  });
  assert.deepEqual(
    heldBack.map(({ reference, field, rule, value, isRepaired }) => [
      reference,
      field,
      rule,
      value,
      isRepaired,
    ]),
    [['b', 'currency', 'other_currency', 'USD', false]],
  );
  assert.ok(heldBack[0]?.remedy);
  assert.ok(lastReadAt !== null && lastReadAt <= service.time.now && oldestCalendarMs !== null);
  await service.operators.pause('acme');
  const [paused] = await service.operators.health();
  assert.deepEqual([paused?.pausedAt, paused?.homes, paused?.lastReadAt], [service.time.now, 0, lastReadAt]);
  assert.equal(operator.asked.length, 0);
});
