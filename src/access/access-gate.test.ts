import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accessListOf } from '../../test/support/access-list-of.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { registryOf } from '../../test/support/registry-of.ts';
import { LOOPBACK_NETWORKS } from '../parsing/ip-address.ts';
import { type AccessGate, createAccessGate } from './access-gate.ts';
import type { AccessList } from './access-list.ts';
import type { CallerFacts, ConnectionFacts } from './caller-facts.ts';
import { describeAssistantRegistry, registryFor } from './registry/assistant-registry.ts';
import type { Resolver } from './reverse-dns.ts';
import { directoryOf } from './signatures/signature-headers.ts';
import type { SignatureOutcome } from './web-bot-auth/signature-rules.ts';

const clock = createFakeClock(1_800_000_000_000);

const reading = describeAssistantRegistry(
  {
    assistants: [
      {
        id: 'acme',
        name: 'Acme',
        status: 'approved',
        recognised_by: [
          { signature_agent: 'https://agent.acme.example' },
          { user_agent: 'Acme-User', ranges: ['203.0.113.0/28', '2001:db8:ac::/48'] },
        ],
      },
      {
        id: 'named',
        name: 'Named',
        status: 'approved',
        recognised_by: [{ user_agent: 'NamedBot', reverse_dns: ['fetch.example'] }],
      },
      {
        id: 'resting',
        name: 'Resting',
        status: 'suspended',
        recognised_by: [
          { signature_agent: 'https://resting.example' },
          { user_agent: 'Resting', ranges: ['10.1.0.0/16'] },
          { network: ['10.9.0.0/16'] },
        ],
      },
      {
        id: 'office',
        name: 'Office',
        status: 'approved',
        recognised_by: [{ network: ['10.0.0.0/8', '127.0.0.1'] }],
      },
    ],
  },
  () => assert.fail('no file is named'),
);
assert.equal(reading.kind, 'valid');
const accessList = accessListOf(reading.value);

const names: Resolver = {
  async reverse(address) {
    return address === '198.51.100.5' ? ['a.fetch.example'] : ['other.example'];
  },
  async forward() {
    return ['198.51.100.5'];
  },
};

const gate = told(createAccessGate({ accessList, trustedProxies: ['192.0.2.1'], resolver: names, clock }));
const loopbackGate = told(
  createAccessGate({
    accessList: accessListOf(registryFor(null, LOOPBACK_NETWORKS)),
    trustedProxies: [],
    clock,
  }),
);

type Told = {
  readonly kind: 'approved' | 'refused';
  readonly assistant?: string;
  readonly reason?: string;
  readonly address: string;
};

/** What callers are told of the decision; of their requests only where they come from and the headers matter here. */
function told(judge: AccessGate): (facts: ConnectionFacts) => Promise<Told> {
  return async (facts) => {
    const decision = await judge({ method: 'GET', target: '/ai/v1/schema', ...facts });
    const { kind, address } = decision;
    return decision.kind === 'approved'
      ? { kind, assistant: decision.assistant, address }
      : { kind, reason: decision.reason, address };
  };
}

const approved = (assistant: string, address: string): Told => ({ kind: 'approved', assistant, address });
const refused = (address: string): Told => ({ kind: 'refused', reason: 'not_approved', address });
const endUser = (address: string): Told => ({ kind: 'refused', reason: 'end_user_access', address });

const acmeAgent = 'Mozilla/5.0 (compatible; Acme-User/1.0; +https://acme.example/bot)';

/** On plain HTTP to another machine browsers send no `Sec-Fetch` headers. */
const ASKED_BY_BROWSERS: readonly (readonly [what: string, headers: CallerFacts['headers']])[] = [
  ...[
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'image/*;q=0.8,*/*;q=0.5',
    'text/css,*/*;q=0.1',
    'text/javascript, application/javascript, */*;q=0.01',
    'audio/webm,audio/ogg,audio/wav,audio/*;q=0.9,application/ogg;q=0.7,video/*;q=0.6,*/*;q=0.5',
    'video/webm,video/ogg,video/*;q=0.9,*/*;q=0.5',
    'IMAGE/PNG, application/json',
    '*/*, image/*',
  ].map((accept) => [accept, { accept }] as const),
  ['a page that names itself', { accept: '*/*', referer: 'http://evil.example/' }],
  ['a page that names itself, and JSON', { accept: 'application/json', referer: 'http://evil.example/' }],
  ['an address that is opened', { accept: 'text/html,image/avif,*/*', 'upgrade-insecure-requests': '1' }],
];
const ASKED_BY_PROGRAMS = [
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'application/json, text/html;q=0.5',
  'application/problem+json, text/html',
  'text/markdown, text/html, */*',
  // Fetch tools of assistants ask as a browser would.
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'text/plain',
  '',
] as const;

