import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { parseAddress } from '../reading/address.ts';
import { createConfirmedNames } from './confirmed-names.ts';
import type { Resolver } from './resolver.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  '203.0.113.7': ['Crawl-7.Example.com.'],
  '203.0.113.8': ['crawl-9.example.com'],
  '203.0.113.9': ['evilexample.com', 'example.com.evil.net'],
  '2001:db8::7': ['seven.example.com'],
};
const addresses: Readonly<Record<string, readonly string[]>> = {
  'crawl-7.example.com': ['198.51.100.1', '203.0.113.7'],
  'crawl-9.example.com': ['203.0.113.9'],
  'seven.example.com': ['2001:DB8:0::7'],
  'evilexample.com': ['203.0.113.9'],
  'example.com.evil.net': ['203.0.113.9'],
};

function setUp(overrides: Partial<Resolver> = {}) {
  const asked: string[] = [];
  const clock = createFakeClock(1_800_000_000_000);
  const resolver: Resolver = {
    async reverse(address) {
      asked.push(address);
      return names[address] ?? Promise.reject(new Error('ENOTFOUND'));
    },
    async forward(name) {
      asked.push(name);
      return addresses[name] ?? [];
    },
    ...overrides,
  };
  const confirmed = createConfirmedNames({ resolver, domains: () => ['example.com'], clock });
  const of = (text: string) => {
    const address = parseAddress(text);
    assert.ok(address);
    return confirmed(address);
  };
  return { of, asked, clock };
}

test('a name counts when it lies under the domain and resolves back', async () => {
  const { of } = setUp();
  assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com']);
  assert.deepEqual(await of('2001:db8::7'), ['seven.example.com']);
});

test('a name that resolves elsewhere, lies under another domain, or does not exist does not count', async () => {
  const { of, asked } = setUp();
  assert.deepEqual(await of('203.0.113.8'), []);
  assert.deepEqual(await of('203.0.113.9'), []);
  assert.deepEqual(await of('203.0.113.10'), []);
  assert.ok(!asked.includes('evilexample.com'), 'foreign names are not even looked up');
});

test('answers are kept: confirmed ones for ten minutes, others for one', async () => {
  const { of, asked, clock } = setUp();
  await of('203.0.113.7');
  await of('203.0.113.10');
  asked.length = 0;
  await clock.advance(59_999);
  assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com']);
  assert.deepEqual(await of('203.0.113.10'), []);
  assert.deepEqual(asked, []);
  await clock.advance(1);
  await of('203.0.113.10');
  assert.deepEqual(asked, ['203.0.113.10']);
  await clock.advance(9 * 60_000);
  await of('203.0.113.7');
  assert.deepEqual(asked, ['203.0.113.10', '203.0.113.7', 'crawl-7.example.com']);
});

test('answers are kept as long when the wall clock is stepped', async () => {
  for (const step of [-7_200_000, 7_200_000]) {
    const { of, asked, clock } = setUp();
    await of('203.0.113.10');
    asked.length = 0;
    clock.stepWallClock(step);
    await clock.advance(59_999);
    await of('203.0.113.10');
    assert.deepEqual(asked, []);
    await clock.advance(1);
    await of('203.0.113.10');
    assert.deepEqual(asked, ['203.0.113.10']);
  }
});

test('callers from one address share one lookup', async () => {
  const { of, asked, clock } = setUp();
  await Promise.all([of('203.0.113.7'), of('203.0.113.7'), of('203.0.113.7')]);
  assert.equal(clock.pendingTimers, 0);
  assert.deepEqual(asked, ['203.0.113.7', 'crawl-7.example.com']);
});

test('a name server that does not answer costs two seconds and proves nothing, even when it answers later', async () => {
  let answer: (found: readonly string[]) => void = () => {};
  const { of, clock } = setUp({
    reverse: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const waiting = of('203.0.113.7');
  await clock.advance(2_000);
  assert.deepEqual(await waiting, []);
  assert.equal(clock.pendingTimers, 0);
  answer(['crawl-7.example.com']);
  await clock.settle();
  assert.deepEqual(await of('203.0.113.7'), []);
});

test('no more than 64 lookups run at once', async () => {
  const looked: string[] = [];
  const { of, clock } = setUp({
    reverse(address) {
      looked.push(address);
      return new Promise(() => {});
    },
  });
  const waiting = Array.from({ length: 64 }, (_, index) => of(`198.51.100.${index}`));
  assert.deepEqual(await of('198.51.100.200'), [], 'not looked up, and not kept waiting');
  assert.equal(looked.length, 64);
  await clock.advance(2_000);
  await Promise.all(waiting);
  const later = of('198.51.100.200');
  assert.equal(looked.at(-1), '198.51.100.200', 'being turned away is not remembered');
  await clock.advance(2_000);
  assert.deepEqual(await later, []);
});

test('an address with many names costs few lookups', async () => {
  const { of, asked } = setUp({
    reverse: async () => Array.from({ length: 50 }, (_, index) => `n${index}.example.com`),
  });
  assert.deepEqual(await of('203.0.113.7'), []);
  assert.equal(asked.length, 4);
});
