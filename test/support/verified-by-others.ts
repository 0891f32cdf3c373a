import assert from 'node:assert/strict';
import { createPublicKey, hash, type JsonWebKey } from 'node:crypto';
import { createVerifier, httpbis } from 'http-message-signatures';

export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string;
};
type Directory = { readonly keys: readonly JsonWebKey[] };
type Parameters = { readonly created: number; readonly expires: number; readonly tag?: unknown };

/**
 * An operator that verifies with a library that we did not write, by the keys that we publish. Returns the thumbprint of the key and
 * the nonce.
 */
export async function verifiedByOthers(
  request: SentRequest,
  directory: Directory,
  { now, agent }: { readonly now: number; readonly agent: string },
): Promise<{ readonly keyid: string; readonly nonce: string }> {
  const { method, url, body } = request;
  const headers = present(request.headers);
  let found: Parameters & { readonly keyid?: string; readonly nonce?: string } = { created: 0, expires: 0 };
  const isVerified = await httpbis.verifyMessage(
    {
      keyLookup: async (parameters) => {
        found = { ...parameters, ...secondsIn(parameters) };
        return verifierFor(directory, parameters.keyid);
      },
      requiredParams: ['created', 'expires', 'keyid', 'tag', 'nonce'],
      requiredFields: [
        ...['@method', '@authority', '@path', '@query', 'signature-agent'],
        ...(body === undefined ? [] : ['content-digest']),
      ],
      all: true,
      // It asks the clock of the machine; the time of the test is compared below.
      tolerance: Number.POSITIVE_INFINITY,
    },
    { method, url, headers },
  );
  assert.equal(isVerified, true);
  assertTimes(found, now);
  assert.equal(found.tag, 'web-bot-auth');
  assert.equal(headers['signature-agent'], `sig1="${agent}"`);
  if (body !== undefined)
    assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', body, 'base64')}:`);
  return { keyid: found.keyid ?? '', nonce: found.nonce ?? '' };
}

/** The same of the directory itself: each of its keys has signed it for this host. Returns their thumbprints. */
export async function provedByOthers(
  { headers: sent, body }: { readonly headers: SentRequest['headers']; readonly body: string },
  { now, url }: { readonly now: number; readonly url: string },
): Promise<readonly string[]> {
  const headers = present(sent);
  assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', body, 'base64')}:`);
  const keyids: string[] = [];
  const isVerified = await httpbis.verifyMessage(
    {
      keyLookup: async (parameters) => {
        keyids.push(String(parameters.keyid));
        assertTimes({ ...parameters, ...secondsIn(parameters) }, now);
        assert.equal(parameters.tag, 'http-message-signatures-directory');
        const verifier = verifierFor(JSON.parse(body), parameters.keyid);
        if (!verifier) return null;
        // The library keeps only what the last signature came to.
        const verify: typeof verifier.verify = async (...args) => {
          assert.equal(await verifier.verify(...args), true);
          return true;
        };
        return { ...verifier, verify };
      },
      requiredParams: ['created', 'expires', 'keyid', 'tag'],
      requiredFields: ['@authority', 'content-digest'],
      all: true,
      tolerance: Number.POSITIVE_INFINITY,
    },
    { status: 200, headers },
    { method: 'GET', url, headers: {} },
  );
  assert.equal(isVerified, true);
  return keyids;
}

function verifierFor({ keys }: Directory, keyid: string | undefined) {
  const key = keys.find(({ kid }) => kid === keyid);
  if (!key) return null;
  const verify = createVerifier(createPublicKey({ key, format: 'jwk' }), 'ed25519');
  return { id: String(keyid), algs: ['ed25519'], verify };
}

function secondsIn(parameters: { readonly created?: Date | null; readonly expires?: unknown }) {
  // The library reads one of the two as a date.
  return { created: Number(parameters.created) / 1000, expires: Number(parameters.expires) };
}

function assertTimes({ created, expires }: Parameters, now: number): void {
  const seconds = now / 1000;
  assert.ok(created <= seconds && seconds < expires, `${created} to ${expires} at ${seconds}`);
}

function present(headers: SentRequest['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}
