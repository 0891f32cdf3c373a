import { createHash } from 'node:crypto';
import { readPrivateKey, type SignatureKey } from '../../src/access/signatures/keys.ts';
import type { OwnIdentity } from '../../src/outbound/signing.ts';
import { newSigningKey } from '../../src/outbound/signing.ts';
import type { Random } from '../../src/random.ts';

export const AGENT = 'https://stays.example';

/** The same key for the same name, every time. */
export function sampleKey(name: string): SignatureKey & { readonly secret: string } {
  const { jwk } = newSigningKey(bytesOf(name));
  const reading = readPrivateKey(jwk);
  if (reading.kind === 'invalid') throw new Error(JSON.stringify(reading.faults));
  return { ...reading.value, secret: String(jwk.d) };
}

export function sampleIdentity(first = 'first', ...others: readonly string[]): OwnIdentity {
  return { agent: AGENT, keys: [sampleKey(first), ...others.map(sampleKey)] };
}

/** Bytes that follow from the text. */
export function bytesOf(text: string): Random {
  return {
    bytes: (count) => createHash('shake256', { outputLength: count }).update(text).digest(),
  };
}
