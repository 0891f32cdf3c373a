import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerWindow, sessionWindow } from './rate-windows.ts';

const windowOf = (address: string) => callerWindow({ assistant: 'acme', address });

test('IPv4 callers are single addresses, IPv6 callers are /64 networks', () => {
  assert.equal(windowOf('203.0.113.7'), 'acme 203.0.113.7');
  assert.equal(windowOf('2001:db8:1:2:aaaa::1'), 'acme 2001:db8:1:2::/64');
  assert.equal(windowOf('2001:db8:1:2::'), windowOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(windowOf('2001:db8:1:2::'), windowOf('2001:db8:1:3::'));
  assert.equal(windowOf('::ffff:203.0.113.7'), 'acme 203.0.113.7');
  assert.equal(windowOf('fe80::1%eth0'), 'acme fe80:0:0:0::/64');
  assert.equal(windowOf('unknown'), 'acme unknown');
  assert.equal(windowOf('not:an:address'), 'acme not:an:address');
});

test('whatever its address, a caller on this machine is one caller', () => {
  for (const address of ['127.0.0.1', '127.200.3.4', '::1', '::ffff:127.9.9.9']) {
    assert.equal(windowOf(address), 'acme loopback');
  }
  assert.notEqual(windowOf('128.0.0.1'), windowOf('127.0.0.1'));
});

test('assistants, strangers and sessions never share a window', () => {
  const address = '203.0.113.7';
  const windows = [
    callerWindow({ assistant: 'acme', address }),
    callerWindow({ assistant: 'other', address }),
    callerWindow({ assistant: null, address }),
    sessionWindow(address),
  ];
  assert.equal(new Set(windows).size, windows.length);
});
