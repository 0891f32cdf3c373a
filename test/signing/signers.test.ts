import assert from 'node:assert/strict';
import { createHash, createPublicKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createVerifier, httpbis } from 'http-message-signatures';
import { registryFor } from '../../src/access/registry/assistant-registry.ts';
import { skippedWithoutPython } from '../support/python.ts';
import { setScene } from '../support/scene.ts';
import { prepareSigner, type RunningSigner } from '../support/signers.ts';
import type { TestService } from '../support/test-service.ts';

const AGENT = 'https://agent.example';
const INPUT =
  /^sig1=\("@authority" "signature-agent";key="sig1"\);created=(\d+);expires=(\d+);keyid="([\w-]{43})";alg="ed25519";nonce="([\w-]{43})";tag="web-bot-auth"$/;

type Sent = { readonly method: string; readonly path: string; readonly headers: Record<string, string> };

for (const language of ['typescript', 'python'] as const) {
  const skip = language === 'python' && skippedWithoutPython('the signer in Python');
  describe(`the signer in ${language}`, { skip }, () => {
    it('makes a key that only its owner can read, and a directory that publishes the other half of it', async (t) => {
      const { signer, origin } = await startSigner(t, language);
      await signer.run(origin, AGENT);
      const { keys } = await signer.directory();
      assert.equal(keys.length, 1);
      const [key] = keys;
      assert.ok(key);
      const { kty, crv, x, kid, use } = key;
      assert.deepEqual(Object.keys(key).sort(), ['crv', 'kid', 'kty', 'use', 'x']);
      assert.deepEqual([kty, crv, use], ['OKP', 'Ed25519', 'sig']);
      const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
      assert.equal(kid, thumbprint);
      const file = join(signer.folder, 'signing-key.pem');
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const publicKey = createPublicKey(await readFile(file, 'utf8'));
      assert.equal(publicKey.export({ format: 'jwk' }).x, x);
    });

    it('opens a session with a signature that an implementation of others verifies, for that host and that agent alone', async (t) => {
      const { signer, service, origin } = await startSigner(t, language);
      const sent = recordRequests(service);
      const { status, body } = await signer.run(origin, AGENT);
      assert.equal(status, 200, body);
      assert.match(JSON.parse(body).session, /^ses_/);
      const [request] = sent;
      assert.ok(request);
      assert.deepEqual([request.method, request.path], ['POST', '/ai/v1/auth']);
      assert.equal(request.headers['signature-agent'], `sig1="${AGENT}"`);
      const [, created, expires, keyid] = INPUT.exec(request.headers['signature-input'] ?? '') ?? [];
      assert.equal(Number(expires) - Number(created), 60);
      assert.equal(keyid, (await signer.directory()).keys[0]?.kid);

      assert.equal(await isVerified(signer, origin, request), true);
      assert.equal(await isVerified(signer, 'http://other.example', request), false);
      const headers = { ...request.headers, 'signature-agent': 'sig1="https://other.example"' };
      assert.equal(await isVerified(signer, origin, { ...request, headers }), false);
    });

    it('takes addresses that end with a slash, as people copy them', async (t) => {
      const { signer, service, origin } = await startSigner(t, language);
      const sent = recordRequests(service);
      const { status, body } = await signer.run(`${origin}/`, `${AGENT}/`);
      assert.equal(status, 200, body);
      assert.equal(sent[0]?.path, '/ai/v1/auth');
      assert.equal(sent[0]?.headers['signature-agent'], `sig1="${AGENT}"`);
    });

    it('says how it is used when it is not told the network and the agent', async (t) => {
      const signer = await prepareSigner(t, language);
      for (const words of [[], ['https://stays.example']]) {
        const { exit, said } = await signer.runWith(words);
        assert.equal(exit, 2, said);
        assert.match(said, /^usage: \S+ sign.request\.\S+ https:\S+ https:\S+\n$/);
      }
    });

    it('keeps its key, and signs each request anew', async (t) => {
      const { signer, service, origin } = await startSigner(t, language);
      const sent = recordRequests(service);
      await signer.run(origin, AGENT);
      const before = await signer.directory();
      await signer.run(origin, AGENT);
      assert.deepEqual(await signer.directory(), before);
      const nonces = sent.map(({ headers }) => INPUT.exec(headers['signature-input'] ?? '')?.[4]);
      assert.equal(nonces.length, 2);
      assert.notEqual(nonces[0], nonces[1]);
    });

    it('shows the refusal of a network that has not approved it, with the address of the page to read', async (t) => {
      const { signer, origin } = await startSigner(t, language, { isApproved: false });
      const { status, body } = await signer.run(origin, AGENT);
      assert.equal(status, 403);
      const { error, help_url } = JSON.parse(body);
      assert.equal(error, 'access_denied');
      const page = await fetch(new URL(help_url, origin));
      assert.equal(page.status, 200);
      assert.match(await page.text(), /^# How an assistant gets in$/m);
    });
  });
}

/** Beside a service that lets every program on this machine in, or nobody. */
async function startSigner(
  t: Parameters<typeof setScene>[0],
  language: Parameters<typeof prepareSigner>[1],
  { isApproved = true } = {},
) {
  const { service } = await setScene(t, isApproved ? {} : { registry: registryFor(null, null) });
  return { signer: await prepareSigner(t, language), service, origin: await service.listen() };
}

function recordRequests({ server }: TestService): readonly Sent[] {
  const sent: Sent[] = [];
  server.prependListener('request', ({ method = '', url = '', headers }: IncomingMessage) => {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    sent.push({ method, path: url, headers: Object.fromEntries(texts) });
  });
  return sent;
}

/** By http-message-signatures, with the key that the directory has under that id. */
async function isVerified(signer: RunningSigner, origin: string, { method, path, headers }: Sent) {
  const { keys } = await signer.directory();
  const verified = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) => {
        const found = keys.find(({ kid }) => kid === keyid);
        if (!found) return null;
        const { kty, crv, x } = found;
        const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
        const key = publicKey.export({ format: 'pem', type: 'spki' });
        return { id: found.kid, algs: ['ed25519'], verify: createVerifier(key, 'ed25519') };
      },
    },
    { method, url: `${origin}${path}`, headers: { ...headers } },
  );
  return verified === true;
}
