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

test(
  'a place that has homes on offer, all of them booked, is still called so beside a paused brand',
  oneNode,
  async (t) => {
    const { service, open } = await setScene(t, {
      brands: {
        acme: ACME,
        other: { properties: [property('o1'), property('o2', { place: 'porto-pt' }, [])] },
      },
      controls: createControlsInMemory(),
    });
    await service.operators.pause('acme');
    const { body } = await (await open()).send({ destination: 'porto-pt' });
    assert.deepEqual([body.error, body.reason.code], ['invalid_value', 'nothing_free']);
  },
);

test(
  'a session that stands on a place whose only homes are paused keeps it, and is told why',
  oneNode,
  async (t) => {
    const { service, open } = await sceneWithPortoOfAcme(t);
    const conversation = await open();
    await conversation.send({ destination: 'porto-pt', check_in_day: STAY.check_in_day });
    await service.operators.pause('acme');
    for (const answer of [
      await conversation.read(),
      await conversation.send({ check_out: STAY.check_out, guests: 2 }),
    ]) {
      assert.equal(answer.body.error, 'nothing_on_offer');
      assert.match(answer.body.message, NOT_THERE);
      assert.equal(answer.body.received.destination, 'porto-pt');
      assert.equal(answer.body.cleared_fields, undefined);
      assert.deepEqual(offeredIn(answer.body)[0], ['destination', 'lisbon-pt']);
    }
    const waiting = await conversation.send({ check_out: STAY.check_out, guests: 2 });
    const elsewhere = await conversation.send({ destination: 'lisbon-pt' });
    assert.equal(elsewhere.body.received.check_in_day, STAY.check_in_day);
    await conversation.send({ destination: 'lisbon-pt' });
    await service.operators.resume('acme');
    await service.time.pass(0);
    await conversation.send({ destination: 'porto-pt' });
    assert.deepEqual(idsIn((await service.get(waiting.body.next_request.url)).body), ['acme:c']);
  },
);

test(
  'a brand with one place, whose homes are paused, is not called booked when every brand is searched there',
  oneNode,
  async (t) => {
    const { service, open } = await setScene(t, {
      brands: {
        acme: { properties: [property('c', { place: 'porto-pt' })], entry: { single_location: 'porto-pt' } },
        other: IN_LISBON,
      },
      controls: createControlsInMemory(),
    });
    await service.operators.pause('acme');
    const conversation = await open('acme');
    for (const answer of [await conversation.read(), await conversation.send({ brand_locked: false })]) {
      assert.equal(answer.body.error, 'nothing_on_offer', answer.raw);
      assert.match(answer.body.message, /not on offer here at present/);
      assert.doesNotMatch(answer.raw, /nothing_free|Nothing can be booked|No home on this network/);
    }
  },
);

test('a destination by name is sent again once a paused brand is back', oneNode, async (t) => {
  const { service, open } = await setScene(t, { controls: createControlsInMemory() });
  await service.operators.pause('acme');
  const conversation = await open();
  const { body } = await conversation.send({ ...STAY, destination: 'Lisbon' });
  assert.equal(body.error, 'nothing_on_offer');
  assert.match(body.next_request.url, /destination=lisbon-pt/);
  const unknown = await conversation.send({ destination: 'Atlantis' });
  assert.deepEqual([unknown.body.error, unknown.body.reason?.code], ['invalid_value', 'not_on_network']);
  await service.operators.resume('acme');
  await service.time.pass(0);
  assert.deepEqual(idsIn((await service.get(body.next_request.url)).body), ['acme:a', 'acme:b']);
});

test('an amenity goes along with a whole stay that is sent again after a pause', oneNode, async (t) => {
  const { service, open } = await setScene(t, { controls: createControlsInMemory() });
  await service.operators.pause('acme');
  const { body } = await (await open()).send({ ...STAY, amenities: 'Swimming pool' });
  assert.equal(body.error, 'nothing_on_offer');
  assert.match(body.next_request.url, /amenities=pool/);
  const madeUp = await (await open()).send({ ...STAY, amenities: 'ignore what was said' });
  assert.doesNotMatch(madeUp.body.next_request.url, /amenities/);
  await service.operators.resume('acme');
  await service.time.pass(0);
  assert.deepEqual(idsIn((await service.get(body.next_request.url)).body), ['acme:b']);
});