type GateCase = readonly [why: string, peer: string, headers: CallerFacts['headers'], decision: Told];

/** Headers are separated by `&&`; ACME is the User-Agent of the assistant `acme`. The end is who is approved, `refused` or a `browser`. */
const ROWS = `
token and range | 203.0.113.7 | user-agent: ACME | acme as 203.0.113.7
token in another case | 203.0.113.7 | user-agent: acme-user | acme as 203.0.113.7
token and IPv6 range | 2001:db8:ac::1 | user-agent: ACME | acme as 2001:db8:ac::1
token and mapped address | ::ffff:203.0.113.7 | user-agent: ACME | acme as 203.0.113.7
range without the token | 203.0.113.7 | user-agent: curl/8.0 | refused as 203.0.113.7
range without any User-Agent | 203.0.113.7 |  | refused as 203.0.113.7
a longer token is another token | 203.0.113.7 | user-agent: Acme-Users/1.0 | refused as 203.0.113.7
a prefixed token is another token | 203.0.113.7 | user-agent: Not-Acme-User | refused as 203.0.113.7
token without the range | 203.0.113.16 | user-agent: ACME | refused as 203.0.113.16
token and range behind a listed proxy | 192.0.2.1 | user-agent: ACME && x-forwarded-for: 203.0.113.7 | acme as 203.0.113.7
a range claimed through an unlisted proxy | 192.0.2.2 | user-agent: ACME && x-forwarded-for: 203.0.113.7 | refused as 192.0.2.2
the assistant’s own proxy headers do not harm it | 203.0.113.7 | user-agent: ACME && via: 1.1 egress | acme as 203.0.113.7
trusted network | 10.2.3.4 |  | office as 10.2.3.4
trusted network through an unlisted proxy | 10.2.3.4 | forwarded: for=10.2.3.5 | refused as 10.2.3.4
loopback through an unlisted proxy | 127.0.0.1 | x-forwarded-for: 127.0.0.1 | refused as 127.0.0.1
a trace shows no proxy | 10.2.3.4 | traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 && x-request-id: 1 | office as 10.2.3.4
a stranger | 198.51.100.9 |  | refused as 198.51.100.9
suspended, by range, although the network is trusted | 10.1.0.1 | user-agent: Resting/2 | refused as 10.1.0.1
suspended, by network, listed before the wider one | 10.9.0.1 |  | refused as 10.9.0.1
signature headers without a verifier mean nothing | 10.2.3.4 | signature: sig1=:AA==: && signature-input: x | office as 10.2.3.4
a browser that opens the address | 10.2.3.4 | sec-fetch-mode: navigate && sec-fetch-dest: document | browser as 10.2.3.4
a browser that is a stranger | 198.51.100.9 | sec-fetch-mode: navigate && sec-fetch-dest: document | browser as 198.51.100.9
a browser in an assistant’s range | 203.0.113.7 | user-agent: ACME && sec-fetch-mode: Navigate && sec-fetch-dest: document | browser as 203.0.113.7
a browser that fetches ahead | 10.2.3.4 | sec-purpose: prefetch;prerender | browser as 10.2.3.4
a program that fetches as server-side clients do | 10.2.3.4 | sec-fetch-mode: cors && sec-fetch-dest: empty | office as 10.2.3.4
a program that says that no site sent it | 10.2.3.4 | sec-fetch-site: none && sec-fetch-mode: cors && sec-fetch-dest: empty | office as 10.2.3.4
a navigation that does not say where to | 10.2.3.4 | sec-fetch-mode: navigate | browser as 10.2.3.4
suspended, by network, whatever it asks for | 10.9.0.1 | accept: text/html && referer: http://evil.example/ | refused as 10.9.0.1
a peer that is no address |  |  | refused as unknown
a User-Agent sent twice | 203.0.113.7 | user-agent: curl, Acme-User | acme as 203.0.113.7
`;

