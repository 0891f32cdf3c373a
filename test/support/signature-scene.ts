import type { Item } from 'structured-headers';
import type { CallerFacts } from '../../src/access/caller-facts.ts';
import type { PublicKey } from '../../src/access/signatures/keys.ts';
import { type SigningOptions, signRequest } from '../../src/access/signatures/sign-request.ts';
import { directoryOf } from '../../src/access/signatures/signature-headers.ts';
import {
  createSignatureVerifier,
  type SignatureVerifierOptions,
} from '../../src/access/web-bot-auth/signature-verifier.ts';
import { createNoncesInMemory } from '../../src/access/web-bot-auth/used-nonces.ts';
import { createFakeClock } from './fake-clock.ts';
import { newSigningKey } from './signing-key.ts';

export const SCENE_HOST = 'stays.example';
export const SCENE_NOW_SECONDS = 1_800_000_000;
export const SCENE_AGENT = 'https://agent.example';

/** A verifier at a fixed time that knows two agents, each with its own key. */
export function createSignatureScene(overrides: Partial<SignatureVerifierOptions> = {}) {
  const clock = createFakeClock(SCENE_NOW_SECONDS * 1000);
  const key = newSigningKey('ed25519');
  const otherKey = newSigningKey('ed25519');
  const directories = new Map<string, readonly PublicKey[]>([
    [directoryOf(SCENE_AGENT), [key.published]],
    [directoryOf('https://other.example'), [otherKey.published]],
  ]);
  const nonces = createNoncesInMemory(clock);
  const verify = createSignatureVerifier({
    keysAt: (url) => directories.get(url),
    origins: [`https://${SCENE_HOST}`],
    nonces,
    clock,
    ...overrides,
  });
  return { clock, key, otherKey, directories, nonces, verify };
}

/** A request to the scene's host as it arrives, signed. */
export function signedFacts(
  options: Partial<SigningOptions> & Pick<SigningOptions, 'key'>,
  { target = '/ai/v1/search?session=a', method = 'GET', headers = {} as CallerFacts['headers'] } = {},
): CallerFacts {
  const signed = signRequest(
    { method, url: `https://${SCENE_HOST}${target}`, headers },
    {
      agent: SCENE_AGENT,
      created: SCENE_NOW_SECONDS - 10,
      expires: SCENE_NOW_SECONDS + 300,
      ...options,
    },
  );
  return {
    peerAddress: '198.51.100.9',
    method,
    target,
    headers: { host: SCENE_HOST, ...headers, ...signed },
  };
}

/** Components by their names alone. */
export function components(...names: readonly string[]): readonly Item[] {
  return names.map((name) => [name, new Map()]);
}
