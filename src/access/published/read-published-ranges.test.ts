import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAmong, parseAddress } from '../../parsing/ip-address.ts';
import { readPublishedRanges } from './read-published-document.ts';

function read(document: unknown) {
  return readPublishedRanges(typeof document === 'string' ? document : JSON.stringify(document));
}

function holds(document: unknown, address: string): boolean {
  const reading = read(document);
  assert.ok(reading.kind === 'valid', reading.kind === 'invalid' ? reading.faults.join() : '');
  const parsed = parseAddress(address);
  assert.ok(parsed);
  return isAmong(reading.value.content, parsed);
}

describe('a published list of networks', () => {
  const forms: Readonly<Record<string, unknown>> = {
    'as OpenAI publishes it': {
      creationTime: '2026-08-14T20:03:38.055838',
      prefixes: [{ ipv4Prefix: '104.210.139.192/28' }, { ipv4Prefix: '4.151.71.176/28' }],
    },
    'as Google publishes it': {
      creationTime: '2026-05-19T14:46:15.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801::/64' }, { ipv4Prefix: '104.210.139.192/28' }],
    },
    'with both families in an entry': {
      prefixes: [{ ipv4Prefix: '104.210.139.192/28', ipv6Prefix: '2606:4700::/48', note: 'ignored' }],
    },
    'with strings for prefixes': { prefixes: ['104.210.139.192/28'] },
    'as a list of strings': ['104.210.139.192/28', '2606:4700::/48'],
    'as lines': '# Crawlers\n104.210.139.192/28\r\n\n2606:4700::/48 # IPv6\n',
    'with characters that nobody sees': { prefixes: [{ ipv4Prefix: '\u200b104.210.139.192/28 ' }] },
  };
  for (const [form, document] of Object.entries(forms)) {
    it(`is read ${form}`, () => {
      assert.ok(holds(document, '104.210.139.200'));
      assert.ok(!holds(document, '104.210.139.208'));
    });
  }

  it('has IPv6 networks, and IPv4 networks in their IPv6 form', () => {
    const list = ['2606:4700::/48', '::ffff:104.210.139.192/124'];
    assert.ok(holds(list, '2606:4700::1'));
    assert.ok(holds(list, '104.210.139.193'));
    assert.ok(holds(list, '::ffff:104.210.139.193'));
  });

  it('says the same in any order, and can be read again from what is kept of it', () => {
    const one = read(['104.210.139.192/28', '4.151.71.176/28']);
    const other = read({ creationTime: 'later', prefixes: ['4.151.71.176/28', '104.210.139.192/28'] });
    assert.ok(one.kind === 'valid' && other.kind === 'valid');
    assert.equal(one.value.identity, other.value.identity);
    assert.deepEqual(read(one.value.text), one);
  });

  const refused: Readonly<Record<string, unknown>> = {
    'the whole internet': ['104.210.139.192/28', '0.0.0.0/0'],
    'all of IPv6': ['::/0'],
    'a network wider than /8': ['16.0.0.0/7'],
    'an IPv6 network wider than /16': ['2600::/15'],
    'a network of this machine': ['127.0.0.1'],
    'a private network': ['10.0.0.0/24'],
    'a private network in its IPv6 form': ['::ffff:10.0.0.0/120'],
    'a network that has private ones in it': ['172.0.0.0/8'],
    'shared addresses of providers': ['100.64.0.0/10'],
    'unique local addresses': ['fd00::/16'],
    'link-local addresses': ['fe80::/64'],
    'addresses of tunnels': ['2002:a00::/24'],
    'addresses for documentation': ['203.0.113.0/24'],
    'addresses that nobody has': ['4000::/16'],
    'many wide networks, none of them too wide': ['11.0.0.0/8', '13.0.0.0/8', '17.0.0.0/8'],
    'an entry that is no network': ['104.210.139.192/28', 'localhost'],
    'an entry with bits beyond its prefix': ['104.210.139.193/28'],
    'an entry of another shape': { prefixes: [{ ipv4Prefix: '104.210.139.192/28' }, { region: 'eu' }] },
    nothing: { prefixes: [] },
    'nothing but comments': '# soon\n',
    'more than 10,000 networks': Array.from(
      { length: 10_001 },
      (_, index) => `20.${index >> 8}.${index & 255}.0/24`,
    ),
    'another document': { keys: [] },
    'a page': '<!doctype html><title>Not found</title>',
    'half a document': '{"prefixes": [{"ipv4Prefix": "104.210.139.192/28"',
  };
  it('is refused as a whole where a rule is broken', () => {
    for (const [what, document] of Object.entries(refused)) {
      assert.equal(read(document).kind, 'invalid', `is refused as a whole with ${what}`);
    }
  });
});
