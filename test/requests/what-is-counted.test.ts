import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import { createControlsInMemory } from '../support/brand-controls-in-memory.ts';
import { converse, STAY } from '../support/conversation.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { createPlainActivityStore } from '../support/plain-activity-store.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startTestService } from '../support/test-service.ts';

const JUNIPER = { 'user-agent': 'juniper-User' };

describe('what is counted', () => {
  it('of a search that asks for a missing place and then comes to prices', async (t) => {
    const { service, counted } = await aStage(t);
    const conversation = await converse(service, null, JUNIPER);
    await conversation.send({ destination: 'Atlantis' });
    service.time.now += 45_000;
    await conversation.search();
    // Answered from what is stored, which is a request and no other search.
    await conversation.result();
    assert.deepEqual(await counted(), {
      'drifts brand=acme facet=10': 1,
      'drifts brand=beta facet=200': 1,
      'lead_times assistant=juniper place=lisbon-pt facet=60': 1,
      'lengths place=lisbon-pt facet=3': 1,
      'missing_places facet=atlantis': 1,
      'options brand=acme assistant=juniper place=lisbon-pt facet=first': 1,
      'options brand=beta assistant=juniper place=lisbon-pt facet=other': 1,
      'parties place=lisbon-pt facet=2': 1,
      'price_calls brand=acme facet=0.1': 1,
      'price_calls brand=beta facet=0.1': 1,
      'prices brand=acme reason=quoted': 1,
      'prices brand=beta reason=quoted': 1,
      'readings brand=acme reason=succeeded': 1,
      'readings brand=beta reason=succeeded': 1,
      'refusals assistant=juniper facet=destination reason=destination:not_on_network': 1,
      'requests assistant=juniper facet=openSession': 1,
      'requests assistant=juniper facet=readResult': 1,
      'requests assistant=juniper facet=search': 1,
      'requests assistant=juniper facet=search reason=invalid_value': 1,
      'searches assistant=juniper place=lisbon-pt reason=compared': 1,
      'sessions assistant=juniper': 1,
      'standings assistant=juniper facet=completed': 1,
      'times_to_result assistant=juniper facet=60': 1,
      'wishes assistant=juniper reason=not_on_network': 1,
      'wishes assistant=juniper place=lisbon-pt facet=2027-04 reason=found': 1,
    });
  });

  it('of operators that refuse what their calendar offers, and of the same stay again', async (t) => {
    const { service, operators, counted } = await aStage(t);
    for (const operator of operators)
      operator.quote = (reference) => ({
        property: reference,
        status: 'unavailable',
        reason: 'minimum_stay',
      });
    for (const source of [null, 'acme'])
      await (await converse(service, source, JUNIPER)).send({ ...STAY, brand_locked: false });
    const counts = await counted(
      'prices',
      'refused_offers',
      'searches',
      'wishes',
      'parties',
      'standings',
      'refusals',
    );
    assert.deepEqual(counts, {
      'parties place=lisbon-pt facet=2': 1,
      'prices brand=acme reason=unavailable': 1,
      'prices brand=beta reason=unavailable': 1,
      'refused_offers brand=acme reason=minimum_stay': 1,
      'refused_offers brand=beta reason=minimum_stay': 1,
      'searches assistant=juniper place=lisbon-pt reason=empty': 1,
      'searches brand=acme assistant=juniper place=lisbon-pt reason=just_refused': 1,
      'refusals assistant=juniper facet=prices reason=refused_by_operators': 1,
      'refusals brand=acme assistant=juniper facet=check_out reason=check_out:nothing_free': 1,
      'standings assistant=juniper facet=prices': 1,
      'standings brand=acme assistant=juniper facet=check_out': 1,
      'wishes assistant=juniper place=lisbon-pt facet=2027-04 reason=refused_by_operators': 1,
      'wishes brand=acme assistant=juniper place=lisbon-pt facet=2027-04 reason=refused_by_operators': 1,
    });
  });

  it('of a session that came through a brand which is then paused', async (t) => {
    const { service, counted } = await aStage(t);
    const conversation = await converse(service, 'acme', JUNIPER);
    await conversation.send({ brand_locked: true, destination: 'lisbon-pt' });
    await service.operators.pause('acme');
    await conversation.send({ check_in_month: '2027-04' });
    assert.deepEqual(await counted('sessions', 'standings', 'refusals', 'wishes'), {
      'sessions brand=acme assistant=juniper': 1,
      'refusals brand=acme assistant=juniper facet=check_in_month reason=not_on_offer': 1,
      'standings brand=acme assistant=juniper facet=check_in_month': 1,
      'wishes brand=acme assistant=juniper place=lisbon-pt facet=2027-04 reason=not_on_offer': 1,
    });
  });

  it('of a request that is repeated with its key: two requests, and one search', async (t) => {
    const { service, counted } = await aStage(t);
    const conversation = await converse(service, null, JUNIPER);
    for (const _ of ['first', 'repeated']) await conversation.send(STAY, { 'idempotency-key': 'once' });
    assert.deepEqual(await counted('requests', 'searches', 'prices'), {
      'prices brand=acme reason=quoted': 1,
      'prices brand=beta reason=quoted': 1,
      'requests assistant=juniper facet=openSession': 1,
      'requests assistant=juniper facet=search': 2,
      'searches assistant=juniper place=lisbon-pt reason=compared': 1,
    });
  });

  it('of callers that are turned away, and of requests while the service is busy', async (t) => {
    const { service, counted } = await aStage(t);
    await service.get('/ai/v1/schema', { 'user-agent': 'unknown' });
    await service.get('/ai/v1/schema', { 'user-agent': 'gone-User' });
    const conversation = await converse(service, null, JUNIPER);
    service.load.lagMs = 100_000;
    await conversation.send({ guests: '2' });
    assert.deepEqual(await counted('requests', 'shed'), {
      'requests assistant=gone facet=other reason=suspended': 1,
      'requests assistant=juniper facet=openSession': 1,
      'requests assistant=juniper facet=search reason=overloaded': 1,
      'requests facet=other reason=unknown_caller': 1,
      'shed reason=search': 1,
    });
  });
});

