import { createPrivateKey, createPublicKey, hash, type JsonWebKey } from 'node:crypto';
import { statSync } from 'node:fs';
import { type InnerList, serializeDictionary, serializeInnerList } from 'structured-headers';
import {
  PUBLISHED_TEST_KEYS,
  readPrivateKey,
  type SignatureKey,
  signBase,
  thumbprintOf,
} from '../access/signatures/keys.ts';
import { component, signRequest, WHOLE_REQUEST } from '../access/signatures/sign-request.ts';
import { signatureBase } from '../access/signatures/signature-base.ts';
import type { Clock } from '../clock.ts';
import { readJsonFile } from '../parsing/read-file.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { createFile, replaceFile } from '../parsing/replace-file.ts';
import type { Random } from '../random.ts';

// For the HTTP module, which serves the directory without depending on signatures.
export { KEY_DIRECTORY_PATH } from '../access/signatures/signature-headers.ts';

/** Our identity to operators' servers: an origin and the keys published there. The first key signs. */
export type OwnIdentity = {
  readonly agent: string;
  readonly keys: readonly [SignatureKey, ...SignatureKey[]];
};

type FoundIdentity = { readonly identity: OwnIdentity | null; readonly warnings: readonly string[] };

/** Without a key file there is no identity, and nothing is signed. */
export function readOwnIdentity({
  signingKeysFile,
  publicUrl,
}: {
  readonly signingKeysFile: string | null;
  readonly publicUrl: string | null;
}): Reading<FoundIdentity> {
  if (signingKeysFile === null) return valid({ identity: null, warnings: [] });
  const reading = readSigningKeys(signingKeysFile);
  const faults =
    reading.kind === 'invalid' ? reading.faults.map((fault) => `${signingKeysFile} ${fault}`) : [];
  const isPublished = publicUrl?.startsWith('https://') ?? false;
  if (publicUrl !== null && isPublished && reading.kind === 'valid') {
    const { keys, isOpenToOthers } = reading.value;
    return valid({
      identity: { agent: publicUrl, keys },
      warnings: isOpenToOthers
        ? [`${signingKeysFile} can be read by other users of this machine: chmod 600 takes it away from them`]
        : [],
    });
  }
  return invalid(
    ...faults,
    ...(isPublished
      ? []
      : [
          'STAYWIRE_PUBLIC_URL must be set to an https origin: operators look up there the keys that STAYWIRE_SIGNING_KEYS signs with',
        ]),
  );
}

/** Longer than the wait for a connection and than most clock errors; too short to reuse a signature found in a log. */
const LIFE_SECONDS = 300;
const NONCE_BYTES = 16;

const REQUEST_WITH_BODY = [...WHOLE_REQUEST, component('content-digest')];

/** Signs a single request to an operator's server. Returns the headers to send with it. */
export function createRequestSigner(
  { agent, keys: [key] }: OwnIdentity,
  { clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random },
) {
  return (request: {
    readonly method: string;
    readonly url: string;
    readonly body: string | null;
  }): Readonly<Record<string, string>> => {
    const { method, url, body } = request;
    const created = Math.floor(clock.now() / 1000);
    const headers: Readonly<Record<string, string>> =
      body === null ? {} : { 'content-digest': `sha-256=:${hash('sha256', body, 'base64')}:` };
    const signature = signRequest(
      { method, url, headers },
      {
        key,
        agent,
        components: body === null ? WHOLE_REQUEST : REQUEST_WITH_BODY,
        created,
        expires: created + LIFE_SECONDS,
        nonce: random.bytes(NONCE_BYTES).toString('base64url'),
      },
    );
    return { ...headers, ...signature };
  };
}

type SigningKeys = {
  readonly keys: readonly [SignatureKey, ...SignatureKey[]];
  /** Whether other users of the machine may read the file. */
  readonly isOpenToOthers: boolean;
};

