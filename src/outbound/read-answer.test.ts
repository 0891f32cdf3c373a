import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { collectDocument } from './read-answer.ts';

async function* piecesOf(count: number, piece: string) {
  const bytes = new TextEncoder().encode(piece);
  for (let sent = 0; sent < count; sent += 1) yield bytes;
}

const isTooLarge = (fault: unknown) => fault instanceof BookingSystemFailure && fault.kind === 'too_large';

describe('a document that arrives in pieces', () => {
  it('is put together, with the digest of the whole', async () => {
    const parted = await collectDocument(piecesOf(5000, 'abcd'), { maxBytes: 20_000, withDigest: true });
    const whole = await collectDocument(piecesOf(1, 'abcd'.repeat(5000)), {
      maxBytes: 20_000,
      withDigest: true,
    });
    assert.deepEqual(parted, whole);
    assert.equal(new TextDecoder().decode(parted.bytes), 'abcd'.repeat(5000));
  });

  it('may have as many bytes as are allowed, and not one more', async () => {
    assert.equal((await collectDocument(piecesOf(10, 'ab'), { maxBytes: 20 })).bytes.byteLength, 20);
    await assert.rejects(collectDocument(piecesOf(11, 'ab'), { maxBytes: 20 }), isTooLarge);
    await assert.rejects(collectDocument(piecesOf(1, 'ab'), { maxBytes: 20, expectedBytes: 21 }), isTooLarge);
  });

  it('is given up when it comes byte by byte', async () => {
    let sent = 0;
    async function* drip() {
      for await (const piece of piecesOf(1_000_000, 'a')) {
        sent += 1;
        yield piece;
      }
    }
    await assert.rejects(collectDocument(drip(), { maxBytes: 10_000_000 }), isTooLarge);
    assert.ok(sent < 50_000, `${sent} pieces were taken`);
  });
});
