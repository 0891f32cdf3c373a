import { readPublicKey, type SignatureKey } from '../../signatures/keys.ts';
import { PUBLISHED_TEST_KEYS } from '../../signatures/published-test-keys.ts';
import type { PublicKey } from '../access-list.ts';
import type { InvalidSignature } from '../signature-verifier.ts';

/** The keys of one document by their thumbprints, or why one of them is not used. */
export type KeyRing = {
  /** No other ring has it, not even one of the same keys. */
  readonly serial: number;
  readonly keys: ReadonlyMap<string, KeyInRing>;
};

export type KeyInRing =
  | { readonly kind: 'usable'; readonly key: SignatureKey }
  | { readonly kind: 'refused'; readonly why: InvalidSignature };

/** Keys are read once for each list of them that is handed in, at the first signature that needs one. */
export function createKeyRings() {
  const rings = new WeakMap<readonly PublicKey[], KeyRing>();
  let made = 0;

  return (published: readonly PublicKey[]): KeyRing => {
    const known = rings.get(published);
    if (known) return known;
    made += 1;
    const ring = { serial: made, keys: new Map(published.flatMap(keyInRing)) };
    rings.set(published, ring);
    return ring;
  };

  function keyInRing(published: PublicKey): readonly (readonly [string, KeyInRing])[] {
    const reading = readPublicKey({ ...published });
    // Of a key that nobody should use nothing is known, as of one that was never published.
    if (reading.kind === 'invalid') return [];
    const { keyid } = reading.value;
    const isTestKey = PUBLISHED_TEST_KEYS.has(keyid);
    return [[keyid, isTestKey ? TEST_KEY : { kind: 'usable', key: reading.value }]];
  }
}

/** Anybody can sign with keys that are printed in standards. */
const TEST_KEY: KeyInRing = { kind: 'refused', why: 'test_key' };
