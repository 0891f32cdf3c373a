import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { describe, it, type TestContext, test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { parseAddress } from '../parsing/ip-address.ts';
import { createConfirmedNames, createDnsResolver, type Resolver } from './reverse-dns.ts';

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

const MINUTE = 60_000;

const EXAMPLE: readonly string[] = ['example.com'];

function setUp(overrides: Partial<Resolver> = {}) {
  const state = { domains: EXAMPLE };
  const asked: string[] = [];
  const clock = createFakeClock(1_800_000_000_000);
  const resolver: Resolver = {
    async reverse(address) {
      asked.push(address);
      return names[address] ?? [];
    },
    async forward(name) {
      asked.push(name);
      return addresses[name] ?? [];
    },
    ...overrides,
  };
  const confirmed = createConfirmedNames({ resolver, clock });
  const of = (text: string) => {
    const address = parseAddress(text);
    assert.ok(address);
    return confirmed(address, state.domains);
  };
  return { of, asked, clock, state };
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

test('that there is no name is cached for a minute, whatever the wall clock', async () => {
  const { of, asked, clock } = setUp();
  await of('203.0.113.10');
  asked.length = 0;
  clock.stepWallClock(7_200_000);
  await clock.advance(59_999);
  assert.deepEqual(await of('203.0.113.10'), []);
  assert.deepEqual(asked, []);
  await clock.advance(1);
  await of('203.0.113.10');
  assert.deepEqual(asked, ['203.0.113.10']);
});

test('a lookup that began under other domains refuses no caller under these, nor does a cached refusal', async () => {
  let answer = () => {};
  const { of, clock, state } = setUp({
    reverse: (address) =>
      new Promise((resolve) => {
        answer = () => resolve(names[address] ?? []);
      }),
  });
  state.domains = ['exmaple.com'];
  const waiting = of('203.0.113.7');
  state.domains = EXAMPLE;
  answer();
  assert.deepEqual(await waiting, []);
  await clock.settle();
  const again = of('203.0.113.7');
  answer();
  assert.deepEqual(await again, ['crawl-7.example.com']);
});

test('name servers that do not answer take a confirmed name away after an hour, not before', async () => {
  let isDown = false;
  const { of, clock } = setUp({
    async reverse(address) {
      if (isDown) throw new Error('ETIMEOUT');
      return names[address] ?? [];
    },
  });
  await of('203.0.113.7');
  isDown = true;
  for (let minutes = 1; minutes < 60; minutes += 1) {
    await clock.advance(MINUTE);
    assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com'], `after ${minutes} minutes`);
  }
  await clock.advance(MINUTE);
  assert.deepEqual(await of('203.0.113.7'), []);
  isDown = false;
  await clock.advance(10_000);
  assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com'], 'soon after the outage');
});

test('name servers that say no take a confirmed name away at once', async () => {
  for (const denial of ['reverse', 'forward'] as const) {
    let isDenied = false;
    const { of, clock } = setUp({
      reverse: async (address) => (isDenied && denial === 'reverse' ? [] : (names[address] ?? [])),
      forward: async (name) => (isDenied && denial === 'forward' ? [] : (addresses[name] ?? [])),
    });
    await of('203.0.113.7');
    isDenied = true;
    await clock.advance(10 * MINUTE);
    assert.deepEqual(await of('203.0.113.7'), [], denial);
  }
});

test('one of several names that cannot be looked up denies nothing', async () => {
  let isPartlyDown = false;
  const { of, clock } = setUp({
    reverse: async () => ['other.example.com', 'crawl-7.example.com'],
    async forward(name) {
      if (name !== 'crawl-7.example.com') return [];
      if (isPartlyDown) throw new Error('ETIMEOUT');
      return ['203.0.113.7'];
    },
  });
  assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com']);
  isPartlyDown = true;
  await clock.advance(10 * MINUTE);
  await of('203.0.113.7');
  await clock.settle();
  assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com']);
});

test('an address is looked for among the addresses of its own family', async () => {
  const families: number[] = [];
  const { of } = setUp({
    async forward(name, family) {
      families.push(family);
      return addresses[name] ?? [];
    },
  });
  await of('203.0.113.7');
  await of('2001:db8::7');
  assert.deepEqual(await of('::ffff:203.0.113.7'), ['crawl-7.example.com'], 'the same as its IPv4 form');
  assert.deepEqual(families, [4, 6]);
});

test('strangers from many addresses push no confirmed name out', async () => {
  const { of, asked, clock } = setUp();
  await of('203.0.113.7');
  for (let index = 0; index < 10_100; index += 1) await of(`198.18.${index >> 8}.${index & 255}`);
  asked.length = 0;
  assert.deepEqual(await of('203.0.113.7'), ['crawl-7.example.com']);
  await clock.settle();
  assert.deepEqual(asked, []);
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
  await clock.advance(10_000);
  const again = of('203.0.113.7');
  answer(['crawl-7.example.com']);
  assert.deepEqual(await again, ['crawl-7.example.com'], 'asked again soon');
});

test('no more than 1,024 lookups run at once', async () => {
  const looked: string[] = [];
  const { of, clock } = setUp({
    reverse(address) {
      looked.push(address);
      return new Promise(() => {});
    },
  });
  const waiting = Array.from({ length: 1024 }, (_, index) => of(`198.${16 + (index >> 8)}.${index & 255}.1`));
  assert.deepEqual(await of('198.51.100.200'), [], 'not looked up, and not kept waiting');
  assert.equal(looked.length, 1024);
  await clock.advance(2_000);
  await Promise.all(waiting);
  const later = of('198.51.100.200');
  assert.equal(looked.at(-1), '198.51.100.200', 'being turned away is not remembered');
  await clock.advance(2_000);
  assert.deepEqual(await later, []);
});

test('no network takes more than sixteen of them', async () => {
  const looked: string[] = [];
  const { of, clock } = setUp({
    reverse(address) {
      looked.push(address);
      return new Promise(() => {});
    },
  });
  const waiting = [
    ...Array.from({ length: 20 }, (_, index) => of(`198.51.100.${index}`)),
    ...Array.from({ length: 20 }, (_, index) => of(`2001:db8:${index}::1`)),
  ];
  const other = of('203.0.113.7');
  assert.equal(looked.length, 33);
  assert.equal(looked.at(-1), '203.0.113.7');
  await clock.advance(2_000);
  await Promise.all([...waiting, other]);
  const later = of('198.51.100.19');
  assert.equal(looked.at(-1), '198.51.100.19');
  await clock.advance(2_000);
  await later;
});

test('an address with many names costs few lookups', async () => {
  const { of, asked } = setUp({
    reverse: async () => Array.from({ length: 50 }, (_, index) => `n${index}.example.com`),
  });
  assert.deepEqual(await of('203.0.113.7'), []);
  assert.equal(asked.length, 4);
});

const TYPES = { A: 1, CNAME: 5, PTR: 12, AAAA: 28 } as const;
const NO_SUCH_NAME = 3;
const BROKEN = 2;

type Question = { readonly name: string; readonly type: number };
type DnsRecord = { readonly name: string; readonly type: keyof typeof TYPES; readonly data: Buffer };

/** A name server that answers with records, with the code of a fault, or not at all. */
async function serve(
  t: TestContext,
  answer: (question: Question) => readonly DnsRecord[] | number | 'silent',
) {
  const server = createSocket('udp4');
  server.on('message', (packet, from) => {
    const said = answer(questionIn(packet));
    if (said !== 'silent') server.send(answerTo(packet, said), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return createDnsResolver({
    clock: createFakeClock(0),
    servers: [`127.0.0.1:${server.address().port}`],
  });
}

function questionIn(packet: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1) };
}

function answerTo(packet: Buffer, said: readonly DnsRecord[] | number): Buffer {
  let end = 12;
  while (packet[end] !== 0) end += 1 + (packet[end] ?? 0);
  const records = typeof said === 'number' ? [] : said;
  const header = Buffer.alloc(12);
  packet.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + (typeof said === 'number' ? said : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, packet.subarray(12, end + 5), ...records.map(written)]);
}

function written({ name, type, data }: DnsRecord): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

function nameBytes(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

const REVERSED = '7.113.0.203.in-addr.arpa';
const REVERSED_IPV6 = `7${'.0'.repeat(23)}.8.b.d.0.1.0.0.2.ip6.arpa`;

describe('names of addresses', () => {
  it('are found for both families', async (t) => {
    const resolver = await serve(t, ({ name, type }) =>
      type === TYPES.PTR && [REVERSED, REVERSED_IPV6].includes(name)
        ? [{ name, type: 'PTR', data: nameBytes('crawl.example.com') }]
        : NO_SUCH_NAME,
    );
    assert.deepEqual(await resolver.reverse('203.0.113.7'), ['crawl.example.com']);
    assert.deepEqual(await resolver.reverse('2001:db8::7'), ['crawl.example.com']);
  });

  it('are found where the reverse zone is handed on by an alias', async (t) => {
    const handedOn = '7.0-127.113.0.203.in-addr.arpa';
    const resolver = await serve(t, ({ name }) => [
      { name, type: 'CNAME', data: nameBytes(handedOn) },
      { name: handedOn, type: 'PTR', data: nameBytes('crawl.example.com') },
    ]);
    assert.deepEqual(await resolver.reverse('203.0.113.7'), ['crawl.example.com']);
  });
});

describe('addresses of names', () => {
  it('are those of the family that is asked for, also behind an alias', async (t) => {
    const resolver = await serve(t, ({ name, type }) => {
      const real = 'edge.example.net';
      const alias: DnsRecord = { name, type: 'CNAME', data: nameBytes(real) };
      return type === TYPES.A
        ? [alias, { name: real, type: 'A', data: Buffer.from([203, 0, 113, 7]) }]
        : [alias, { name: real, type: 'AAAA', data: Buffer.from('20010db8000000000000000000000007', 'hex') }];
    });
    assert.deepEqual(await resolver.forward('crawl.example.com', 4), ['203.0.113.7']);
    assert.deepEqual(await resolver.forward('crawl.example.com', 6), ['2001:db8::7']);
  });
});

describe('a lookup', () => {
  it('answers with nothing when there is no such name, or nothing of the kind', async (t) => {
    const unknown = await serve(t, () => NO_SUCH_NAME);
    assert.deepEqual(await unknown.reverse('203.0.113.7'), []);
    assert.deepEqual(await unknown.forward('crawl.example.com', 4), []);
    const without = await serve(t, () => []);
    assert.deepEqual(await without.forward('crawl.example.com', 6), []);
  });

  it('rejects when the name servers do not answer, or cannot', async (t) => {
    const broken = await serve(t, () => BROKEN);
    await assert.rejects(broken.reverse('203.0.113.7'), { code: 'ESERVFAIL' });
    await assert.rejects(broken.forward('crawl.example.com', 4), { code: 'ESERVFAIL' });
    const silent = await serve(t, () => 'silent');
    await assert.rejects(silent.reverse('203.0.113.7'), { code: 'ETIMEOUT' });
  });
});