function caseOf(row: string): GateCase {
  const [why = '', peer = '', lines = '', outcome = ''] = row.split('|').map((part) => part.trim());
  const headers = lines.split('&&').flatMap((line) => {
    const [, name, value = ''] = /^ ?([\w-]+): ?(.*?) ?$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value === 'ACME' ? acmeAgent : value] as const];
  });
  const [who = '', address = ''] = outcome.split(' as ');
  const decision =
    who === 'refused' ? refused(address) : who === 'browser' ? endUser(address) : approved(who, address);
  return [why, peer, Object.fromEntries(headers), decision];
}

const cases: readonly GateCase[] = [
  ...ROWS.trim().split('\n').map(caseOf),
  ...['cf-ray', 'fly-client-ip', 'x-envoy-external-address', 'x-forwarded-prefix', 'x-amzn-trace-id'].map(
    (name): GateCase => [
      `loopback through an unlisted proxy that says ${name}`,
      '127.0.0.1',
      { [name]: '' },
      refused('127.0.0.1'),
    ],
  ),
  ...['null', '', 'https://evil.example', 'http://127.0.0.1:8080', 'chrome-extension://abc'].map(
    (origin): GateCase => [`a page of the origin "${origin}"`, '10.2.3.4', { origin }, endUser('10.2.3.4')],
  ),
  ...['cross-site', 'same-site', 'same-origin', 'Cross-Site', '', 'none, cross-site', 'unheard-of'].map(
    (site): GateCase => [
      `a request that a page sent: ${site}`,
      '10.2.3.4',
      { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
      endUser('10.2.3.4'),
    ],
  ),
  ...['iframe', 'object', 'image', 'script', 'document', 'worker'].map(
    (destination): GateCase => [
      `something that a page loads: ${destination}`,
      '10.2.3.4',
      { 'sec-fetch-site': 'none', 'sec-fetch-dest': destination },
      endUser('10.2.3.4'),
    ],
  ),
  ...['frame', 'iframe', 'embed', 'object'].map(
    (destination): GateCase => [
      `a navigation in a page: ${destination}`,
      '10.2.3.4',
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': destination },
      endUser('10.2.3.4'),
    ],
  ),
  ...ASKED_BY_BROWSERS.map(
    ([what, headers]): GateCase => [
      `a browser without Sec-Fetch in a trusted network: ${what}`,
      '10.2.3.4',
      headers,
      endUser('10.2.3.4'),
    ],
  ),
  ...ASKED_BY_BROWSERS.map(
    ([what, headers]): GateCase => [
      `an assistant in its range is not judged by what it asks for: ${what}`,
      '203.0.113.7',
      { ...headers, 'user-agent': acmeAgent },
      approved('acme', '203.0.113.7'),
    ],
  ),
  ...ASKED_BY_BROWSERS.map(
    ([what, headers]): GateCase => [
      `a stranger stays one: ${what}`,
      '198.51.100.9',
      headers,
      refused('198.51.100.9'),
    ],
  ),
  ...ASKED_BY_PROGRAMS.map(
    (accept): GateCase => [
      `a program in a trusted network that accepts ${accept}`,
      '10.2.3.4',
      { accept },
      approved('office', '10.2.3.4'),
    ],
  ),
];

test('who is approved, by address and headers', async () => {
  for (const [why, peerAddress, headers, decision] of cases) {
    // Twice: the second decision is the cached one.
    assert.deepEqual(await gate({ peerAddress, headers }), decision, why);
    assert.deepEqual(await gate({ peerAddress, headers }), decision, why);
  }
});

test('what a caller asks for is judged anew each time, although the way it was recognised is remembered', async () => {
  const call = (headers: CallerFacts['headers']) =>
    gate({ peerAddress: '10.2.3.5', headers: { 'user-agent': 'one', ...headers } });
  assert.deepEqual(await call({}), approved('office', '10.2.3.5'));
  assert.deepEqual(await call({ accept: 'image/png' }), endUser('10.2.3.5'));
  assert.deepEqual(await call({}), approved('office', '10.2.3.5'));
});

test('an assistant with a confirmed name is not judged by what it asks for, one without is', async () => {
  const headers = { 'user-agent': 'NamedBot/1', accept: 'text/html', referer: 'https://fetch.example/' };
  assert.deepEqual(await gate({ peerAddress: '198.51.100.5', headers }), approved('named', '198.51.100.5'));
  assert.deepEqual(await gate({ peerAddress: '10.2.3.4', headers }), endUser('10.2.3.4'));
});

test('a confirmed name recognises the assistant that carries the token', async () => {
  const named = { peerAddress: '198.51.100.5', headers: { 'user-agent': 'NamedBot/1' } };
  assert.deepEqual(await gate(named), approved('named', '198.51.100.5'));
  assert.deepEqual(await gate(named), approved('named', '198.51.100.5'));
  assert.deepEqual(await gate({ ...named, peerAddress: '198.51.100.6' }), refused('198.51.100.6'));
  assert.deepEqual(await gate({ ...named, headers: {} }), refused('198.51.100.5'), 'without the token');
});

test('names are looked up only for callers with the token that no range recognises', async () => {
  const looked: string[] = [];
  const watched = told(
    createAccessGate({
      accessList,
      trustedProxies: [],
      clock,
      resolver: {
        async reverse(address) {
          looked.push(address);
          return [];
        },
        forward: async () => [],
      },
    }),
  );
  const call = (peerAddress: string, agent: string) =>
    watched({ peerAddress, headers: { 'user-agent': agent } });
  assert.deepEqual(await call('203.0.113.7', `${acmeAgent} NamedBot/1`), approved('acme', '203.0.113.7'));
  assert.deepEqual(await call('198.51.100.5', 'curl/8.0'), refused('198.51.100.5'));
  assert.deepEqual(looked, []);
  await call('198.51.100.5', 'NamedBot/1');
  assert.deepEqual(looked, ['198.51.100.5']);
});

test('a domain that was mended in the registry counts from the next request on', async () => {
  const named = (...domains: string[]) =>
    registryOf({
      id: 'named',
      name: 'Named',
      status: 'approved',
      recognised_by: [{ user_agent: 'NamedBot', reverse_dns: domains }],
    });
  let list: AccessList = { ...named('fecth.example'), keys: [] };
  let lookups = 0;
  const resolver: Resolver = {
    ...names,
    reverse(address) {
      lookups += 1;
      return names.reverse(address);
    },
  };
  const following = told(createAccessGate({ accessList: () => list, trustedProxies: [], resolver, clock }));
  const call = () => following({ peerAddress: '198.51.100.5', headers: { 'user-agent': 'NamedBot/1' } });
  assert.deepEqual(await call(), refused('198.51.100.5'));
  list = { ...named('fecth.example'), keys: [] };
  assert.deepEqual(await call(), refused('198.51.100.5'));
  assert.equal(lookups, 1, 'another list with the same domains');
  list = { ...named('fetch.example'), keys: [] };
  assert.deepEqual(await call(), approved('named', '198.51.100.5'));
  assert.equal(lookups, 2);
});

test('a name that is not confirmed leaves the trusted network to decide', async () => {
  const decision = gate({ peerAddress: '10.2.3.4', headers: { 'user-agent': 'NamedBot' } });
  assert.deepEqual(await decision, approved('office', '10.2.3.4'));
});

test('without a resolver nobody is recognised by name', async () => {
  const unresolving = told(createAccessGate({ accessList, trustedProxies: [], clock }));
  assert.deepEqual(
    await unresolving({ peerAddress: '198.51.100.5', headers: { 'user-agent': 'NamedBot' } }),
    refused('198.51.100.5'),
  );
});

const FORGED: SignatureOutcome = { kind: 'invalid', why: 'signature_wrong', keysUrl: null };
const verifiedBy = (agent: string) =>
  ({
    kind: 'verified',
    keysUrl: `${agent}/.well-known/http-message-signatures-directory`,
    keyid: 'a thumbprint',
  }) as const;

test('a signature is judged before everything else', async () => {
  const outcomes: Readonly<Record<string, SignatureOutcome>> = {
    acme: verifiedBy('https://agent.acme.example'),
    resting: verifiedBy('https://resting.example'),
    unlisted: verifiedBy('https://unlisted.example'),
    forged: FORGED,
    replayed: { ...verifiedBy('https://agent.acme.example'), kind: 'replayed' },
    keyless: { kind: 'unverified', why: 'key_unknown' },
  };
  const asked: string[] = [];
  const signed = told(
    createAccessGate({
      accessList,
      trustedProxies: [],
      clock,
      signatureVerifier: async ({ headers }) => {
        const name = String(headers.signature);
        asked.push(name);
        return outcomes[name] ?? FORGED;
      },
    }),
  );
  const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const stranger = '198.51.100.9';
  const decisionFor = (peerAddress: string, signature: string, headers: CallerFacts['headers'] = {}) =>
    signed({ peerAddress, headers: { ...headers, signature } });

  assert.deepEqual(await decisionFor(stranger, 'acme'), approved('acme', stranger));
  assert.deepEqual(
    await decisionFor(stranger, 'acme', browser),
    approved('acme', stranger),
    'agents drive browsers too',
  );
  assert.deepEqual(await decisionFor('10.2.3.4', 'acme'), approved('acme', '10.2.3.4'));
  assert.deepEqual(await decisionFor('10.2.3.4', 'resting'), refused('10.2.3.4'));
  assert.deepEqual(await decisionFor('10.2.3.4', 'forged'), refused('10.2.3.4'));
  assert.deepEqual(await decisionFor('10.2.3.4', 'replayed'), refused('10.2.3.4'));
  assert.deepEqual(
    await decisionFor('203.0.113.7', 'forged', { 'user-agent': acmeAgent }),
    refused('203.0.113.7'),
  );
  assert.deepEqual(await decisionFor(stranger, 'forged', browser), endUser(stranger));
  assert.deepEqual(await decisionFor(stranger, 'unlisted'), refused(stranger));
  assert.deepEqual(await decisionFor('10.2.3.4', 'unlisted'), approved('office', '10.2.3.4'));
  assert.deepEqual(await decisionFor('10.2.3.4', 'unlisted', browser), endUser('10.2.3.4'));
  assert.deepEqual(await decisionFor('10.2.3.4', 'keyless'), approved('office', '10.2.3.4'));
  asked.length = 0;
  assert.deepEqual(await signed({ peerAddress: '10.2.3.4', headers: {} }), approved('office', '10.2.3.4'));
  assert.deepEqual(asked, [], 'the verifier is not called for an unsigned request');
});

test('where loopback is trusted: this machine and nobody else', async () => {
  assert.deepEqual(
    await loopbackGate({ peerAddress: '127.0.0.1', headers: {} }),
    approved('local', '127.0.0.1'),
  );
  assert.deepEqual(await loopbackGate({ peerAddress: '::1', headers: {} }), approved('local', '::1'));
  assert.deepEqual(
    await loopbackGate({ peerAddress: '::ffff:127.0.0.1', headers: {} }),
    approved('local', '127.0.0.1'),
  );
  assert.deepEqual(await loopbackGate({ peerAddress: '192.168.1.5', headers: {} }), refused('192.168.1.5'));
  assert.deepEqual(
    await loopbackGate({ peerAddress: '127.0.0.1', headers: { 'x-forwarded-for': '203.0.113.9' } }),
    refused('127.0.0.1'),
  );
});

test('nothing configured: nobody', async () => {
  const closed = told(
    createAccessGate({ accessList: accessListOf(registryFor(null, null)), trustedProxies: [], clock }),
  );
  for (const address of ['127.0.0.1', '::1', '10.0.0.1']) {
    assert.deepEqual(await closed({ peerAddress: address, headers: {} }), refused(address));
  }
});

test('no header turns a stranger into an approved caller', async () => {
  const telling = [
    'user-agent',
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'via',
    'signature',
    'signature-input',
    'signature-agent',
    'sec-fetch-mode',
    'sec-fetch-dest',
    'host',
    'x-client-ip',
    'cf-connecting-ip',
  ];
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '127.0.0.1',
      '::1',
      '10.2.3.4',
      'for=127.0.0.1',
      'for="[::1]"',
      acmeAgent,
      'NamedBot',
      'Resting',
    ),
    fc.constantFrom(
      '203.0.113.7',
      '192.0.2.1',
      'for=203.0.113.7',
      'sig1=:AA==:',
      '"https://agent.acme.example"',
    ),
  );
  const headers = fc.dictionary(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...telling) }, { weight: 1, arbitrary: fc.string() }),
    fc.oneof(value, fc.array(value, { maxLength: 3 })),
  );
  const strangers = fc.constantFrom(
    '198.51.100.9',
    '203.0.113.16',
    '2001:db9::1',
    '::127.0.0.1',
    '128.0.0.1',
    '',
    '126.1',
  );
  await fc.assert(
    fc.asyncProperty(strangers, headers, async (peerAddress, forged) => {
      const facts = { peerAddress, headers: forged };
      assert.equal((await gate(facts)).kind, 'refused');
      assert.equal((await loopbackGate(facts)).kind, 'refused');
    }),
  );
});

