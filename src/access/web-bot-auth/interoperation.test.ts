import assert from 'node:assert/strict';
import { constants, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  createSigner,
  createVerifier,
  httpbis,
  type SigningKey as TheirSigningKey,
} from 'http-message-signatures';
import { signatureHeaders, verify as verifyWebBotAuth } from 'web-bot-auth';
import { signerFromJWK, verifierFromJWK } from 'web-bot-auth/crypto';
import {
  createSignatureScene,
  SCENE_NOW_SECONDS as NOW,
  SCENE_AGENT,
  SCENE_HOST,
  signedFacts,
} from '../../../test/support/signature-scene.ts';
import { newSigningKey, type SigningKey } from '../../../test/support/signing-key.ts';
import type { CallerFacts } from '../caller-facts.ts';
import { signBase } from '../signatures/keys.ts';
import { componentValuesOf, signatureBase } from '../signatures/signature-base.ts';
import { directoryOf, readSignatures } from '../signatures/signature-headers.ts';

/** The other implementations read the system's clock: what they verify is good from long ago until far ahead. */
const LONG_AGO = 1_700_000_000;
const FAR_AHEAD = 4_000_000_000;
const TARGET = '/ai/v1/search?session=a&view=compact';
const URL_OF_REQUEST = `https://${SCENE_HOST}${TARGET}`;

describe('http-message-signatures', () => {
  for (const algorithm of ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512'] as const) {
    const signing = newSigningKey(algorithm);

    it(`signs with ${algorithm} what we verify`, async () => {
      const key = theirSigner(signing);
      const { headers } = await httpbis.signMessage(
        {
          key,
          name: 'their',
          fields: [
            '@method',
            '@authority',
            '@path',
            '@query',
            '@query-param;name="view"',
            'accept',
            'signature-agent;key="their"',
          ],
          params: ['created', 'expires', 'keyid', 'alg', 'nonce', 'tag'],
          paramValues: {
            created: new Date((NOW - 5) * 1000),
            expires: new Date((NOW + 60) * 1000),
            nonce: 'bm9uY2U=',
            tag: 'web-bot-auth',
          },
        },
        {
          method: 'GET',
          url: URL_OF_REQUEST,
          headers: { accept: 'application/json', 'signature-agent': `their="${SCENE_AGENT}"` },
        },
      );
      assert.equal((await verdictOn(headers, signing)).kind, 'verified');
    });

    it(`verifies what we sign with ${algorithm}`, async () => {
      const { headers } = signedFacts(
        { key: signing.key, created: LONG_AGO, expires: FAR_AHEAD, nonce: 'bm9uY2U=' },
        { target: TARGET },
      );
      const message = { method: 'GET', url: URL_OF_REQUEST, headers: headers as Record<string, string> };
      const verify = createVerifier(createPublicKey({ key: signing.jwk, format: 'jwk' }), algorithm);
      const verdict = (url: string) =>
        httpbis.verifyMessage(
          {
            keyLookup: async ({ keyid }) => (keyid === signing.key.keyid ? { verify } : null),
            requiredFields: ['@authority', 'signature-agent'],
          },
          { ...message, url },
        );
      assert.equal(await verdict(URL_OF_REQUEST), true);
      assert.equal(await verdict(`https://evil.example${TARGET}`), false);
    });
  }
});

describe('web-bot-auth', () => {
  for (const algorithm of ['ed25519', 'rsa-pss-sha512'] as const) {
    const signing = newSigningKey(algorithm);
    const jwk = { ...signing.jwk, ...(algorithm === 'ed25519' ? {} : { alg: 'PS512' }) };

    it(`signs with ${algorithm} what we verify, in the older form`, async () => {
      const message = {
        method: 'GET',
        url: URL_OF_REQUEST,
        headers: { 'signature-agent': `"${SCENE_AGENT}"` },
      };
      const signed = await signatureHeaders(message, await signerFromJWK(jwk), {
        created: new Date((NOW - 5) * 1000),
        expires: new Date((NOW + 60) * 1000),
      });
      const headers = {
        ...message.headers,
        signature: signed.Signature,
        'signature-input': signed['Signature-Input'],
      };
      assert.equal((await verdictOn(headers, signing)).kind, 'verified');
    });

    it(`verifies what we sign with ${algorithm} in the older form`, async () => {
      await verifyWebBotAuth(inOlderForm(signing), await verifierFromJWK(jwk));
      await assert.rejects(async () =>
        verifyWebBotAuth(
          { ...inOlderForm(signing), url: 'https://evil.example/' },
          await verifierFromJWK(jwk),
        ),
      );
    });

    it(`cannot verify the current form with ${algorithm}: it signs the whole header where one member is meant`, async () => {
      const { headers } = signedFacts(
        { key: signing.key, created: LONG_AGO, expires: FAR_AHEAD },
        { target: TARGET },
      );
      const message = { method: 'GET', url: URL_OF_REQUEST, headers: headers as Record<string, string> };
      await assert.rejects(async () => verifyWebBotAuth(message, await verifierFromJWK(jwk)));
    });
  }

  it('cannot verify a request with two signatures, and has no P-256', async () => {
    const { jwk, key } = newSigningKey('ed25519');
    const message = inOlderForm({ jwk, key });
    const { headers } = message;
    const two = {
      ...headers,
      'signature-input': `${headers['signature-input']}, proxy=("@method");created=1`,
      signature: `${headers.signature}, proxy=:AAAA:`,
    };
    await assert.rejects(
      async () => verifyWebBotAuth({ ...message, headers: two }, await verifierFromJWK(jwk)),
      /Multiple/,
    );
    await assert.rejects(async () => verifierFromJWK(newSigningKey('ecdsa-p256-sha256').jwk));
  });
});

/** Its own signer for RSA takes the longest salt that fits, where RFC 9421 has one of 64 bytes. */
function theirSigner({ jwk, key: { algorithm, keyid } }: SigningKey): TheirSigningKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const signer = createSigner(key, algorithm, keyid);
  const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
  return algorithm === 'rsa-pss-sha512'
    ? { ...signer, sign: async (data) => sign('sha512', data, options) }
    : signer;
}

function verdictOn(headers: CallerFacts['headers'], { published }: SigningKey) {
  const { verify, directories } = createSignatureScene();
  directories.set(directoryOf(SCENE_AGENT), [published]);
  const lowerCase = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return verify({
    peerAddress: '198.51.100.9',
    method: 'GET',
    target: TARGET,
    headers: { host: SCENE_HOST, ...lowerCase },
  });
}

/** Our signer makes the current form; the older one is made of its parts. */
function inOlderForm({ key }: Pick<SigningKey, 'jwk' | 'key'>) {
  const agent = { 'signature-agent': `"${SCENE_AGENT}"` };
  const input = `sig1=("@authority" "signature-agent");created=${LONG_AGO};expires=${FAR_AHEAD};keyid="${key.keyid}";tag="web-bot-auth"`;
  const reading = readSignatures({ signatureInput: input, signature: '' });
  assert.ok(reading.kind === 'valid' && reading.value[0]);
  const values = componentValuesOf({
    method: 'GET',
    scheme: 'https',
    authority: SCENE_HOST,
    target: TARGET,
    headers: agent,
  });
  const base = signatureBase(reading.value[0].input, values);
  assert.ok(base.kind === 'valid');
  const signature = `sig1=:${signBase(key, base.value).toString('base64')}:`;
  return { method: 'GET', url: URL_OF_REQUEST, headers: { ...agent, 'signature-input': input, signature } };
}
