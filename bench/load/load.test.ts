import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestTexts } from './request-text.ts';
import { createResponseReader } from './response-reader.ts';
import { findSaturation } from './saturation.ts';

describe('the load over plain sockets', () => {
  it('tells the end of each answer, however its bytes are cut', () => {
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
    const refused = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nx: y\r\n\r\nno';
    const bytes = Buffer.from(ok + refused + ok);
    for (let first = 1; first < bytes.length; first += 1) {
      const answers: boolean[] = [];
      const read = createResponseReader((isOk) => answers.push(isOk));
      for (const part of [bytes.subarray(0, first), bytes.subarray(first)]) read(part, part.length);
      assert.deepEqual(answers, [true, false, true], `cut at ${first}`);
    }
  });

  it('asks in every session in turn, with a key for each value', () => {
    const next = requestTexts({ origin: 'http://127.0.0.1:80', kind: 'step', ordinal: 3 }, ['a', 'b']);
    const sent = [next(), next(), next()];
    assert.deepEqual(
      sent.map((text) => /^POST (\S+) /.exec(text)?.[1]),
      [
        '/ai/v1/search?session=a&idempotency_key=bench-3-1',
        '/ai/v1/search?session=b&idempotency_key=bench-3-2',
        '/ai/v1/search?session=a&idempotency_key=bench-3-3',
      ],
    );
    assert.notEqual(sent[0]?.split('\r\n\r\n')[1], sent[2]?.split('\r\n\r\n')[1]);
  });
});

describe('the load that saturates a service', () => {
  const saturationOf = (rates: Readonly<Record<number, number>>) =>
    findSaturation(Object.keys(rates).map(Number), async (width) => rates[width] ?? 0);

  it('is the last that brought more', async () => {
    assert.deepEqual(await saturationOf({ 8: 100, 16: 150, 32: 152, 64: 90, 128: 900 }), {
      width: 16,
      rate: 150,
    });
    assert.deepEqual(await saturationOf({ 8: 100, 16: 90, 32: 200 }), { width: 32, rate: 200 });
    assert.deepEqual(await saturationOf({ 8: 100, 16: 90 }), { width: 8, rate: 100 });
    assert.deepEqual(await saturationOf({ 8: 100, 16: 200 }), { width: 16, rate: 200 });
  });
});
