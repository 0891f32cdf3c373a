import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryOf } from '../../../test/support/registry-of.ts';
import { describeWay } from './describe-way.ts';

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
