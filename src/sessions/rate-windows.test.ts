import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerWindow, createRequestLimits, type RateWindows } from './rate-windows.ts';

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
    `session ${address}`,
  ];
  assert.equal(new Set(windows).size, windows.length);
});

const time = { now: 1_000, elapsed: 5 };
const address = '203.0.113.7';
const reading = { limit: 1, remaining: 0, resetAt: 1, allowed: true, retryAfterSeconds: 0 };

test('a request counts for its session or its caller, and for its assistant where that is limited', async () => {
  let requests: number | undefined = 7;
  const counted: unknown[] = [];
  const count =
    (how: string): RateWindows['take'] =>
    async (...given) => {
      counted.push([how, ...given]);
      return reading;
    };
  const limits = createRequestLimits({
    rateWindows: { take: count('take'), peek: count('peek') },
    limitsOf: (assistant) => (assistant === 'acme' ? { requests } : {}),
  });
  const windows = async (work: Promise<unknown>) => {
    await work;
    return counted.splice(0);
  };
  const acme = { assistant: 'acme', limit: 7 };
  const caller = { assistant: 'acme', address };
  assert.deepEqual(await windows(limits.count(caller, 's1', time)), [
    ['take', 'session s1', time, acme, undefined],
  ]);
  assert.deepEqual(await windows(limits.count(caller, null, time)), [
    ['take', `acme ${address}`, time, acme, undefined],
  ]);
  assert.deepEqual(await windows(limits.count(caller, null, time, 3)), [
    ['take', `acme ${address}`, time, acme, 3],
  ]);
  assert.deepEqual(await windows(limits.peek(caller, time)), [['peek', `acme ${address}`, time, acme]]);
  for (const assistant of ['other', null]) {
    const named = `${assistant ?? ''} ${address}`;
    assert.deepEqual(await windows(limits.count({ assistant, address }, null, time)), [
      ['take', named, time, undefined, undefined],
    ]);
  }
  requests = undefined;
  assert.deepEqual(await windows(limits.peek(caller, time)), [['peek', `acme ${address}`, time, undefined]]);
});