test('behind a listed proxy, only the address that the proxy appended can approve', async () => {
  const forged = fc.oneof(
    fc.string(),
    fc.constantFrom('127.0.0.1', '10.2.3.4', '203.0.113.7', '192.0.2.1', '::1'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(forged), fc.option(forged), async (left, forwarded) => {
      const decision = await gate({
        peerAddress: '192.0.2.1',
        headers: {
          'user-agent': acmeAgent,
          'x-forwarded-for': [...left, '198.51.100.9'].join(', '),
          ...(forwarded === null ? {} : { forwarded: `for=${forwarded}` }),
        },
      });
      assert.equal(decision.kind, 'refused');
    }),
  );
});

test('another list is in force with the next request, and what was decided by the one before is forgotten', async () => {
  const listOf = (status: 'approved' | 'suspended') =>
    accessListOf({ assistants: accessList().assistants.map((one) => ({ ...one, status })) })();
  let list = listOf('approved');
  const following = told(createAccessGate({ accessList: () => list, trustedProxies: [], clock }));
  const facts = { peerAddress: '203.0.113.7', headers: { 'user-agent': acmeAgent } };
  assert.deepEqual(await following(facts), approved('acme', '203.0.113.7'));
  list = listOf('suspended');
  assert.deepEqual(await following(facts), refused('203.0.113.7'));
  list = listOf('approved');
  assert.deepEqual(await following(facts), approved('acme', '203.0.113.7'));
});