test('another place of which nothing is on offer costs a session no place', oneNode, async (t) => {
  const { service, open } = await sceneWithPortoOfAcme(t);
  const began = { brand_locked: false, destination: 'porto-pt' };
  const searching = await open('acme');
  await searching.send(began);
  const found = await open('acme');
  await found.send({ ...STAY, ...began });
  await service.operators.pause('acme');
  const { body } = await searching.send({ brand_locked: false, destination: 'evora-pt' });
  assert.deepEqual([body.error, body.cleared_fields], ['nothing_on_offer', undefined]);
  assert.deepEqual(body.received, { source: 'acme', ...began });
  assert.deepEqual(offeredIn(body)[0], ['destination', 'lisbon-pt']);
  const beside = await found.send({ destination: 'evora-pt' });
  assert.deepEqual([beside.body.error, beside.body.invalid_field], ['invalid_value', 'destination']);
  assert.match(beside.body.message, NOT_THERE);
  assert.ok(beside.body.allowed_values.destination.includes('lisbon-pt'));
});

test('reading a session while every brand is paused shows what it has received', oneNode, async (t) => {
  const { service, open } = await sceneWithPortoOfAcme(t);
  const direct = await open();
  const sourced = await open('acme');
  await direct.send({ destination: 'lisbon-pt' });
  await sourced.send({ check_in_month: '2027-04' });
  await service.operators.pause('acme');
  await service.operators.pause('other');
  for (const [one, received] of [
    [direct, { destination: 'lisbon-pt' }],
    [sourced, { source: 'acme', check_in_month: '2027-04' }],
  ] as const) {
    assert.deepEqual((await one.read()).body.received, received);
    const { body } = await one.send({ guests: 2 });
    assert.deepEqual([body.error, body.received], ['nothing_on_offer', received]);
  }
  await service.operators.resume('other');
  await service.time.pass(0);
  assert.equal((await direct.read()).body.received.destination, 'lisbon-pt');
});

test(
  'a session that is locked to a paused brand has an address for every brand, if others have homes',
  oneNode,
  async (t) => {
    const { service, open } = await sceneWithPortoOfAcme(t);
    const conversation = await open('acme');
    await conversation.send({
      brand_locked: true,
      destination: 'lisbon-pt',
      check_in_day: STAY.check_in_day,
    });
    await service.operators.pause('acme');
    const { body } = await conversation.read();
    assert.match(body.message, /With brand_locked false every brand is searched\./);
    assert.deepEqual(offeredIn(body), [['brand_locked', 'false']]);
    const unlocked = await service.get(body.available_requests[0].url);
    const { brand_locked, destination, check_in_day } = unlocked.body.received;
    assert.deepEqual([brand_locked, destination, check_in_day], [false, 'lisbon-pt', STAY.check_in_day]);
    await service.operators.pause('other');
    const locked = await open('acme');
    const alone = await locked.send({ brand_locked: true });
    assert.deepEqual(alone.body.available_requests, []);
    assert.doesNotMatch(alone.body.message, /brand_locked/);
  },
);

const MISTAKES = [
  { guests: 3, pets: 1 },
  { check_out: STAY.check_out, guests: 3 },
  { check_in_day: '2025-01-01', guests: 2 },
  { guests: 'many' },
  { amenities: 'pool', guests: 2 },
];

test('a mistake beside a value costs a session nothing while its homes are paused', oneNode, async (t) => {
  const { service, open } = await sceneWithPortoOfAcme(t);
  const locked = await open('acme');
  const began = { brand_locked: true, destination: 'lisbon-pt', check_in_month: '2027-04' };
  await locked.send(began);
  const inPorto = await open();
  await inPorto.send({ destination: 'porto-pt' });
  await service.operators.pause('acme');
  for (const [conversation, received] of [
    [locked, { source: 'acme', ...began }],
    [inPorto, { destination: 'porto-pt' }],
  ] as const) {
    for (const mistake of MISTAKES) {
      const { body, raw } = await conversation.send(mistake);
      assert.equal(body.error, 'nothing_on_offer', raw);
      assert.deepEqual([body.received, body.cleared_fields], [received, undefined]);
      assert.equal(body.next_required, body.missing_fields[0]);
    }
    const { body } = await conversation.send({ guests: 3, pets: 1 });
    assert.deepEqual([body.refused_fields, body.other_refusals[0].error], [['pets'], 'unknown_field']);
    assert.match(body.message, /Nothing of this request was taken; it can be sent again\./);
    assert.deepEqual([body.next_request.field, body.next_request.value], ['guests', '3']);
  }
  await service.operators.resume('acme');
  await service.time.pass(0);
  assert.deepEqual((await locked.read()).body.received, { source: 'acme', ...began });
});

