import assert from 'node:assert/strict';
import { httpbis, type Request } from 'http-message-signatures';
import {
  type InnerList,
  isInnerList,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';
import type { CallerFacts } from '../../src/access/caller-facts.ts';
import type { PublicKey } from '../../src/access/signatures/keys.ts';
import { isSignedBy, readPublicKey } from '../../src/access/signatures/keys.ts';
import { component } from '../../src/access/signatures/sign-request.ts';
import { directoryOf, MAX_COMPONENTS, MAX_LABELS } from '../../src/access/signatures/signature-headers.ts';
import { createSignatureScene, SCENE_AGENT, SCENE_HOST, signedFacts } from '../support/signature-scene.ts';
import { newSigningKey } from '../support/signing-key.ts';
import type { InputRandom } from './input-random.ts';
import { oddText } from './odd-json.ts';
import type { FuzzTarget, Timed } from './run-target.ts';

const NAMES = ['signature-input', 'signature', 'signature-agent'] as const;
const ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512'] as const;
/** What the grammar of the three headers is made of, in the right and the wrong place. */
const PIECES: readonly string[] = [
  ...[
    '"',
    '\\',
    '\\"',
    '(',
    ')',
    ';',
    '=',
    ',',
    ', ',
    ':',
    '::',
    ' ',
    '\t',
    '*',
    '?',
    '?0',
    '@',
    '%"',
    '-',
    '.',
  ],
  ...['0', '-0', '1.0', '999999999999999', '9999999999999999', '1e5', 'A', 'é', '\0', '\n'],
  ...[
    '\r\n "@method": POST',
    'sig1',
    'sig1=',
    'sig2=()',
    'sig1=("@authority")',
    '"@target-uri"',
    '"@method"',
  ],
  ...['"@query-param";name="session"', '"signature-agent";key="sig1"', '"signature-agent";sf', '"host";bs'],
  ...['"signature";key="sig1"', '"x";req', '"x";tr', '"@status"', '"constructor"', '"__proto__"', '""'],
  ...[';created', ';created=1800000000', ';expires=1800000300', ';expires=-1', ';keyid="x"', ';nonce'],
  ...[';alg="hmac-sha256"', ';nonce="a"', ';tag="web-bot-auth"', ';tag="x"', ':AAAA:', ':=:', ':AA'],
  ...['"https://agent.example"', '"https://other.example"', '"http://[::1]"', ';type="directory"'],
];
/** Grammar that is nested or repeated for as long as a header may be. */
const REPEATED = ['(', ')', '"@method" ', ';a', ';a=1', ', a=()', 'a,', ':', '"', '\\"', '%', '=', '*'];

/**
 * Signature headers: right ones, with pieces of their grammar changed, left out, repeated or exchanged between them, and random
 * bytes. What is verified must be verified by another implementation too.
 */
export const signatures: FuzzTarget = {
  name: 'signatures',
  weight: 10,
  maxCpuMs: 50,
  async open() {
    const { key, otherKey, directories, verify, nonces } = createSignatureScene();
    const keys = ALGORITHMS.map((algorithm) => newSigningKey(algorithm));
    directories.set(
      directoryOf(SCENE_AGENT),
      [key, ...keys].map(({ published }) => published),
    );
    const covered = ['@authority', '@method', '@path', '@query'].map((name) => component(name));
    const signed = [
      ...keys.map((one) => signedFacts({ key: one.key })),
      signedFacts({ key: key.key, components: [component('@target-uri')], label: 'x' }),
      signedFacts({ key: key.key, components: [...covered, component('@query-param', { name: 'session' })] }),
      signedFacts({ key: key.key, nonce: 'once' }),
      signedFacts({ key: otherKey.key, agent: 'https://other.example' }),
      signedFacts({ key: newSigningKey('ed25519').key }),
    ];
    for (const facts of signed) await verify(facts);
    const noncesBefore = nonces.size;

    return {
      async run(random: InputRandom, timed: Timed) {
        const facts = changed(random.pick(signed), signed, random);
        const outcome = await timed(() => verify(facts), lengthOf(facts));
        if (outcome.kind === 'verified') {
          const published = directories.get(outcome.keysUrl) ?? [];
          assert.ok(isSignedByOneOf(published, facts), 'verified, though nobody signed it');
        }
        // What strangers send fills nothing.
        assert.ok(nonces.size <= noncesBefore);
      },
    };
  },
};

function changed(facts: CallerFacts, all: readonly CallerFacts[], random: InputRandom): CallerFacts {
  const headers: Record<string, string | string[] | undefined> = { ...facts.headers };
  for (let change = random.oneIn(50) ? 0 : 1 + random.integer(3); change > 0; change -= 1) {
    const name = random.pick(NAMES);
    headers[name] = changedHeader(String(headers[name] ?? ''), name, all, random);
  }
  // A header that was sent several times, and one that was not.
  const name = random.pick(NAMES);
  if (random.oneIn(40)) headers[name] = String(headers[name] ?? '').split(', ');
  if (random.oneIn(40)) delete headers[name];
  if (random.oneIn(40)) headers.host = random.pick([`${SCENE_HOST}:443`, oddText(random), 'evil.example']);
  const target = random.oneIn(40) ? random.pick(['/', '*', '//', '?', oddText(random)]) : facts.target;
  return { ...facts, target, headers };
}

function changedHeader(text: string, name: string, all: readonly CallerFacts[], random: InputRandom): string {
  const at = random.integer(text.length + 1);
  const [before, part, rest] = [text.slice(0, at), text.slice(at, at + random.integer(12)), text.slice(at)];
  const after = rest.slice(part.length);
  const makers: readonly (() => string)[] = [
    () => bytes(random, 1 + random.integer(300)),
    () => String(random.pick(all).headers[random.oneIn(4) ? random.pick(NAMES) : name]),
    () => `${text}, ${random.pick(all).headers[name]}`,
    () => text + random.pick(REPEATED).repeat(1 + random.integer(random.oneIn(20) ? 3000 : 60)),
    () => before + part.repeat(random.integer(MAX_LABELS + MAX_COMPONENTS)) + after,
    () => before + oddText(random) + after,
    () => before + bytes(random, 1 + random.integer(4)) + after,
    () => before + random.pick(PIECES) + after,
    () => before + random.pick(PIECES) + rest,
  ];
  return random.pick(makers)();
}

function bytes(random: InputRandom, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => random.integer(256)));
}

