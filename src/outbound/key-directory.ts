import { createPublicKey, hash } from 'node:crypto';
import { type InnerList, serializeDictionary, serializeInnerList } from 'structured-headers';
import type { SignatureKey } from '../access/signatures/keys.ts';
import { signBase } from '../access/signatures/keys.ts';
import { component } from '../access/signatures/sign-request.ts';
import { signatureBase } from '../access/signatures/signature-base.ts';
import type { Clock } from '../clock.ts';
import type { OwnIdentity } from './own-identity.ts';

// For the HTTP module, which serves the directory without depending on signatures.
export { KEY_DIRECTORY_PATH } from '../access/signatures/signature-headers.ts';

export const KEY_DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

/** The public keys, each with a proof that its owner publishes it here. */
export type KeyDirectory = () => {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

const TAG = 'http-message-signatures-directory';
/** How long verifiers may use their copy of the list. */
const LIFE_SECONDS = 7 * 86_400;
/** Signs at most once in this time, however often strangers request the directory. */
const SIGNED_AGAIN_AFTER_SECONDS = 86_400;

export function createKeyDirectory(
  { agent, keys }: OwnIdentity,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): KeyDirectory {
  const body = Buffer.from(JSON.stringify({ keys: keys.map(publicEntry) }));
  const digest = `sha-256=:${hash('sha256', body, 'base64')}:`;
  const { host } = new URL(agent);
  let signedAt = Number.NEGATIVE_INFINITY;
  let headers: Readonly<Record<string, string>> = {};
  return () => {
    const now = Math.floor(clock.now() / 1000);
    // After the clock was set back, the signature would lie in the future.
    if (now < signedAt || now - signedAt >= SIGNED_AGAIN_AFTER_SECONDS) {
      signedAt = now;
      headers = { 'content-digest': digest, ...proofs(keys, { host, digest, created: now }) };
    }
    return { body, headers };
  };
}

function publicEntry({ key, keyid }: SignatureKey): object {
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });
  return { kty, crv, x, kid: keyid, use: 'sig' };
}

/** One signature per key, over the requested host and the digest of the keys. */
function proofs(
  keys: readonly SignatureKey[],
  { host, digest, created }: { readonly host: string; readonly digest: string; readonly created: number },
) {
  const proved = keys.map((key, position) => {
    const input: InnerList = [
      [component('@authority', { req: true }), component('content-digest')],
      new Map<string, string | number>([
        ['created', created],
        ['expires', created + LIFE_SECONDS],
        ['keyid', key.keyid],
        ['alg', key.algorithm],
        ['tag', TAG],
      ]),
    ];
    const base = signatureBase(input, ([name]) => (name === '@authority' ? host : digest));
    if (base.kind === 'invalid') throw new Error(`cannot sign: ${base.faults.join(', ')}`);
    return { label: `sig${position + 1}`, input, signature: signBase(key, base.value) };
  });
  return {
    signature: serializeDictionary(
      Object.fromEntries(proved.map(({ label, signature }) => [label, signature])),
    ),
    'signature-input': proved.map(({ label, input }) => `${label}=${serializeInnerList(input)}`).join(', '),
  };
}
