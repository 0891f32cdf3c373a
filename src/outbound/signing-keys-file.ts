import { statSync } from 'node:fs';
import { readPrivateKey, type SignatureKey } from '../access/signatures/keys.ts';
import { PUBLISHED_TEST_KEYS } from '../access/signatures/published-test-keys.ts';
import { readJsonFile } from '../parsing/read-file.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { createFile, replaceFile } from '../parsing/replace-file.ts';
import type { Random } from '../random.ts';
import { newSigningKey } from './new-signing-key.ts';

type SigningKeys = {
  readonly keys: readonly [SignatureKey, ...SignatureKey[]];
  /** Whether other users of the machine may read the file. */
  readonly isOpenToOthers: boolean;
};

/** Two are enough to change from one to the next. The directory of this many is still sent as it is, and not compressed. */
export const MAX_SIGNING_KEYS = 8;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** A JSON Web Key Set with private keys. A fault completes the sentence "<path> …", and repeats nothing of the file. */
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

/** Adds a new key at the end, so that it is published before it is signed with. Returns its thumbprint and its place. */
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