/** A home of `acme` at its indicative price, and one of `beta` that costs 15 % more. `gone` is suspended. */
async function aStage(t: TestContext) {
  const operators = [await startScriptedOperator(), await startScriptedOperator()] as const;
  for (const [at, operator] of operators.entries()) {
    t.after(() => operator.close());
    operator.properties = [property(`home-${at}`)];
    operator.quote = (reference, { currency }) => {
      const total = at === 0 ? '150.00' : '172.50';
      return { property: reference, status: 'quoted', currency, total };
    };
  }
  const registry = describeAssistantRegistry(
    {
      assistants: ['juniper', 'gone'].map((id) => ({
        id,
        name: id,
        status: id === 'gone' ? 'suspended' : 'approved',
        recognised_by: [{ user_agent: `${id}-User`, ranges: ['127.0.0.0/8'] }],
      })),
    },
    () => assert.fail('no file is named'),
  );
  assert.ok(registry.kind === 'valid');
  const activity = createPlainActivityStore();
  const [acme, beta] = operators;
  const service = await startTestService({
    network: networkFile([brandEntry('acme', acme.origin), brandEntry('beta', beta.origin)]),
    registry: registry.value,
    activity,
    controls: createControlsInMemory(),
  });
  t.after(() => service.close());
  return {
    service,
    operators,
    /** Of these measures, or of all. By the labels that are not empty, without the hour. */
    async counted(...measures: readonly string[]) {
      await service.flushActivity();
      await service.flushActivity();
      const sums: Record<string, number> = {};
      for (const { counts } of activity.batches()) {
        for (const { measure, hour: _, count, sum: _sum, ...labels } of counts) {
          if (measures.length > 0 && !measures.includes(measure)) continue;
          const filled = Object.entries(labels).filter(([, value]) => value !== '');
          const text = [measure, ...filled.map(([name, value]) => `${name}=${value}`)].join(' ');
          sums[text] = (sums[text] ?? 0) + count;
        }
      }
      return Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));
    },
  };
}
