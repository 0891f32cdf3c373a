import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf } from './rate-windows.ts';

test('IPv4 callers are single addresses, IPv6 callers are /64 networks', () => {
  assert.equal(callerOf('203.0.113.7'), '203.0.113.7');
  assert.equal(callerOf('2001:db8:1:2:aaaa::1'), '2001:db8:1:2::/64');
  assert.equal(callerOf('2001:db8:1:2::'), callerOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(callerOf('2001:db8:1:2::'), callerOf('2001:db8:1:3::'));
  assert.equal(callerOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(callerOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(callerOf('unknown'), 'unknown');
  assert.equal(callerOf('not:an:address'), 'not:an:address');
});
