import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAllowedAddresses } from './allowed-addresses.ts';

const NOT_PUBLIC = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::127.0.0.1',
  '::7f00:1',
  '::a9fe:a9fe',
  '168.63.129.16',
  '4000::1',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'localhost',
  '',
  '127.1',
  '0177.0.0.1',
];

describe('the addresses that an operator’s server may have', () => {
  it('are public ones', () => {
    const addresses = createAllowedAddresses([]);
    for (const address of NOT_PUBLIC) assert.ok(!addresses.allows(address), address);
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1']) {
      assert.ok(addresses.allows(address), address);
    }
  });

  it('and those in networks that the owner names, and nothing beside them', () => {
    const addresses = createAllowedAddresses(['10.1.0.0/16', '::1']);
    assert.ok(addresses.allows('10.1.200.3'));
    assert.ok(addresses.allows('::ffff:10.1.200.3'));
    assert.ok(addresses.allows('::1'));
    assert.ok(!addresses.allows('10.2.0.1'));
    assert.ok(!addresses.allows('127.0.0.1'));
  });
});