/** The same question to another implementation, which has no rules about time, agents and coverage. */
function isSignedByOneOf(published: readonly PublicKey[], { method, target, headers }: CallerFacts): boolean {
  const message = { method, url: `https://${SCENE_HOST}${target}`, headers: defined(headers) };
  const signatures = parseDictionary(textOf(headers.signature));
  return [...parseDictionary(textOf(headers['signature-input']))].some(([label, input]) => {
    const [bytes] = signatures.get(label) ?? [];
    if (!isInnerList(input) || !(bytes instanceof ArrayBuffer)) return false;
    const base = baseByOthers(input, message);
    if (base === null) return false;
    return published.some((jwk) => {
      const reading = readPublicKey({ ...jwk });
      return reading.kind === 'valid' && isSignedBy(reading.value, base, new Uint8Array(bytes));
    });
  });
}

/** Null for a signature that covers what is not there, of which that implementation throws. */
function baseByOthers(input: InnerList, message: Request): string | null {
  try {
    const fields = input[0].map((item) => serializeItem(item));
    const lines = httpbis.createSignatureBase({ fields }, message);
    return httpbis.formatSignatureBase([...lines, ['"@signature-params"', [serializeInnerList(input)]]]);
  } catch {
    return null;
  }
}

function defined(headers: CallerFacts['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: string | string[] | undefined): string {
  return [value ?? ''].flat().join(', ');
}

function lengthOf({ headers }: CallerFacts): number {
  return Object.values(headers).flat().join('').length;
}
