import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryOf } from '../../../test/support/registry-of.ts';
import { addressSetFrom } from '../../parsing/ip-address.ts';
import { registryFor } from './assistant-registry.ts';
import { describeWay, risksOf, risksOfAssistant } from './recognition-ways.ts';
import type { WayInDocument } from './registry-file.ts';

function described(...ways: object[]): readonly string[] {
  const { assistants } = registryOf({ id: 'a', name: 'A', status: 'approved', recognised_by: ways });
  return assistants.flatMap(({ recognisedBy }) => recognisedBy.map(describeWay));
}

test('each way is told in a few words, without the query of an address', () => {
  assert.deepEqual(
    described(
      { signature_agent: 'https://a.example' },
      { jwks_uri: 'https://a.example/keys' },
      { user_agent: 'A-User', ranges: ['203.0.113.0/24', '2001:db8::/32'] },
      { user_agent: 'A-User', ranges_url: 'https://a.example/ranges.json?key=secret' },
      { user_agent: 'A-User', reverse_dns: ['.Crawl.a.example'] },
      { network: ['10.1.0.0/16'] },
    ),
    [
      'signature by keys at https://a.example/.well-known/http-message-signatures-directory',
      'signature by keys at https://a.example/keys',
      'A-User from 203.0.113.0/24, 2001:db8::/32',
      'A-User from the list at https://a.example/ranges.json',
      'A-User from names under crawl.a.example',
      'network 10.1.0.0/16',
    ],
  );
});

test('a long list is told by its beginning, and another list never in the same words', () => {
  const ranges = Array.from({ length: 10_000 }, (_, number) => `10.${number >> 8}.${number & 255}.1`);
  const [whole, other, again] = described(
    { user_agent: 'A-User', ranges },
    { user_agent: 'A-User', ranges: ranges.with(-1, '10.99.0.1') },
    { user_agent: 'A-User', ranges: ranges.toReversed() },
  );
  assert.match(
    whole ?? '',
    /^A-User from 10\.0\.0\.1, 10\.0\.1\.1, 10\.0\.2\.1 and 9997 more \([0-9a-f]{12}\)$/,
  );
  assert.notEqual(other, whole);
  assert.equal(again, whole);
});

const RISKY: readonly [WayInDocument, RegExp][] = [
  [{ network: ['0.0.0.0/0'] }, /^0\.0\.0\.0\/0 is every address there is\.$/],
  [{ network: ['::/0'] }, /every address there is/],
  [{ network: ['10.0.0.0/8', '128.0.0.0/1'] }, /^128\.0\.0\.0\/1 is so large/],
  [{ network: ['2000::/3'] }, /so large/],
  [{ network: ['127.0.0.0/8'] }, /this machine itself/],
  [{ network: ['::1'] }, /this machine itself/],
  ...[
    '127.0.0.5',
    '127.0.0.5/32',
    '127.128.0.0/9',
    '::1/128',
    '::/64',
    '::ffff:127.0.0.1',
    '::ffff:127.0.0.0/104',
  ]
    .flatMap((cidr): WayInDocument[] => [{ network: [cidr] }, { user_agent: 'A-User', ranges: [cidr] }])
    .map((way): [WayInDocument, RegExp] => [way, /this machine itself/]),
  [{ user_agent: 'A-User', ranges: ['0.0.0.0/0'] }, /every address there is/],
  [{ user_agent: 'A-User', ranges: ['127.0.0.1'] }, /this machine itself/],
  [{ user_agent: 'Mozilla', ranges: ['192.0.2.0/24'] }, /every browser/],
  [{ user_agent: 'chrome', ranges_url: 'https://a.example/ranges.json' }, /every browser/],
  [{ user_agent: 'A-User', reverse_dns: ['.compute.amazonaws.com'] }, /^Anybody can rent a machine/],
];

for (const [way, expected] of RISKY) {
  test(`${JSON.stringify(way)} lets in more than one assistant`, () => {
    const risks = risksOf(way);
    assert.equal(risks.length, 1, risks.join('\n'));
    assert.match(risks[0] ?? '', expected);
  });
}

test('what names one assistant is no risk', () => {
  for (const way of [
    { network: ['10.20.0.0/16', '2001:db8:20::/48', '126.0.0.0/8', '128.0.0.0/8', '::2'] },
    { user_agent: 'Claude-User', ranges: ['160.79.104.0/21'] },
    { user_agent: 'A-User', reverse_dns: ['crawl.a.example'] },
    { signature_agent: 'https://chatgpt.com' },
    { jwks_uri: 'https://a.example/keys' },
  ] satisfies WayInDocument[]) {
    assert.deepEqual(risksOf(way), []);
  }
});

test('an assistant in force has the risks of all of its ways, told once, unless it is suspended', () => {
  const entry = {
    ...{ id: 'a', name: 'A', status: 'approved' },
    recognised_by: [
      { user_agent: 'A-User', ranges: ['0.0.0.0/0', '10.0.0.0/8'] },
      { network: ['0.0.0.0/0'] },
      { user_agent: 'gecko', ranges_url: 'https://a.example/ranges.json' },
      { user_agent: 'A-User', reverse_dns: ['amazonaws.com'] },
      { signature_agent: 'https://a.example' },
    ],
  };
  const risksIn = (one: object) => registryOf(one).assistants.flatMap(risksOfAssistant);
  assert.deepEqual(risksIn(entry), [
    '0.0.0.0/0 is every address there is.',
    'gecko is in the User-Agent of every browser, and tells nobody apart.',
    'Anybody can rent a machine whose name ends in amazonaws.com.',
  ]);
  assert.deepEqual(risksIn({ ...entry, status: 'suspended' }), []);
});

test('a list in a file is looked at too, and the trusted networks are not', () => {
  const way = { kind: 'ranges', userAgent: 'A-User', ranges: addressSetFrom(['::1']) } as const;
  const assistant = { id: 'a', name: 'A', status: 'approved', recognisedBy: [way] } as const;
  assert.equal(risksOfAssistant(assistant).length, 1);
  assert.deepEqual(registryFor(null, ['127.0.0.0/8']).assistants.flatMap(risksOfAssistant), []);
});
