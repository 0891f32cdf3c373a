import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

export type NameQuestion = { readonly name: string; readonly family: 4 | 6 };

/** The addresses of a name, those of IPv6 with all eight groups; that there is no such name, or nothing at all. */
export type NameServerAnswer = readonly string[] | 'unknown' | 'broken' | 'silent';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const FLAGS = { found: 0x8180, broken: 0x8182, unknown: 0x8183 };

/** A name server on loopback that answers as the test says, and notes what it was asked. */
export async function startNameServer(t: TestContext, answer: (question: NameQuestion) => NameServerAnswer) {
  const questions: NameQuestion[] = [];
  const server = createSocket('udp4');
  server.on('message', (packet, from) => {
    const { question, end } = readQuestion(packet);
    questions.push(question);
    const said = answer(question);
    if (said === 'silent') return;
    server.send(writeAnswer(packet, end, question, said), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { address: `127.0.0.1:${server.address().port}`, questions };
}

function readQuestion(packet: Buffer): { readonly question: NameQuestion; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = packet.readUInt16BE(at + 1) === TYPE_A ? 4 : 6;
  return { question: { name: labels.join('.').toLowerCase(), family }, end: at + 5 };
}

function writeAnswer(
  packet: Buffer,
  end: number,
  { family }: NameQuestion,
  said: Exclude<NameServerAnswer, 'silent'>,
): Buffer {
  const isAsked = (address: string) => address.includes(':') === (family === 6);
  const addresses = typeof said === 'string' ? [] : said.filter(isAsked);
  const header = Buffer.alloc(12);
  packet.copy(header, 0, 0, 2);
  header.writeUInt16BE(FLAGS[typeof said === 'string' ? said : 'found'], 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) =>
    Buffer.from(
      family === 4
        ? [0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]
        : [0xc0, 12, 0, TYPE_AAAA, 0, 1, 0, 0, 0, 60, 0, 16, ...groupsOf(address)],
    ),
  );
  return Buffer.concat([header, packet.subarray(12, end), ...records]);
}

function groupsOf(address: string): number[] {
  return address.split(':').flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
}
