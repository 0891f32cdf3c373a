import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageFault } from '../../faults.ts';
import { type WayOptions, waysFromOptions } from './change.ts';
import { wayText } from './registry.ts';

test('every option is a way of recognition', () => {
  const ways = waysFromOptions({
    signatureAgent: 'https://a.example/',
    jwksUri: 'https://a.example/keys.json',
    userAgent: 'A-User',
    ranges: '192.0.2.0/24, 198.51.100.0/24,203.0.113.1,2001:db8::/32,',
    rangesUrl: 'https://a.example/ranges.json',
    reverseDns: 'fetch.a.example',
    network: '10.20.0.0/16',
  });
  assert.deepEqual(ways, [
    { signature_agent: 'https://a.example' },
    { jwks_uri: 'https://a.example/keys.json' },
    { user_agent: 'A-User', ranges: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.1', '2001:db8::/32'] },
    { user_agent: 'A-User', ranges_url: 'https://a.example/ranges.json' },
    { user_agent: 'A-User', reverse_dns: ['fetch.a.example'] },
    { network: ['10.20.0.0/16'] },
  ]);
  assert.deepEqual(ways.map(wayText), [
    'a signature by a key of https://a.example',
    'a signature by a key at https://a.example/keys.json',
    'User-Agent A-User, from 192.0.2.0/24, 198.51.100.0/24, 203.0.113.1 and 1 other network',
    'User-Agent A-User, from the networks published at https://a.example/ranges.json',
    'User-Agent A-User, from a machine whose name is under fetch.a.example',
    'any caller in 10.20.0.0/16',
  ]);
  assert.deepEqual(waysFromOptions({}), []);
});

const REFUSED: readonly [WayOptions, RegExp][] = [
  [{ signatureAgent: 'chatgpt.com' }, /^signature_agent/],
  [{ signatureAgent: 'https://[' }, /^signature_agent/],
  [{ jwksUri: 'https://a.example' }, /^jwks_uri/],
  [{ userAgent: 'A-User' }, /A User-Agent alone proves nothing/],
  [{ ranges: '192.0.2.0/24' }, /--ranges needs the product token/],
  [{ rangesUrl: 'https://a.example/r' }, /--ranges-url needs the product token/],
  [{ reverseDns: 'fetch.a.example' }, /--reverse-dns needs the product token/],
  [{ userAgent: 'A User', ranges: '192.0.2.0/24' }, /^user_agent/],
  [{ userAgent: 'A-User', ranges: '192.0.2.1/24' }, /"192\.0\.2\.1\/24" has bits set beyond its prefix/],
  [{ userAgent: 'A-User', rangesUrl: 'ftp://a.example/r' }, /^ranges_url/],
  [{ userAgent: 'A-User', reverseDns: 'com' }, /^reverse_dns/],
  [{ network: 'everywhere' }, /"everywhere" is not an address or a network/],
  [{ network: ' ' }, /network/],
];

test('what is no way of recognition is refused with a sentence', () => {
  for (const [options, expected] of REFUSED) {
    assert.throws(
      () => waysFromOptions(options),
      (fault) => fault instanceof UsageFault && fault.faults.length === 1 && expected.test(fault.message),
      JSON.stringify(options),
    );
  }
});
