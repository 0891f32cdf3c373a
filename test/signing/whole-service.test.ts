import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { signRequest } from '../../src/access/signatures/sign-request.ts';
import { freePort } from '../support/free-port.ts';
import { keepPublishedKeys } from '../support/keep-published-keys.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { skippedWithoutPython } from '../support/python.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { prepareSigner } from '../support/signers.ts';
import { newSigningKey } from '../support/signing-key.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const AGENT = 'https://agent.example';

for (const language of ['typescript', 'python'] as const) {
  const withoutPython = language === 'python' && skippedWithoutPython('the signer in Python, end to end');
  describe(`the signer in ${language}`, { skip: withoutPython }, () => {
    it('opens a session on a service whose owner has approved its agent, and on no other', async (t) => {
      const signer = await prepareSigner(t, language);
      // Makes the key, which nobody knows yet.
      await assert.rejects(signer.run('http://127.0.0.1:1', AGENT));

      const { keys } = await signer.directory();
      const { origin: approved } = await startService(t, { keys, status: 'approved' });
      const { status, body } = await signer.run(approved, AGENT);
      assert.equal(status, 200, body);
      assert.match(JSON.parse(body).session, /^ses_/);
      assert.equal((await signer.run(approved, 'https://other.example')).status, 403);
      const stranger = await fetch(`${approved}/ai/v1/auth`);
      assert.equal(stranger.status, 403);

      if (language === 'python') return;
      const { origin: suspended } = await startService(t, { keys, status: 'suspended' });
      assert.equal((await signer.run(suspended, AGENT)).status, 403);
    });
  });
}

it('a signature with a nonce is good once, also after a restart', async (t) => {
  const { key, published } = newSigningKey('ed25519');
  const { origin, restart } = await startService(t, {
    keys: [published],
    status: 'approved',
  });
  const url = `${origin}/ai/v1/terms`;
  const signed = (nonce: string) => {
    const created = Math.floor(Date.now() / 1000);
    const times = { created, expires: created + 300 };
    return signRequest({ method: 'GET', url, headers: {} }, { key, agent: AGENT, nonce, ...times });
  };
  const statusFor = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
  const once = signed('once');
  assert.deepEqual([await statusFor(once), await statusFor(once)], [200, 403]);
  await restart();
  assert.deepEqual([await statusFor(once), await statusFor(signed('another'))], [403, 200]);
});

type SignedService = { readonly origin: string; readonly restart: () => Promise<void> };

/** As its owner runs it, with the keys of the agent as they were read before the start. Nothing answers at the agent's address. */
async function startService(
  t: TestContext,
  { keys, status }: { readonly keys: readonly object[]; readonly status: string },
): Promise<SignedService> {
  const operator = await startScriptedOperator();
  operator.properties = [property('a')];
  const folder = temporaryDirectory(t);
  const dataDirectory = join(folder, 'data');
  const registry = join(folder, 'assistants.json');
  const assistant = { id: 'wayfarer', name: 'Wayfarer', recognised_by: [{ signature_agent: AGENT }] };
  writeFileSync(registry, JSON.stringify({ assistants: [{ ...assistant, status }] }));
  keepPublishedKeys(dataDirectory, { agent: AGENT, keys, confirmedAt: Date.now() });
  const origin = `http://127.0.0.1:${await freePort()}`;
  const start = () =>
    startServiceProcess({
      dataDirectory,
      network: networkFile([brandEntry('acme', operator.origin)]),
      env: {
        PORT: new URL(origin).port,
        STAYWIRE_PUBLIC_URL: origin,
        STAYWIRE_ASSISTANTS: registry,
        // Nobody is let in for calling from this machine.
        STAYWIRE_TRUSTED_NETWORKS: '192.0.2.1/32',
      },
    });
  let service = start();
  const stop = async () => {
    service.child.kill();
    await service.ended;
  };
  t.after(async () => {
    await stop();
    await operator.close();
  });
  await service.ready;
  return {
    origin,
    async restart() {
      await stop();
      service = start();
      await service.ready;
    },
  };
}