/** Two are enough to rotate keys. A directory of this many is still small enough to be sent uncompressed. */
const MAX_SIGNING_KEYS = 8;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Reads a JSON Web Key Set with private keys. A fault completes the sentence "<path> …" and quotes nothing from the file. */
export function readSigningKeys(path: string): Reading<SigningKeys> {
  const entries = entriesIn(path);
  if (entries.kind === 'invalid') return entries;
  const readings = entries.value.map(readEntry);
  const keys = readings.flatMap((reading) => (reading.kind === 'valid' ? [reading.value] : []));
  const faults = readings.flatMap((reading, position) =>
    reading.kind === 'invalid' ? reading.faults.map((fault) => `/keys/${position}: ${fault}`) : [],
  );
  const seen = new Set<string>();
  for (const [position, reading] of readings.entries()) {
    if (reading.kind === 'invalid') continue;
    if (seen.has(reading.value.keyid)) faults.push(`/keys/${position}: is there twice`);
    seen.add(reading.value.keyid);
  }
  const [first, ...rest] = keys;
  if (!first || faults.length > 0) return invalid(...faults);
  const isOpenToOthers = process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0;
  return valid({ keys: [first, ...rest], isOpenToOthers });
}

/** Adds a new key at the end, so that it is published before it signs. Returns its thumbprint and its position. */
export function addSigningKey(
  path: string,
  random: Random,
): Reading<{ readonly keyid: string; readonly position: number }> {
  const { jwk, keyid } = newSigningKey(random);
  if (createFile(path, textOf([jwk]), OWNER_ONLY)) return valid({ keyid, position: 0 });
  const present = readSigningKeys(path);
  if (present.kind === 'invalid') return present;
  const entries = entriesIn(path);
  if (entries.kind === 'invalid') return entries;
  const position = entries.value.length;
  if (position >= MAX_SIGNING_KEYS) {
    return invalid(`has ${MAX_SIGNING_KEYS} keys already: remove those that nothing is signed with any more`);
  }
  replaceFile(path, textOf([...entries.value, jwk]), OWNER_ONLY);
  return valid({ keyid, position });
}

function entriesIn(path: string): Reading<readonly unknown[]> {
  const file = readJsonFile(path);
  if (file.kind === 'invalid') return file;
  const keys: unknown = Reflect.get(Object(file.value), 'keys');
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_SIGNING_KEYS) {
    return invalid(`must hold {"keys": […]} with 1 to ${MAX_SIGNING_KEYS} keys, the first of which signs`);
  }
  return valid(keys);
}

function readEntry(entry: unknown): Reading<SignatureKey> {
  const reading = readPrivateKey(Object(entry));
  if (reading.kind === 'invalid' || reading.value.algorithm !== 'ed25519') {
    return invalid('must be a private Ed25519 key, with kty, crv, x and d');
  }
  if (PUBLISHED_TEST_KEYS.has(reading.value.keyid)) {
    return invalid('is a key of a published example, with which anybody can sign');
  }
  return reading;
}

function textOf(keys: readonly unknown[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** The bytes before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** A private Ed25519 key, as an entry of a JSON Web Key Set. */
export function newSigningKey(random: Random): { readonly jwk: JsonWebKey; readonly keyid: string } {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, random.bytes(SEED_BYTES)]),
    format: 'der',
    type: 'pkcs8',
  });
  const keyid = thumbprintOf(key);
  return { jwk: { ...key.export({ format: 'jwk' }), kid: keyid, use: 'sig' }, keyid };
}

export const KEY_DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

/** The public keys, each with a proof that its owner publishes it here. */
export type KeyDirectory = () => {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

const TAG = 'http-message-signatures-directory';
/** How long verifiers may use their copy of the list. */
const DIRECTORY_LIFE_SECONDS = 7 * 86_400;
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
        ['expires', created + DIRECTORY_LIFE_SECONDS],
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
