import assert from 'node:assert/strict';
import { constants, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  components,
  createSignatureScene,
  SCENE_NOW_SECONDS as NOW,
  SCENE_AGENT,
  SCENE_HOST,
  signedFacts,
} from '../../../test/support/signature-scene.ts';
import {
  newRsaJwk,
  newSigningKey,
  publicHalf,
  type SigningKey,
  signingKeyFrom,
} from '../../../test/support/signing-key.ts';
import type { CallerFacts } from '../caller-facts.ts';
import { type PublicKey, signBase, thumbprintOf } from '../signatures/keys.ts';
import { componentValuesOf, signatureBase } from '../signatures/signature-base.ts';
import { directoryOf, readSignatures } from '../signatures/signature-headers.ts';

/** What comes of it: the kind of outcome, and why. */
type Attack = readonly [name: string, facts: CallerFacts | readonly CallerFacts[], outcome: string];

const scene = createSignatureScene();
const { key, otherKey, directories } = scene;
const KEYID = key.key.keyid;
const ORDER_OF_P256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** RFC 9421, B.1.4. */
const testKey = signingKeyFrom({
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
});
const ecKey = newSigningKey('ecdsa-p256-sha256');
const rsaKey = newSigningKey('rsa-pss-sha512');
const smallRsa = newRsaJwk(1024);
/** The neutral point as a public key: with it, 32 bytes of the same and 32 zeros are a signature of anything. */
const neutralPoint = Buffer.from(`01${'00'.repeat(31)}`, 'hex').toString('base64url');

directories.set(directoryOf('https://many.example'), [
  ecKey.published,
  rsaKey.published,
  testKey.published,
  publicHalf(smallRsa),
  { kty: 'OKP', crv: 'Ed25519', x: neutralPoint },
]);
directories.set('https://agent.example/keys', [key.published]);
directories.set(directoryOf('https://same-key.example'), [key.published]);
const many = 'https://many.example';
const good = signedFacts({ key: key.key });
const agentOf = (facts: CallerFacts) => String(facts.headers['signature-agent']);
const inputOf = (facts: CallerFacts) => String(facts.headers['signature-input']);

/** With headers changed after it was signed. */
function altered(
  facts: CallerFacts,
  headers: CallerFacts['headers'],
  rest: Partial<CallerFacts> = {},
): CallerFacts {
  return { ...facts, ...rest, headers: { ...facts.headers, ...headers } };
}

/** By the same agent, each signature with its nonce. */
function signedTwice(first: string, second: string): CallerFacts {
  const one = signedFacts({ key: key.key, label: 'sig1', nonce: first });
  const other = signedFacts({ key: key.key, label: 'sig2', nonce: second });
  const joined = (name: string) => `${one.headers[name]}, ${other.headers[name]}`;
  return altered(one, {
    'signature-agent': joined('signature-agent'),
    'signature-input': joined('signature-input'),
    signature: joined('signature'),
  });
}

/** A request whose signature headers are written by hand; the signature is right for what they say. */
function handSigned(
  input: string,
  {
    agent = 'sig1="https://agent.example"',
    by = key,
    target = '/ai/v1/search?session=a',
    headers = {},
    make = (base: string) => signBase(by.key, base),
  }: {
    readonly agent?: string;
    readonly by?: SigningKey;
    readonly target?: string;
    readonly headers?: CallerFacts['headers'];
    readonly make?: (base: string) => Uint8Array;
  } = {},
): CallerFacts {
  const sent = { host: SCENE_HOST, 'signature-agent': agent, ...headers };
  const reading = readSignatures({ signatureInput: input, signature: '' });
  const inputs = reading.kind === 'valid' ? reading.value : [];
  const request = { method: 'GET', scheme: 'https', authority: SCENE_HOST, target, headers: sent } as const;
  const signatures = inputs.map(({ label, input: list }) => {
    const base = signatureBase(list, componentValuesOf(request));
    const bytes = base.kind === 'valid' ? make(base.value) : Buffer.alloc(64);
    return `${label}=:${Buffer.from(bytes).toString('base64')}:`;
  });
  return {
    peerAddress: '198.51.100.9',
    method: 'GET',
    target,
    headers: { ...sent, 'signature-input': input, signature: signatures.join(', ') },
  };
}

