import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { directoryOf } from '../../src/signatures/signature-agent.ts';
import { freePort } from '../support/free-port.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { skippedWithoutPython } from '../support/python.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { prepareSigner, type RunningSigner } from '../support/signers.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

const AGENT = 'https://agent.example';

for (const language of ['typescript', 'python'] as const) {
  const withoutPython = language === 'python' && skippedWithoutPython('the signer in Python, end to end');
  describe(`the signer in ${language}`, { skip: withoutPython }, () => {
    it('opens a session on a service whose owner has approved its agent, and on no other', async (t) => {
      const signer = await prepareSigner(t, language);
      // Makes the key, which nobody knows yet.
      await assert.rejects(signer.run('http://127.0.0.1:1', AGENT));

      const approved = await startService(t, { signer, status: 'approved' });
      const { status, body } = await signer.run(approved, AGENT);
      assert.equal(status, 200, body);
      assert.match(JSON.parse(body).session, /^ses_/);
      assert.equal((await signer.run(approved, 'https://other.example')).status, 403);
      const stranger = await fetch(`${approved}/ai/v1/auth`);
      assert.equal(stranger.status, 403);

      const suspended = await startService(t, { signer, status: 'suspended' });
      assert.equal((await signer.run(suspended, AGENT)).status, 403);
    });
  });
}

/** As its owner runs it, with the keys of the agent as they were read before the start. Nothing answers at the agent's address. */
async function startService(
  t: TestContext,
  { signer, status }: { readonly signer: RunningSigner; readonly status: string },
): Promise<string> {
  const operator = await startScriptedOperator();
  operator.properties = [property('a')];
  const folder = temporaryDirectory(t);
  const dataDirectory = join(folder, 'data');
  const registry = join(folder, 'assistants.json');
  const assistant = { id: 'wayfarer', name: 'Wayfarer', recognised_by: [{ signature_agent: AGENT }] };
  writeFileSync(registry, JSON.stringify({ assistants: [{ ...assistant, status }] }));
  keepCopy(dataDirectory, directoryOf(AGENT), JSON.stringify(await signer.directory()));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const service = startServiceProcess({
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
  t.after(async () => {
    service.child.kill();
    await service.ended;
    await operator.close();
  });
  await service.ready;
  return origin;
}

/** The last good copy of a directory, as a service keeps it. */
function keepCopy(dataDirectory: string, url: string, text: string): void {
  const folder = join(dataDirectory, 'published');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(url).digest('hex').slice(0, 32);
  const confirmed_at = new Date().toISOString();
  writeFileSync(
    join(folder, `keys-${name}.json`),
    JSON.stringify({ kind: 'keys', url, confirmed_at, etag: null, text }),
  );
}
