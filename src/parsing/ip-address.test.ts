import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressSetFrom, cidrsOf, isAmong, parseAddress, readCidr } from './ip-address.ts';

test('an address has one form, whatever it was written as', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:7f00:1', '127.0.0.1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::00A1', '2001:db8::a1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
    ['::127.0.0.1', undefined],
    ['::127.0.0.1%eth0', undefined],
    ['0::127.0.0.1', '::7f00:1'],
    ['127.1', undefined],
    ['0177.0.0.1', undefined],
    ['0x7f.0.0.1', undefined],
    ['2130706433', undefined],
    ['127.0.0.1 ', undefined],
    ['[::1]', undefined],
    ['localhost', undefined],
    ['', undefined],
  ];
  for (const [text, form] of cases) assert.equal(parseAddress(text)?.toString(), form, text);
});

test('a network is an address with a prefix and nothing beyond it', () => {
  const accepted = ['10.0.0.0/8', '10.1.2.3', '::1', '2001:db8::/32', '0.0.0.0/0', '::ffff:10.0.0.0/104'];
  const refused = [
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/ 8',
    '2001:db8::1/32',
    '::/129',
    '::ffff:10.0.0.0/8',
    'fe80::%eth0/10',
    'example.com',
    '',
  ];
  for (const text of accepted) assert.equal(readCidr(text).kind, 'valid', text);
  for (const text of refused) assert.equal(readCidr(text).kind, 'invalid', text);
});

test('a set answers as asking each network in turn would', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  // Few different first bytes, so that networks overlap and addresses fall inside.
  const address = fc.tuple(fc.integer({ min: 0, max: 3 }), byte, byte, byte);
  const asNumber = ([a, b, c, d]: readonly [number, number, number, number]) =>
    a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  const asText = (number: number) =>
    [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
  const network = fc.tuple(address, fc.integer({ min: 4, max: 32 })).map(([base, prefix]) => {
    const size = 2 ** (32 - prefix);
    const first = asNumber(base) - (asNumber(base) % size);
    return { first, last: first + size - 1, text: `${asText(first)}/${prefix}` };
  });
  fc.assert(
    fc.property(fc.array(network, { maxLength: 12 }), address, (networks, probe) => {
      const number = asNumber(probe);
      const expected = networks.some(({ first, last }) => first <= number && number <= last);
      const parsed = parseAddress(asText(number));
      assert.ok(parsed);
      assert.equal(isAmong(addressSetFrom(networks.map(({ text }) => text)), parsed), expected);
    }),
  );
});

test('a set is told by the networks that make it up', () => {
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], []],
    [['203.0.113.7'], ['203.0.113.7']],
    [
      ['::1', '10.0.0.0/8'],
      ['10.0.0.0/8', '::1'],
    ],
    [['0.0.0.0/0', '10.0.0.0/8'], ['0.0.0.0/0']],
    [['::/0'], ['::/0']],
    [['2001:db8:ff00::/40', '2001:db8::/32'], ['2001:db8::/32']],
    [
      ['192.0.2.0/25', '192.0.2.128/26'],
      ['192.0.2.0/25', '192.0.2.128/26'],
    ],
  ];
  for (const [written, told] of cases) {
    assert.deepEqual(cidrsOf(addressSetFrom(written)), told);
  }
  const odd = { ipv4: [{ first: 1n, last: 6n }], ipv6: [] };
  assert.deepEqual(cidrsOf(odd), ['0.0.0.1', '0.0.0.2/31', '0.0.0.4/31', '0.0.0.6']);
});
