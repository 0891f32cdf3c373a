import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createDnsResolver } from './dns-resolver.ts';

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