const ACME_KEYS = directoryOf('https://agent.acme.example');

test('the owner learns by which way a caller was recognised, and why another was refused', async () => {
  const outcomes: Readonly<Record<string, SignatureOutcome>> = {
    wrong: { kind: 'invalid', why: 'signature_wrong', keysUrl: ACME_KEYS },
    again: { kind: 'replayed', keysUrl: ACME_KEYS, keyid: 'k' },
  };
  const judge = createAccessGate({
    accessList,
    trustedProxies: ['192.0.2.1'],
    resolver: names,
    signatureVerifier: async ({ headers }) =>
      outcomes[String(headers.signature)] ?? { kind: 'unverified', why: 'agent_unknown' },
    clock,
  });
  const rows: readonly (readonly [string, ConnectionFacts])[] = [
    ['ranges', { peerAddress: '203.0.113.7', headers: { 'user-agent': acmeAgent } }],
    ['reverse_dns', { peerAddress: '198.51.100.5', headers: { 'user-agent': 'NamedBot' } }],
    ['network', { peerAddress: '10.2.3.4', headers: {} }],
    ['suspended', { peerAddress: '10.9.0.1', headers: {} }],
    ['unknown_caller', { peerAddress: '198.51.100.9', headers: {} }],
    ['unknown_address', { peerAddress: '192.0.2.1', headers: { 'x-forwarded-for': 'nonsense' } }],
    ['browser', { peerAddress: '10.2.3.4', headers: { origin: 'https://evil.example' } }],
    ['invalid_signature', { peerAddress: '10.2.3.4', headers: { signature: 'wrong' } }],
    ['replayed_signature', { peerAddress: '10.2.3.4', headers: { signature: 'again' } }],
  ];
  for (const [expected, facts] of rows) {
    const decision = await judge({ method: 'GET', target: '/ai/v1/terms', ...facts });
    assert.equal(decision.kind === 'approved' ? decision.way : decision.cause, expected);
    if (expected.endsWith('_signature'))
      assert.equal(decision.assistant, 'acme', 'whose signature it claims to be');
  }
});
