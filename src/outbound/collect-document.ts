import { createHash } from 'node:crypto';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../parsing/owned-memory.ts';

const MIN_GROWN_CAPACITY = 16 * 1024;
/** Each costs the event loop some microseconds, also when it brings a single byte. The longest document comes in far fewer. */
const MAX_PIECES = 40_000;

export type CollectedDocument = {
  readonly bytes: OwnedBytes;
  /** Tells equal documents without keeping one of them; null when it was not asked for. */
  readonly digest: string | null;
};

export type CollectingLimits = {
  readonly maxBytes: number;
  /** 0 when it is not known. */
  readonly expectedBytes?: number;
  readonly withDigest?: boolean;
};

/** Puts a document together as it arrives. Chunk by chunk, because to copy or to hash megabytes at once holds the event loop. */
export type DocumentCollector = {
  /** Copies the chunk. Throws a `BookingSystemFailure` when it is one too many. */
  add(chunk: Uint8Array): void;
  /** The whole; nothing can be added any more. */
  end(): CollectedDocument;
};

export function createDocumentCollector({
  maxBytes,
  expectedBytes = 0,
  withDigest = false,
}: CollectingLimits): DocumentCollector {
  if (expectedBytes > maxBytes) throw tooLarge(maxBytes);
  const hash = withDigest ? createHash('sha256') : null;
  let bytes = new Uint8Array(expectedBytes);
  let length = 0;
  let pieces = 0;

  function makeRoomFor(added: number): void {
    // Most answers to a quote call come whole in their first chunk, also when their length was not announced.
    const capacity = pieces === 1 ? added : Math.max(length + added, length * 2, MIN_GROWN_CAPACITY);
    bytes = new Uint8Array(bytes.buffer.transfer(Math.min(capacity, maxBytes)));
  }

  return {
    add(chunk) {
      pieces += 1;
      if (pieces > MAX_PIECES) {
        throw new BookingSystemFailure('too_large', `the document comes in more than ${MAX_PIECES} pieces`);
      }
      const added = chunk.byteLength;
      if (length + added > maxBytes) throw tooLarge(maxBytes);
      if (length + added > bytes.byteLength) makeRoomFor(added);
      bytes.set(chunk, length);
      hash?.update(chunk);
      length += added;
    },
    end: () => ({ bytes: bytes.subarray(0, length), digest: hash?.digest('base64') ?? null }),
  };
}

export async function collectDocument(
  chunks: AsyncIterable<Uint8Array>,
  limits: CollectingLimits,
): Promise<CollectedDocument> {
  const document = createDocumentCollector(limits);
  for await (const chunk of chunks) document.add(chunk);
  return document.end();
}

function tooLarge(maxBytes: number): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `the document is longer than ${maxBytes} bytes`);
}
