import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { STAY } from '../support/conversation.ts';
import { property } from '../support/network.ts';
import { perNode } from '../support/per-node.ts';
import { createPlainActivityStore } from '../support/plain-activity-store.ts';
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

/** Only acme has homes in Porto. */
const IN_LISBON = { properties: [property('o1')] };
const NOT_THERE = /Homes there are not on offer here at present, which does not mean that they are booked\./;

async function sceneWithPortoOfAcme(t: Parameters<typeof setScene>[0]) {
  return setScene(t, { brands: { acme: ACME, other: IN_LISBON }, controls: createControlsInMemory() });
}

const offeredIn = ({ available_requests: all }: { available_requests: Record<string, string>[] }) =>
  all.map(({ field, value }) => [field, value]);

test(
  'a place whose only homes are paused is not called booked, and other places are offered',
  oneNode,
  async (t) => {
    const { service, open } = await sceneWithPortoOfAcme(t);
    await service.operators.pause('acme');
    for (const destination of ['porto-pt', 'Porto']) {
      const conversation = await open();
      const { body, raw } = await conversation.send({ ...STAY, destination });
      assert.deepEqual(
        [body.error, body.invalid_field, body.reason],
        ['invalid_value', 'destination', { code: 'not_on_offer' }],
      );
      assert.match(body.message, NOT_THERE);
      assert.doesNotMatch(raw, /nothing_free|Nothing can be booked/);
      assert.ok(offeredIn(body).some(([field, value]) => field === 'destination' && value === 'lisbon-pt'));
      const lisbon = body.available_requests.find(({ value }: { value: string }) => value === 'lisbon-pt');
      assert.deepEqual(idsIn((await service.get(lisbon.url)).body), ['other:o1'], 'the dates go along');
    }
  },
);

test('what a search has found is read as before while its brand is paused', oneNode, async (t) => {
  const { service, open } = await sceneWithPortoOfAcme(t);
  const conversation = await open('acme');
  await conversation.send({ brand_locked: true, ...STAY });
  await service.operators.pause('acme');
  assert.deepEqual(idsIn((await conversation.read()).body), ['acme:a', 'acme:b']);
  const { body } = await conversation.send({ guests: 1 });
  assert.equal(body.error, 'nothing_on_offer');
  assert.deepEqual(Object.keys(body.allowed_values), ['brand_locked']);
  assert.deepEqual([body.missing_fields, body.next_required], [['brand_locked'], 'brand_locked']);
  assert.deepEqual(idsIn((await service.get(body.available_requests[0].url)).body), ['other:o1']);
});

test(
  'what is wanted of paused homes is counted for the owner, each time with its reason',
  oneNode,
  async (t) => {
    const activity = createPlainActivityStore();
    const { service, open } = await setScene(t, {
      brands: { acme: ACME, other: IN_LISBON },
      controls: createControlsInMemory(),
      activity,
    });
    await service.operators.pause('acme');
    const sourced = await open('acme');
    await sourced.send({ brand_locked: true, ...STAY });
    await sourced.send({ brand_locked: true, ...STAY });
    await (await open()).send({ destination: 'porto-pt' });
    await service.flushActivity();
    const counted = Object.keys(activity.totals()).map((text) => text.replace(/@\d+ /, ''));
    const month = STAY.check_in_day.slice(0, 7);
    assert.deepEqual(
      counted.filter((text) => text.startsWith('wishes ')),
      [
        'wishes brand= assistant=local place=porto-pt facet= reason=not_on_offer',
        `wishes brand=acme assistant=local place=lisbon-pt facet=${month} reason=not_on_offer`,
      ],
    );
    assert.deepEqual(
      counted.filter((text) => text.startsWith('refusals ')),
      [
        'refusals brand= assistant=local place= facet=destination reason=destination:not_on_offer',
        'refusals brand=acme assistant=local place= facet=brand_locked reason=not_on_offer',
      ],
    );
  },
);

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
    const { selection, total_matches } = body.comparison_set;
    assert.deepEqual(selection, { matches: 1, priced: 1, shown: 1, complete: true });
    assert.deepEqual([total_matches, body.available_requests.refine], [1, undefined]);
    assert.doesNotMatch(body.notes, SAYS_BOOKED);
    assert.equal(operator.asked.length, before);
  },
);
