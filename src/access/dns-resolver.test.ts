import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { test } from 'node:test';
import { createDnsResolver } from './dns-resolver.ts';

/** Answers PTR and A questions, and says "no such name" to AAAA. */
function answerTo(question: Buffer): Buffer {
  let end = 12;
  while (question[end] !== 0) end += 1 + (question[end] ?? 0);
  const type = question.readUInt16BE(end + 1);
  const data =
    type === 12 ? Buffer.from('\x05crawl\x07example\x03com\x00', 'latin1') : Buffer.from([203, 0, 113, 7]);
  const answers = type === 28 ? 0 : 1;
  const header = Buffer.alloc(12);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(answers === 1 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers, 6);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  const parts = [header, question.subarray(12, end + 5)];
  return Buffer.concat(answers === 1 ? [...parts, record, data] : parts);
}

test('both directions, and a family without an answer does not hide the other', async (t) => {
  const server = createSocket('udp4');
  server.on('message', (question, from) => server.send(answerTo(question), from.port, from.address));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  t.after(() => server.close());

  const resolver = createDnsResolver([`127.0.0.1:${server.address().port}`]);
  assert.deepEqual(await resolver.reverse('203.0.113.7'), ['crawl.example.com']);
  assert.deepEqual(await resolver.forward('crawl.example.com'), ['203.0.113.7']);
});