const COVERED = '"@authority" "signature-agent";key="sig1"';
const PARAMETERS = `created=${NOW - 10};expires=${NOW + 300};keyid="${KEYID}";tag="web-bot-auth"`;
const TARGETS = {
  twice: '/a?x=1&x=2',
  doubleMark: '/a??x=1',
  plus: '/a?x=1+2',
};

const ATTACKS: readonly Attack[] = [
  ['nothing: the request as it was signed', good, 'verified'],
  ['nothing: written by hand', handSigned(`sig1=(${COVERED});${PARAMETERS}`), 'verified'],
  ['nothing: the older form of Signature-Agent', legacy('"https://agent.example"'), 'verified'],
  ['nothing: P-256', signedFacts({ key: ecKey.key, agent: many }), 'verified'],
  ['nothing: RSA-PSS', signedFacts({ key: rsaKey.key, agent: many }), 'verified'],
  [
    'nothing: keys at an address of their own',
    handSigned(`sig1=(${COVERED});${PARAMETERS}`, {
      agent: 'sig1="https://agent.example/keys?v=2";type=jwks_uri',
    }),
    'verified',
  ],
  [
    'nothing: Signature alone, as other protocols send it',
    facts({ signature: 'keyId="a",signature="b"' }),
    'unverified no_signature',
  ],
  [
    'nothing: a signature for somebody else',
    handSigned(`sig1=("@method");created=${NOW}`),
    'unverified no_signature',
  ],

  // What is signed.
  ['another path', altered(good, {}, { target: '/ai/v1/result?session=a' }), 'invalid signature_wrong'],
  ['another query', altered(good, {}, { target: '/ai/v1/search?session=b' }), 'invalid signature_wrong'],
  ['another method', altered(good, {}, { method: 'POST' }), 'invalid signature_wrong'],
  ['another host of ours', altered(good, { host: 'other-network.example' }), 'invalid other_authority'],
  ['no host', altered(good, { host: undefined }), 'invalid other_authority'],
  [
    'another host in the request line',
    altered(good, {}, { target: 'https://evil.example/ai/v1/search?session=a' }),
    'invalid other_authority',
  ],
  [
    'only the method is covered',
    handSigned(`sig1=("@method" "signature-agent";key="sig1");${PARAMETERS}`),
    'invalid authority_not_covered',
  ],
  [
    'the authority is covered in another shape only',
    handSigned(`sig1=("host" "signature-agent";key="sig1");${PARAMETERS}`),
    'invalid authority_not_covered',
  ],
  [
    'a component with a parameter of responses',
    handSigned(`sig1=(${COVERED} "@method";req);${PARAMETERS}`),
    'invalid component_unknown',
  ],
  ['a trailer', handSigned(`sig1=(${COVERED} "host";tr);${PARAMETERS}`), 'invalid component_unknown'],
  [
    'an unknown derived component',
    handSigned(`sig1=(${COVERED} "@body");${PARAMETERS}`),
    'invalid component_unknown',
  ],
  [
    'a component that every object has',
    handSigned(`sig1=(${COVERED} "constructor");${PARAMETERS}`),
    'invalid component_unknown',
  ],
  [
    'the parameters as a component',
    handSigned(`sig1=(${COVERED} "@signature-params");${PARAMETERS}`),
    'invalid component_unknown',
  ],
  [
    'a header that is not there',
    handSigned(`sig1=(${COVERED} "x-absent");${PARAMETERS}`),
    'invalid component_unknown',
  ],
  ['a name in capitals', handSigned(`sig1=(${COVERED} "Host");${PARAMETERS}`), 'invalid component_unknown'],
  [
    'a component twice',
    handSigned(`sig1=(${COVERED} "@method" "@method");${PARAMETERS}`),
    'invalid component_repeated',
  ],
  [
    'a component twice in two spellings',
    handSigned(`sig1=(${COVERED} "signature-agent";sf "signature-agent";sf=?1);${PARAMETERS}`),
    'invalid component_repeated',
  ],
  [
    'sf switched off',
    handSigned(`sig1=(${COVERED} "priority";sf=?0);${PARAMETERS}`, { headers: { priority: 'u=1' } }),
    'invalid component_unknown',
  ],
  [
    'sf of a field without a known type',
    handSigned(`sig1=(${COVERED} "x-list";sf);${PARAMETERS}`, { headers: { 'x-list': '1, 2' } }),
    'invalid component_unknown',
  ],
  [
    'sf of something that cannot be parsed',
    handSigned(`sig1=(${COVERED} "priority";sf);${PARAMETERS}`, { headers: { priority: 'u=' } }),
    'invalid component_unknown',
  ],
  [
    'sf: another spelling of the same value',
    altered(
      handSigned(`sig1=(${COVERED} "priority";sf);${PARAMETERS}`, { headers: { priority: 'u=1,   i' } }),
      { priority: 'u=1, i=?1' },
    ),
    'verified',
  ],
  [
    'sf: another value',
    altered(handSigned(`sig1=(${COVERED} "priority";sf);${PARAMETERS}`, { headers: { priority: 'u=1' } }), {
      priority: 'u=2',
    }),
    'invalid signature_wrong',
  ],
  [
    'another member of a dictionary of which one is covered',
    altered(
      handSigned(`sig1=(${COVERED} "priority";key="u");${PARAMETERS}`, { headers: { priority: 'u=1, i' } }),
      {
        priority: 'u=1, i, u=2',
      },
    ),
    'invalid signature_wrong',
  ],
  [
    'bs: a list of two taken for one',
    altered(
      handSigned(`sig1=(${COVERED} "x-list";bs);${PARAMETERS}`, { headers: { 'x-list': ['a', 'b'] } }),
      {
        'x-list': 'a, b',
      },
    ),
    'invalid signature_wrong',
  ],
  ['a line break in a covered value', lineBreak(), 'invalid component_unknown'],
  [
    'a query parameter that occurs twice',
    handSigned(`sig1=(${COVERED} "@query-param";name="x");${PARAMETERS}`, { target: TARGETS.twice }),
    'invalid component_unknown',
  ],
  [
    'a query parameter without its name',
    handSigned(`sig1=(${COVERED} "@query-param");${PARAMETERS}`, { target: TARGETS.plus }),
    'invalid component_unknown',
  ],
  [
    'a query parameter in another spelling means the same',
    altered(
      handSigned(`sig1=(${COVERED} "@query-param";name="x");${PARAMETERS}`, { target: TARGETS.plus }),
      {},
      { target: '/a?x=1%202' },
    ),
    'verified',
  ],
  [
    'a query parameter behind a second question mark has another name',
    handSigned(`sig1=(${COVERED} "@query-param";name="x");${PARAMETERS}`, { target: TARGETS.doubleMark }),
    'invalid component_unknown',
  ],
  [
    'a second value behind the one that is covered',
    altered(
      handSigned(`sig1=(${COVERED} "@query-param";name="x");${PARAMETERS}`, { target: TARGETS.plus }),
      {},
      { target: `${TARGETS.plus}&%78=3` },
    ),
    'invalid component_unknown',
  ],

  // Who signed.
  [
    'one byte of the signature',
    altered(good, { signature: flipped(String(good.headers.signature)) }),
    'invalid signature_wrong',
  ],
  ['no bytes', altered(good, { signature: 'sig1=::' }), 'invalid signature_wrong'],
  ['a string in place of bytes', altered(good, { signature: 'sig1="AAAA"' }), 'invalid signature_missing'],
  ['no signature under the label', altered(good, { signature: 'sig2=:AAAA:' }), 'invalid signature_missing'],
  ['no Signature at all', altered(good, { signature: undefined }), 'invalid signature_missing'],
  ['a key of another agent', signedFacts({ key: otherKey.key }), 'unverified key_unknown'],
  [
    'the keyid of an agent, signed by another',
    handSigned(`sig1=(${COVERED});${PARAMETERS}`, { by: otherKey }),
    'invalid signature_wrong',
  ],
  [
    'the same key at two addresses, attributed to the one that is not covered',
    altered(good, { 'signature-agent': 'sig1="https://same-key.example"' }),
    'invalid signature_wrong',
  ],
  [
    'an agent that is not registered',
    signedFacts({ key: key.key, agent: 'https://unlisted.example' }),
    'unverified agent_unknown',
  ],
  [
    'an agent by the start of its name',
    signedFacts({ key: key.key, agent: 'https://agent.example.evil.example' }),
    'unverified agent_unknown',
  ],
  [
    'an agent on plain HTTP',
    signedFacts({ key: key.key, agent: 'http://agent.example' }),
    'unverified agent_unreadable',
  ],
  [
    'an agent with a path',
    signedFacts({ key: key.key, agent: 'https://agent.example/evil' }),
    'unverified agent_unreadable',
  ],
  [
    'a kind of key document that we do not read',
    handSigned(`sig1=(${COVERED});${PARAMETERS}`, { agent: 'sig1="https://agent.example";type=cimd' }),
    'unverified agent_unreadable',
  ],
  [
    'no Signature-Agent',
    handSigned(`sig1=("@authority");${PARAMETERS}`, { headers: { 'signature-agent': undefined } }),
    'unverified no_agent',
  ],
  [
    'Signature-Agent added afterwards',
    handSigned(`sig1=("@authority");${PARAMETERS}`),
    'invalid agent_not_covered',
  ],
  [
    'Signature-Agent added afterwards, as a string',
    handSigned(`sig1=("@authority");${PARAMETERS}`, { agent: '"https://agent.example"' }),
    'invalid agent_not_covered',
  ],
  [
    'a member of Signature-Agent added before the one that is covered',
    altered(good, { 'signature-agent': `sig0="https://other.example", ${agentOf(good)}` }),
    'verified',
  ],
  [
    'a member of Signature-Agent twice',
    altered(good, { 'signature-agent': `sig1="https://other.example", ${agentOf(good)}` }),
    'invalid malformed',
  ],
  [
    'Signature-Agent that cannot be parsed',
    altered(good, { 'signature-agent': 'https://agent.example' }),
    'invalid malformed',
  ],
  [
    'two agents, none of which has the label',
    handSigned(`sig1=("@authority" "signature-agent";key="a" "signature-agent";key="b");${PARAMETERS}`, {
      agent: 'a="https://agent.example", b="https://other.example"',
    }),
    'unverified agent_ambiguous',
  ],
  [
    'no keyid',
    handSigned(`sig1=(${COVERED});created=${NOW - 10};expires=${NOW + 300};tag="web-bot-auth"`),
    'invalid keyid_missing',
  ],
  ['a test key of RFC 9421', signedFacts({ key: testKey.key, agent: many }), 'invalid test_key'],
  [
    'an RSA key of 1,024 bits',
    handSigned(manyInput(keyidOf(publicHalf(smallRsa))), { agent: `sig1="${many}"` }),
    'unverified key_unknown',
  ],
  [
    'a signature that fits any text under a key of small order',
    handSigned(manyInput(keyidOf({ kty: 'OKP', crv: 'Ed25519', x: neutralPoint })), {
      agent: `sig1="${many}"`,
      make: () => Buffer.from(`01${'00'.repeat(63)}`, 'hex'),
    }),
    'invalid signature_wrong',
  ],

  // With which algorithm.
  [
    'the name of another algorithm',
    handSigned(`sig1=(${COVERED});${PARAMETERS};alg="rsa-pss-sha512"`),
    'invalid alg_mismatch',
  ],
  [
    'an algorithm that is not a text',
    handSigned(`sig1=(${COVERED});${PARAMETERS};alg`),
    'invalid alg_mismatch',
  ],
  [
    'HMAC with the public key as its secret',
    handSigned(`sig1=(${COVERED});${PARAMETERS};alg="hmac-sha256"`, { make: hmac }),
    'invalid alg_mismatch',
  ],
  [
    'HMAC that does not name itself',
    handSigned(`sig1=(${COVERED});${PARAMETERS}`, { make: hmac }),
    'invalid signature_wrong',
  ],
  [
    'RSA with the padding of version 1.5',
    handSigned(manyInput(rsaKey.key.keyid), {
      agent: `sig1="${many}"`,
      make: (base) => sign('sha256', Buffer.from(base), rsaKey.key.key),
    }),
    'invalid signature_wrong',
  ],
  [
    'RSA-PSS with another digest',
    handSigned(manyInput(rsaKey.key.keyid), {
      agent: `sig1="${many}"`,
      make: (base) =>
        sign('sha256', Buffer.from(base), {
          key: rsaKey.key.key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: 32,
        }),
    }),
    'invalid signature_wrong',
  ],
  [
    'P-256 in DER',
    handSigned(manyInput(ecKey.key.keyid), {
      agent: `sig1="${many}"`,
      make: (base) => sign('sha256', Buffer.from(base), createPrivateKey({ key: ecKey.jwk, format: 'jwk' })),
    }),
    'invalid signature_wrong',
  ],
  [
    'P-256 of zeros',
    handSigned(manyInput(ecKey.key.keyid), { agent: `sig1="${many}"`, make: () => Buffer.alloc(64) }),
    'invalid signature_wrong',
  ],
  [
    'the other P-256 signature of the same text, with its nonce used before',
    [signedP256('used'), mirrored(signedP256('used'))],
    'replayed',
  ],

  // When.
  ['expired', signedFacts({ key: key.key, created: NOW - 300, expires: NOW - 30 }), 'invalid expired'],
  [
    'expired within the difference of clocks',
    signedFacts({ key: key.key, created: NOW - 300, expires: NOW - 29 }),
    'verified',
  ],
  ['created in the future', signedFacts({ key: key.key, created: NOW + 31 }), 'invalid created_in_future'],
  [
    'created in the future within the difference of clocks',
    signedFacts({ key: key.key, created: NOW + 30 }),
    'verified',
  ],
  [
    'expires before it is created',
    signedFacts({ key: key.key, created: NOW, expires: NOW }),
    'invalid expires_before_created',
  ],
  [
    'a life of more than a day',
    signedFacts({ key: key.key, created: NOW - 10, expires: NOW - 9 + 86_400 }),
    'invalid life_too_long',
  ],
  [
    'a life of a day',
    signedFacts({ key: key.key, created: NOW - 10, expires: NOW - 10 + 86_400 }),
    'verified',
  ],
  [
    'no expiry',
    handSigned(`sig1=(${COVERED});created=${NOW};keyid="${KEYID}";tag="web-bot-auth"`),
    'invalid expires_missing',
  ],
  [
    'no creation',
    handSigned(`sig1=(${COVERED});expires=${NOW + 9};keyid="${KEYID}";tag="web-bot-auth"`),
    'invalid created_missing',
  ],
  [
    'times that are texts',
    handSigned(`sig1=(${COVERED});created="1";expires="2";keyid="${KEYID}";tag="web-bot-auth"`),
    'invalid created_missing',
  ],
  [
    'a later expiry',
    altered(good, {
      'signature-input': inputOf(good).replace(`expires=${NOW + 300}`, `expires=${NOW + 301}`),
    }),
    'invalid signature_wrong',
  ],
  [
    'an expiry added in front',
    altered(good, { 'signature-input': inputOf(good).replace(';created', `;expires=${NOW + 900};created`) }),
    'invalid signature_wrong',
  ],
  [
    'a nonce used twice',
    [signedFacts({ key: key.key, nonce: 'twice' }), signedFacts({ key: key.key, nonce: 'twice' })],
    'replayed',
  ],
  [
    'a nonce used twice, the second time in another request',
    [
      signedFacts({ key: key.key, nonce: 'again' }),
      signedFacts({ key: key.key, nonce: 'again' }, { target: '/x' }),
    ],
    'replayed',
  ],
  [
    'two signatures, each with a nonce, sent again',
    [signedTwice('first', 'second'), signedTwice('first', 'second')],
    'replayed',
  ],
  [
    'the second signature of a request that was accepted for its first, by itself',
    [signedTwice('of both', 'of one'), signedFacts({ key: key.key, label: 'sig2', nonce: 'of one' })],
    'replayed',
  ],
  [
    'a used signature beside a new one',
    [signedFacts({ key: key.key, nonce: 'old' }), signedTwice('new', 'old')],
    'replayed',
  ],
  [
    'the nonce of another agent',
    [
      signedFacts({ key: key.key, nonce: 'shared' }),
      signedFacts({ key: otherKey.key, agent: 'https://other.example', nonce: 'shared' }),
    ],
    'verified',
  ],
  [
    'a nonce taken away',
    altered(signedFacts({ key: key.key, nonce: 'gone' }), withoutNonce('gone')),
    'invalid signature_wrong',
  ],
  [
    'a nonce that is older than nonces are remembered',
    signedFacts({ key: key.key, created: NOW - 631, nonce: 'old' }),
    'invalid nonce_too_old',
  ],
  [
    'a nonce as old as nonces are remembered',
    signedFacts({ key: key.key, created: NOW - 630, nonce: 'old enough' }),
    'verified',
  ],
  ['an empty nonce', handSigned(`sig1=(${COVERED});${PARAMETERS};nonce=""`), 'invalid nonce_malformed'],
  [
    'a nonce that is not a text',
    handSigned(`sig1=(${COVERED});${PARAMETERS};nonce=1`),
    'invalid nonce_malformed',
  ],
  [
    'a nonce of a kilobyte',
    handSigned(`sig1=(${COVERED});${PARAMETERS};nonce="${'n'.repeat(1024)}"`),
    'invalid nonce_malformed',
  ],

  // How many, and how long.
  [
    'the signature of a proxy beside that of an assistant, unknown to us',
    withSecond(
      good,
      handSigned(`proxy=("@authority" "signature-agent";key="proxy");${PARAMETERS}`, {
        agent: 'proxy="https://proxy.example"',
      }),
    ),
    'verified',
  ],
  [
    'a wrong signature before a right one',
    withSecond(
      altered(good, {}),
      {
        ...good,
        headers: {
          ...good.headers,
          'signature-input': inputOf(good).replace('sig1=', 'sig2='),
          signature: flipped(String(good.headers.signature)).replace('sig1=', 'sig2='),
        },
      },
      { isFirst: true },
    ),
    'verified',
  ],
  [
    'a wrong signature of a known agent beside one of an unknown agent',
    withSecond(
      signedFacts({ key: key.key, agent: 'https://unlisted.example', label: 'sig2' }),
      altered(good, { signature: flipped(String(good.headers.signature)) }),
    ),
    'invalid signature_wrong',
  ],
  [
    'a label twice',
    altered(good, { 'signature-input': `${inputOf(good)}, ${inputOf(good)}` }),
    'invalid malformed',
  ],
  [
    'a label twice in Signature',
    altered(good, { signature: `sig1=:AAAA:, ${good.headers.signature}` }),
    'invalid malformed',
  ],
  [
    'a label twice, hidden behind a display string',
    altered(good, { 'signature-input': `${inputOf(good)}, x=%"\\", ${inputOf(good)}` }),
    'invalid malformed',
  ],
  ['five signatures', fiveSignatures(), 'invalid too_many_signatures'],
  [
    'nine labels',
    altered(good, {
      'signature-input': `${inputOf(good)}${', a=()'.replace('a', 'l0')}${Array.from({ length: 8 }, (_, at) => `, m${at}=()`).join('')}`,
    }),
    'invalid too_many_signatures',
  ],
  [
    '33 components',
    handSigned(
      `sig1=(${COVERED} ${Array.from({ length: 31 }, (_, at) => `"x-${at}"`).join(' ')});${PARAMETERS}`,
    ),
    'invalid too_many_components',
  ],
  [
    'a Signature-Input of 9,000 characters',
    altered(good, { 'signature-input': `${inputOf(good)};x="${'a'.repeat(9000)}"` }),
    'invalid headers_too_long',
  ],
  [
    'a Signature of 9,000 characters',
    altered(good, { signature: `sig1=:${'A'.repeat(9000)}:` }),
    'invalid headers_too_long',
  ],
  [
    'a Signature-Agent of 9,000 characters',
    altered(good, { 'signature-agent': `sig1="https://${'a'.repeat(9000)}"` }),
    'invalid headers_too_long',
  ],
  [
    'covered values of more than 32 KiB',
    handSigned(`sig1=(${COVERED} "x-a" "x-a";bs);${PARAMETERS}`, { headers: { 'x-a': 'a'.repeat(16_000) } }),
    'invalid base_too_long',
  ],
  [
    'an inner list that is not closed',
    altered(good, { 'signature-input': 'sig1=("@authority"' }),
    'invalid malformed',
  ],
  [
    'a member that is no list of components',
    altered(good, { 'signature-input': 'sig1="@authority"' }),
    'invalid malformed',
  ],
  ['bytes outside of ASCII', altered(good, { 'signature-input': `${inputOf(good)};é` }), 'invalid malformed'],
  ['no Signature-Input', altered(good, { 'signature-input': undefined }), 'unverified no_signature'],
  ['an empty Signature-Input', altered(good, { 'signature-input': '' }), 'unverified no_signature'],
];

