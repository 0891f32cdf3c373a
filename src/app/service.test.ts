import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brandEntry, networkFile, PLACES, property } from '../../test/support/network.ts';
import { type ScriptedOperator, startScriptedOperator } from '../../test/support/scripted-operator.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import type { NetworkFile } from '../network/network-file.ts';
import { openMemoryStorage } from '../storage/memory/storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { DeclineChannel } from '../sync/decline-channel.ts';

const TIMEOUT = { timeout: 20_000 };

/** Operators that start with one property each, and services on their network that share one store. */
async function setUp(t: TestContext, sources: readonly string[]) {
  const operators = new Map<string, ScriptedOperator>();
  for (const source of sources) {
    const operator = await startScriptedOperator();
    operator.properties = [property(`${source}-1`)];
    operators.set(source, operator);
    t.after(() => operator.close());
  }
  const storage = await openMemoryStorage({ directory: '', rateRule: { limit: 600, windowMs: 60_000 } });
  const sharedStorage: Storage = { ...storage, close: async () => {} };
  t.after(() => storage.close());

  return {
    operatorOf(source: string): ScriptedOperator {
      const operator = operators.get(source);
      assert.ok(operator, source);
      return operator;
    },
    async start(options: {
      readonly sources?: readonly string[];
      readonly network?: Partial<NetworkFile>;
      readonly waitForStart?: boolean;
      readonly declineChannel?: DeclineChannel;
    }) {
      const { sources: served = sources, network = {}, waitForStart = true } = options;
      const { declineChannel = storage.declineChannel } = options;
      const entries = served.map((source) => brandEntry(source, operators.get(source)?.origin ?? ''));
      const service = await startTestService({
        network: { ...networkFile(entries), ...network },
        storage: { ...sharedStorage, declineChannel },
        waitForStart,
      });
      t.after(() => service.close());
      return service;
    },
  };
}

async function statusOf(service: TestService): Promise<number> {
  return (await service.get('/readyz')).status;
}

async function waitForLog(
  t: TestContext,
  service: TestService,
  brand: string,
  message: string,
): Promise<void> {
  const isIt = (line: string) => line.includes(`"brand":"${brand}"`) && line.includes(`"msg":"${message}"`);
  while (!service.logLines.some(isIt)) {
    t.signal.throwIfAborted();
    await nextTurn();
  }
}

/** The operator does not answer for its catalogue until the returned function is called. */
function holdCatalogue(operator: ScriptedOperator): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  operator.misbehave = async (path) => {
    if (path === '/catalogue') await promise;
    return false;
  };
  return resolve;
}

test(
  'it is ready when every brand was read, and a session for the slowest brand then sees that brand',
  TIMEOUT,
  async (t) => {
    const { operatorOf, start } = await setUp(t, ['fast', 'slow']);
    const release = holdCatalogue(operatorOf('slow'));
    const service = await start({ waitForStart: false });
    assert.equal(await statusOf(service), 503);
    await waitForLog(t, service, 'fast', 'brand read');
    assert.equal(await statusOf(service), 503);
    release();
    await waitForLog(t, service, 'slow', 'brand read');
    assert.equal(await statusOf(service), 200);
    const { body: session } = await service.post('/ai/v1/auth', { source: 'slow' });
    const { body: step } = await service.get(`/ai/v1/search?session=${session.session}`);
    assert.deepEqual(
      step.allowed_values.brand_locked.map(({ value }: { value: unknown }) => value),
      [true, false],
    );
  },
);

test(
  'it is not ready before it knows what operators have just refused on other nodes',
  TIMEOUT,
  async (t) => {
    const { start } = await setUp(t, ['acme']);
    const { promise: caughtUp, resolve: heard } = Promise.withResolvers<void>();
    const declineChannel = { publish() {}, subscribe: () => ({ caughtUp, stop: async () => {} }) };
    const service = await start({ waitForStart: false, declineChannel });
    await waitForLog(t, service, 'acme', 'brand read');
    const { status, body } = await service.get('/readyz');
    assert.deepEqual([status, body], [503, { status: 'starting', reason: 'refusals_not_heard' }]);
    heard();
    await caughtUp;
    assert.equal(await statusOf(service), 200);
  },
);

test('one slow brand delays nobody: it is ready without it, and shows it later', TIMEOUT, async (t) => {
  const { operatorOf, start } = await setUp(t, ['fast', 'slow']);
  const release = holdCatalogue(operatorOf('slow'));
  const service = await start({ waitForStart: false });
  await waitForLog(t, service, 'fast', 'brand read');
  assert.equal(await statusOf(service), 503);
  await service.time.pass(10_000);
  assert.equal(await statusOf(service), 200);
  release();
  await waitForLog(t, service, 'slow', 'brand read');
});

test(
  'a failing brand does not block readiness, but without any property it is not ready',
  TIMEOUT,
  async (t) => {
    const { operatorOf, start } = await setUp(t, ['fast', 'broken']);
    operatorOf('broken').misbehave = (_path, response) => {
      response.writeHead(500).end();
      return true;
    };
    const release = holdCatalogue(operatorOf('fast'));
    const service = await start({ waitForStart: false });
    await waitForLog(t, service, 'broken', 'brand could not be read');
    assert.equal(await statusOf(service), 503);
    release();
    await waitForLog(t, service, 'fast', 'brand read');
    assert.equal(await statusOf(service), 200);
  },
);

test('a stored brand is ready at once; a brand that joins the network is waited for', TIMEOUT, async (t) => {
  const { operatorOf, start } = await setUp(t, ['stored', 'new']);
  const before = await start({ sources: ['stored'] });
  await before.close();
  const releaseStored = holdCatalogue(operatorOf('stored'));
  const again = await start({ sources: ['stored'], waitForStart: false });
  while ((await statusOf(again)) !== 200) {
    t.signal.throwIfAborted();
    await nextTurn();
  }
  await again.close();

  releaseStored();
  const release = holdCatalogue(operatorOf('new'));
  const grown = await start({ waitForStart: false });
  await waitForLog(t, grown, 'stored', 'brand read');
  assert.equal(await statusOf(grown), 503);
  release();
  await waitForLog(t, grown, 'new', 'brand read');
  assert.equal(await statusOf(grown), 200);
});

test(
  'a city whose currency changed holds back what was stored in the old one, by name, and the service starts',
  TIMEOUT,
  async (t) => {
    const { start } = await setUp(t, ['acme']);
    const before = await start({});
    await before.close();
    const places = PLACES.map((place) => ({ ...place, currency: 'USD' }));
    const after = await start({ network: { places } });
    const lines = after.logLines.map((line) => JSON.parse(line));
    const stored = lines.find(({ msg }) => msg === 'stored listings held back');
    assert.deepEqual(stored?.listings, [
      {
        reference: 'acme-1',
        field: 'currency',
        rule: 'other_currency',
        reason: 'is EUR, but lisbon-pt is compared in USD',
      },
    ]);
    const read = lines.find(({ msg }) => msg === 'listings held back or repaired');
    assert.deepEqual(read?.listings, stored.listings);
  },
);
