import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createAccessGate } from '../../src/access/access-gate.ts';
import type { CallerFacts } from '../../src/access/caller-facts.ts';
import { describeAssistantRegistry } from '../../src/access/registry/assistant-registry.ts';
import type { PublicKey } from '../../src/access/signatures/keys.ts';
import { directoryOf } from '../../src/access/signatures/signature-headers.ts';
import { createSignatureVerifier } from '../../src/access/web-bot-auth/signature-verifier.ts';
import { createNoncesInMemory } from '../../src/access/web-bot-auth/used-nonces.ts';
import { systemClock } from '../../src/clock.ts';
import { accessListOf } from '../support/access-list-of.ts';
import { skippedWithoutPython } from '../support/python.ts';
import { prepareSigner } from '../support/signers.ts';

const AGENT = 'https://agent.example';

for (const language of ['typescript', 'python'] as const) {
  const skip = language === 'python' && skippedWithoutPython('the signer in Python, before the gate');
  describe(`a request of the signer in ${language}`, { skip }, () => {
    it('is that of its assistant, once', async (t) => {
      const gate = await startGate(t);
      const signer = await prepareSigner(t, language);
      assert.deepEqual(await decisionAbout(signer.run(gate.origin, AGENT)), {
        kind: 'refused',
        cause: 'unknown_caller',
      });
      gate.publish(AGENT, (await signer.directory()).keys);
      assert.deepEqual(await decisionAbout(signer.run(gate.origin, AGENT)), {
        kind: 'approved',
        assistant: 'wayfarer',
        way: 'signature',
      });
      const sent = gate.seen.at(-1);
      assert.ok(sent);
      const again = await gate.judge(sent);
      assert.deepEqual([again.kind, Reflect.get(again, 'cause')], ['refused', 'replayed_signature']);
    });

    it('is nobody’s with another agent or a key that is not published, and refused when it claims one that is', async (t) => {
      const gate = await startGate(t);
      const [signer, other] = [await prepareSigner(t, language), await prepareSigner(t, language)];
      await signer.run(gate.origin, AGENT);
      const { keys } = await signer.directory();
      gate.publish(AGENT, keys);
      const nobody = { kind: 'refused', cause: 'unknown_caller' };
      assert.deepEqual(await decisionAbout(signer.run(gate.origin, 'https://other.example')), nobody);
      assert.deepEqual(await decisionAbout(other.run(gate.origin, AGENT)), nobody);

      const sent = gate.seen.at(-1);
      assert.ok(sent);
      const claim = String(sent.headers['signature-input']).replace(/(?<=keyid=")[^"]*/, keys[0]?.kid ?? '');
      const forged = await gate.judge({ ...sent, headers: { ...sent.headers, 'signature-input': claim } });
      assert.deepEqual([forged.kind, Reflect.get(forged, 'cause')], ['refused', 'invalid_signature']);
    });
  });
}

async function decisionAbout(run: Promise<{ readonly body: string }>) {
  const { kind, cause, assistant, way } = JSON.parse((await run).body);
  return kind === 'approved' ? { kind, assistant, way } : { kind, cause };
}

/** The gate of a service that has registered one agent, which answers with what it decides. */
async function startGate(t: TestContext) {
  const registry = describeAssistantRegistry(
    {
      assistants: [
        {
          id: 'wayfarer',
          name: 'Wayfarer',
          status: 'approved',
          recognised_by: [{ signature_agent: AGENT }],
        },
      ],
    },
    () => assert.fail('no file is named'),
  );
  assert.ok(registry.kind === 'valid');
  const published = new Map<string, readonly PublicKey[]>();
  const seen: CallerFacts[] = [];
  const server = createServer(async ({ method = '', url = '', headers, socket }, response) => {
    const facts = { peerAddress: socket.remoteAddress ?? '', method, target: url, headers };
    seen.push(facts);
    const decision = await judge(facts);
    response.writeHead(decision.kind === 'approved' ? 200 : 403).end(JSON.stringify(decision));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const judge = createAccessGate({
    accessList: accessListOf(registry.value),
    trustedProxies: [],
    signatureVerifier: createSignatureVerifier({
      keysAt: (url) => published.get(url),
      origins: [origin],
      nonces: createNoncesInMemory(systemClock),
      clock: systemClock,
    }),
    clock: systemClock,
  });
  return {
    origin,
    seen,
    judge,
    publish(agent: string, keys: readonly object[]) {
      published.set(directoryOf(agent), keys as readonly PublicKey[]);
    },
  };
}