describe('signatures under attack', () => {
  for (const [name, requests, outcome] of ATTACKS) {
    it(`${name}: ${outcome}`, async () => {
      const inOrder = Array.isArray(requests)
        ? (requests as readonly CallerFacts[])
        : [requests as CallerFacts];
      const outcomes = [];
      for (const request of inOrder) outcomes.push(await scene.verify(request));
      const last = outcomes.at(-1);
      assert.ok(last);
      assert.equal('why' in last ? `${last.kind} ${last.why}` : last.kind, outcome);
      for (const earlier of outcomes.slice(0, -1)) assert.equal(earlier.kind, 'verified');
    });
  }

  it('have each a name of its own', () => {
    assert.equal(new Set(ATTACKS.map(([name]) => name)).size, ATTACKS.length);
  });

  it('are attributed to the address that the key is published at', async () => {
    const keysUrl = directoryOf(SCENE_AGENT);
    assert.deepEqual(await scene.verify(good), { kind: 'verified', keysUrl, keyid: KEYID });
    const wrong = await scene.verify(altered(good, {}, { target: '/other' }));
    assert.deepEqual(wrong, { kind: 'invalid', why: 'signature_wrong', keysUrl });
  });
});

function facts(headers: CallerFacts['headers']): CallerFacts {
  return {
    peerAddress: '198.51.100.9',
    method: 'GET',
    target: '/',
    headers: { host: SCENE_HOST, ...headers },
  };
}