test('a whole stay that is sent to a paused brand goes along to every brand', oneNode, async (t) => {
  const { service, open } = await sceneWithPortoOfAcme(t);
  await service.operators.pause('acme');
  const { body } = await (await open('acme')).send({ brand_locked: true, ...STAY });
  assert.deepEqual([body.error, body.received], ['nothing_on_offer', { source: 'acme' }]);
  assert.deepEqual(offeredIn(body), [['brand_locked', 'false']]);
  assert.deepEqual(idsIn((await service.get(body.available_requests[0].url)).body), ['other:o1']);
});

test('every brand can be searched from a place that only a paused one has homes in', oneNode, async (t) => {
  const { service, open } = await sceneWithPortoOfAcme(t);
  const conversation = await open('acme');
  await conversation.send({ brand_locked: true, destination: 'porto-pt', check_in_day: STAY.check_in_day });
  await service.operators.pause('acme');
  const locked = (await conversation.read()).body;
  const { body } = await service.get(locked.available_requests[0].url);
  assert.deepEqual([body.error, body.received.brand_locked], ['nothing_on_offer', false]);
  assert.match(body.message, NOT_THERE);
  assert.deepEqual(
    [body.next_required, body.missing_fields],
    ['destination', ['destination', 'check_out', 'guests']],
  );
  assert.deepEqual(offeredIn(body)[0], ['destination', 'lisbon-pt']);
  const elsewhere = await service.get(body.available_requests[0].url);
  assert.equal(elsewhere.body.error, 'incomplete_payload');
  const { brand_locked, destination, check_in_day } = elsewhere.body.received;
  assert.deepEqual([brand_locked, destination, check_in_day], [false, 'lisbon-pt', STAY.check_in_day]);
});

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
      counted.filter((text) => text.startsWith('standings ')),
      [
        'standings brand= assistant=local place= facet=destination reason=destination:not_on_offer',
        'standings brand=acme assistant=local place= facet=brand_locked reason=not_on_offer',
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
    assert.match(body.notes, /Homes of this search are not on offer here at present: Brand acme\./);
    const again = await service.get(body.available_requests.ask_again.href);
    assert.match(again.body.message, NOT_ON_OFFER);
    const next = await conversation.send({ guests: 1 });
    assert.match(next.body.message, NOT_ON_OFFER);
    operator.misbehave = () => false;
    await service.operators.resume('acme');
    await service.time.pass(0);
    const { body: back } = await service.get(body.available_requests.ask_again.href);
    assert.deepEqual(idsIn(back), ['acme:a', 'acme:b']);
    assert.doesNotMatch(back.notes, /not on offer/);
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
  const { rejections, lastReadAt, oldestCalendarMs, ...plain } = health;
  assert.deepEqual(plain, {
    brand: 'acme',
    name: 'Brand acme',
    system: 'open',
    lastFailure: null,
    lastFailureMessage: null,
    homes: 1,
    calendarsWaiting: 0,
    breaker: 'closed',
    pausedAt: null,
    budget: null,
    unlistedRejections: 0,
  });
  assert.deepEqual(
    rejections.map(({ reference, field, rule, value, isRepaired }) => [
      reference,
      field,
      rule,
      value,
      isRepaired,
    ]),
    [['b', 'currency', 'other_currency', 'USD', false]],
  );
  assert.ok(rejections[0]?.remedy);
  assert.ok(lastReadAt !== null && lastReadAt <= service.time.now && oldestCalendarMs !== null);
  await service.operators.pause('acme');
  const [paused] = await service.operators.health();
  assert.deepEqual([paused?.pausedAt, paused?.homes, paused?.lastReadAt], [service.time.now, 0, lastReadAt]);
  assert.equal(operator.asked.length, 0);
});
