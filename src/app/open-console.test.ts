import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { SAMPLE_QUOTE } from '../../test/support/console-samples.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { recordOfPassword } from '../access/owner-settings.ts';
import type { RegisteredAssistants } from '../access/registry/registered-assistants.ts';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { openRegisteredAssistants } from './configuration.ts';
import { type ConsoleParts, consoleAssistants, openConsole } from './open-console.ts';

const AT = {
  clock: { now: () => Date.parse('2026-11-17T12:00:00.123Z') },
  whoMayCall: { look: async () => undefined },
  trustedNetworks: null,
};
const REGISTRY = `{
  // Kept as it is.
  "assistants": [
    { "id": "guide", "name": "Guide", "status": "approved", "recognised_by": [{ "network": ["192.0.2.0/24"] }] }
  ]
}
`;

function registeredIn(
  t: TestContext,
  text: string | null,
): { registered: RegisteredAssistants; file: string } {
  const file = join(temporaryDirectory(t), 'assistants.json');
  if (text !== null) writeFileSync(file, text);
  const registered = openRegisteredAssistants({ STAYWIRE_ASSISTANTS: file });
  assert.ok(registered.kind === 'valid');
  t.after(() => registered.value.close());
  return { registered: registered.value, file };
}

describe('assistants in the console', () => {
  it('are those of the registry as it is, and are changed in it with a line in their history', async (t) => {
    const { registered, file } = registeredIn(t, REGISTRY);
    const assistants = consoleAssistants(registered, AT);
    assert.deepEqual(await assistants.listed(), [
      {
        ...{ id: 'guide', name: 'Guide', status: 'approved', isListed: true },
        ...{ ways: ['network 192.0.2.0/24'], lastChange: null },
      },
    ]);
    assert.equal(await assistants.suspend('guide'), 'changed');
    const [guide] = await assistants.listed();
    assert.equal(guide?.status, 'suspended');
    assert.deepEqual(guide?.lastChange, { at: '2026-11-17T12:00:00Z', change: 'suspended', note: null });
    assert.equal(await assistants.suspend('guide'), 'as_it_was');
    assert.equal(await assistants.approve('guide'), 'changed');
    const text = readFileSync(file, 'utf8');
    assert.match(text, /\/\/ Kept as it is\./);
    assert.equal(text.match(/"change":/g)?.length, 2);
  });

  it('are in force on this node once they are changed, so that all of the page that follows says the same', async (t) => {
    const { registered } = registeredIn(t, REGISTRY);
    const since = await registered.readAtStart();
    assert.ok(since.kind === 'valid');
    let inForce = since.value.registry;
    const clock = createFakeClock(AT.clock.now());
    const watch = registered.watch({
      ...{ since: since.value, clock, observe: () => undefined, onCopyFailed: () => undefined },
      onChange: (registry) => {
        inForce = registry;
      },
    });
    t.after(() => watch.close());
    const assistants = consoleAssistants(registered, { ...AT, whoMayCall: watch });
    for (const status of ['suspended', 'approved'] as const) {
      await (status === 'suspended' ? assistants.suspend : assistants.approve)('guide');
      assert.equal(inForce?.assistants[0]?.status, status);
    }
  });

  it('are also those on trusted networks, which no registry lists and nobody can suspend', async (t) => {
    const { registered } = registeredIn(t, REGISTRY);
    const assistants = consoleAssistants(registered, { ...AT, trustedNetworks: ['10.0.0.0/8'] });
    const shown = (await assistants.listed()).map(({ id, isListed, ways }) => [id, isListed, ways]);
    assert.deepEqual(shown, [
      ['guide', true, ['network 192.0.2.0/24']],
      ['local', false, ['network 10.0.0.0/8']],
    ]);
    assert.equal(await assistants.suspend('local'), 'not_listed');
  });
});

describe('the console of a service', () => {
  function partsWith(t: TestContext): ConsoleParts {
    const nothing = async () => {
      throw new Error('nothing is asked for here');
    };
    return {
      makeReport: nothing,
      owner: { get: async () => null, set: nothing },
      registered: registeredIn(t, REGISTRY).registered,
      whoMayCall: AT.whoMayCall,
      service: { serveOperation: nothing },
      networkSettings: { network: sampleNetwork(['acme']), name: 'Atlantic' },
      operators: { health: nothing, pause: nothing, resume: nothing, readNow: nothing },
      listings: { get: () => undefined },
      accessList: () => ({ assistants: [] }),
      outcomes: { ofQuote: nothing },
      ledger: { findQuotes: nothing },
      audit: () => undefined,
      clock: systemClock,
      random: systemRandom,
      log: { error: () => undefined },
    };
  }

  it('listens where the settings say, and says where', async (t) => {
    const opened = await openConsole(
      { consolePort: 0, consoleHost: '127.0.0.1', trustedNetworks: null },
      partsWith(t),
    );
    assert.ok(opened);
    t.after(() => opened.close());
    const answer = await fetch(`${opened.origin}/sign-in`);
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /staywire console password/);
    const { port } = new URL(opened.origin);
    const taken = openConsole(
      { consolePort: Number(port), consoleHost: '127.0.0.1', trustedNetworks: null },
      partsWith(t),
    );
    await assert.rejects(taken, /EADDRINUSE/);
  });

  it('calls homes, brands and assistants what their operators and the registry call them', async (t) => {
    const cheap = { cost: 2 ** 4, blockSize: 8, parallelization: 1 };
    const password = await recordOfPassword('a password for tests', systemRandom, cheap);
    const lighthouse = sampleProperty({ brand: 'acme', reference: '1', name: 'Lighthouse' });
    const quote = { ...SAMPLE_QUOTE, brand: 'acme', property: lighthouse.id, assistant: 'guide' };
    const parts = partsWith(t);
    const registry = parts.registered.read(REGISTRY);
    assert.ok(registry.kind === 'valid');
    const opened = await openConsole(
      { consolePort: 0, consoleHost: '127.0.0.1', trustedNetworks: null },
      {
        ...parts,
        owner: { get: async () => password, set: async () => undefined },
        listings: { get: (id) => (id === lighthouse.id ? lighthouse : undefined) },
        accessList: () => registry.value,
        outcomes: { ofQuote: async () => [] },
        ledger: { findQuotes: async () => [quote] },
      },
    );
    assert.ok(opened);
    t.after(() => opened.close());
    const signedIn = await fetch(`${opened.origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: opened.origin },
      body: new URLSearchParams({ password: 'a password for tests' }),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const page = await fetch(`${opened.origin}/quotes?nxq=any`, { headers: { cookie } });
    const text = await page.text();
    assert.match(text, /<h2>Lighthouse<\/h2>/);
    assert.match(text, /<dd>Guide \(guide\)<\/dd>/);
    assert.match(text, /<dt>Brand<\/dt><dd>[^<]+ \(acme\)<\/dd>/);
  });

  it('is not there where the settings want none, or nothing is kept', async (t) => {
    assert.equal(
      await openConsole({ consolePort: null, consoleHost: '127.0.0.1', trustedNetworks: null }, partsWith(t)),
      null,
    );
    assert.equal(
      await openConsole({ consolePort: 0, consoleHost: '127.0.0.1', trustedNetworks: null }, null),
      null,
    );
  });
});