function legacy(agent: string): CallerFacts {
  return handSigned(`sig1=("@authority" "signature-agent");${PARAMETERS}`, { agent });
}

function manyInput(keyid: string): string {
  return `sig1=(${COVERED});created=${NOW - 10};expires=${NOW + 300};keyid="${keyid}";tag="web-bot-auth"`;
}

function keyidOf(jwk: PublicKey): string {
  return thumbprintOf(createPublicKey({ key: { ...jwk }, format: 'jwk' }));
}

/** HMAC as a confused verifier would compute it, which everybody can who has the public key. */
function hmac(base: string): Uint8Array {
  return createHmac('sha256', Buffer.from(key.jwk.x ?? '', 'base64url'))
    .update(base)
    .digest();
}

function signedP256(nonce: string): CallerFacts {
  return signedFacts({ key: ecKey.key, agent: many, nonce, components: components('@authority') });
}

/** The second number of the signature taken from the order of the curve: as good a signature, with other bytes. */
function mirrored(request: CallerFacts): CallerFacts {
  const bytes = Buffer.from(String(request.headers.signature).split(':')[1] ?? '', 'base64');
  const second = ORDER_OF_P256 - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const signature = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(second.toString(16).padStart(64, '0'), 'hex'),
  ]);
  return altered(request, { signature: `sig1=:${signature.toString('base64')}:` });
}

