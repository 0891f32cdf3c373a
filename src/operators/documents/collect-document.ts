import { createHash } from 'node:crypto';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import type { OwnedBytes } from '../../worker-thread.ts';

const MIN_CAPACITY = 16 * 1024;
/** Each costs the event loop some microseconds, also when it brings a single byte. The longest document comes in far fewer. */
const MAX_PIECES = 40_000;

export type CollectedDocument = {
  readonly bytes: OwnedBytes;
  /** Tells equal documents without keeping one of them; null when it was not asked for. */
  readonly digest: string | null;
};

/** Puts a document together as it arrives. Chunk by chunk, because to copy or to hash megabytes at once holds the event loop. */
export async function collectDocument(
  chunks: AsyncIterable<Uint8Array>,
  {
    maxBytes,
    expectedBytes = 0,
    withDigest = false,
  }: { readonly maxBytes: number; readonly expectedBytes?: number; readonly withDigest?: boolean },
): Promise<CollectedDocument> {
  if (expectedBytes > maxBytes) throw tooLarge(maxBytes);
  const hash = withDigest ? createHash('sha256') : null;
  let bytes = new Uint8Array(expectedBytes || MIN_CAPACITY);
  let length = 0;
  let pieces = 0;
  for await (const chunk of chunks) {
    pieces += 1;
    if (pieces > MAX_PIECES) {
      throw new BookingSystemFailure('too_large', `the document comes in more than ${MAX_PIECES} pieces`);
    }
    if (length + chunk.byteLength > maxBytes) throw tooLarge(maxBytes);
    if (length + chunk.byteLength > bytes.byteLength) {
      const capacity = Math.max(length + chunk.byteLength, bytes.byteLength * 2);
      bytes = new Uint8Array(bytes.buffer.transfer(Math.min(capacity, maxBytes)));
    }
    bytes.set(chunk, length);
    hash?.update(chunk);
    length += chunk.byteLength;
  }
  return { bytes: bytes.subarray(0, length), digest: hash?.digest('base64') ?? null };
}

function tooLarge(maxBytes: number): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `the document is longer than ${maxBytes} bytes`);
}
