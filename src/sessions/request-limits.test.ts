import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RateWindows } from './rate-windows.ts';
import { createRequestLimits } from './request-limits.ts';

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