function flipped(signature: string): string {
  const [label, bytes = ''] = signature.split(':');
  const changed = Buffer.from(bytes, 'base64');
  changed[0] = (changed[0] ?? 0) ^ 1;
  return `${label}:${changed.toString('base64')}:`;
}

function withoutNonce(nonce: string): CallerFacts['headers'] {
  const signed = signedFacts({ key: key.key, nonce });
  return { ...signed.headers, 'signature-input': inputOf(signed).replace(`;nonce="${nonce}"`, '') };
}

function withSecond(
  one: CallerFacts,
  other: CallerFacts,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): CallerFacts {
  const joined = (name: string) => {
    const both = [one, other].map(({ headers }) => String(headers[name]));
    const inOrder = isFirst ? both.toReversed() : both;
    return [...new Set(inOrder)].join(', ');
  };
  const headers = {
    'signature-input': joined('signature-input'),
    signature: joined('signature'),
    'signature-agent': joined('signature-agent'),
  };
  return altered(one, headers);
}

function fiveSignatures(): CallerFacts {
  const labels = ['a', 'b', 'c', 'd', 'e'];
  const header = (name: string, facts: CallerFacts) =>
    labels.map((label) => String(facts.headers[name]).replace('sig1=', `${label}=`)).join(', ');
  return altered(good, {
    'signature-input': header('signature-input', good),
    signature: header('signature', good),
  });
}

/** What Node would never let through, for readers of other origin. */
function lineBreak(): CallerFacts {
  return handSigned(`sig1=(${COVERED} "x-a");${PARAMETERS}`, { headers: { 'x-a': 'a\n"@method": POST' } });
}
