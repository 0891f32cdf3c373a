import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import { MAX_PLAIN_LINE_BYTES } from './plain-line.ts';

const CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** A file being read. The first step of `chunks` opens it, the last one closes it. */
export type FileBytes = {
  /** Unpacked, when the file is gzip. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes read from the file itself, before unpacking. */
  bytesRead(): number;
};

export class FileTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the file holds more than ${maxBytes} bytes`);
    this.name = 'FileTooLarge';
  }
}

/** Recognises gzip by the first bytes, not by the name. `maxBytes` limits the unpacked size. */
export function fileBytes(
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): FileBytes {
  let bytesRead = () => 0;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    await using file = await open(path);
    const { buffer: start } = await file.read(new Uint8Array(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0);
    const isGzip = GZIP_MAGIC.every((byte, index) => start[index] === byte);
    const stream = file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES, autoClose: false, signal });
    bytesRead = () => stream.bytesRead;
    const unpacked = isGzip ? createGunzip({ chunkSize: CHUNK_BYTES }) : null;
    // A fault destroys the stream that the loop below reads, which then throws it.
    if (unpacked) pipeline(stream, unpacked).catch(() => undefined);
    let total = 0;
    try {
      for await (const chunk of unpacked ?? stream) {
        signal.throwIfAborted();
        total += chunk.length;
        if (total > maxBytes) throw new FileTooLarge(maxBytes);
        yield chunk;
      }
    } finally {
      stream.destroy();
      unpacked?.destroy();
    }
  }

  return { chunks: chunks(), bytesRead: () => bytesRead() };
}

const LINE_BREAK = 0x0a;
/** Few pieces per file, each read in some milliseconds. */
const MAX_PIECE_BYTES = 1024 * 1024;

/** A part of a file made of whole lines. Lines are counted from 1. */
type WholeLines = {
  readonly firstLine: number;
  readonly bytes: OwnedBytes;
  /** The line at `firstLine` is far too long: `bytes` is empty, and the piece has no other line. */
  readonly isTooLong: boolean;
};

/** Cuts a file between lines; one piece is in memory at a time. */
export async function* wholeLinesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WholeLines> {
  const piece = new Uint8Array(MAX_PIECE_BYTES + MAX_PLAIN_LINE_BYTES);
  let length = 0;
  let firstLine = 1;
  let isSkipping = false;

  /** Updates the state before yielding: the memory of the piece may move to another thread. */
  function* flush(end: number): Generator<WholeLines> {
    if (end === 0) return;
    const flushed = { firstLine, bytes: piece.slice(0, end), isTooLong: false };
    firstLine += linesEndedIn(flushed.bytes);
    piece.copyWithin(0, end, length);
    length -= end;
    yield flushed;
  }

  for await (const chunk of chunks) {
    let from = 0;
    while (from < chunk.length) {
      if (isSkipping) {
        const end = chunk.indexOf(LINE_BREAK, from);
        if (end < 0) break;
        from = end + 1;
        isSkipping = false;
        firstLine += 1;
        continue;
      }
      const taken = Math.min(chunk.length - from, piece.length - length);
      piece.set(chunk.subarray(from, from + taken), length);
      length += taken;
      from += taken;
      if (length < MAX_PIECE_BYTES) continue;
      const end = piece.lastIndexOf(LINE_BREAK, length - 1) + 1;
      yield* flush(end);
      if (length > MAX_PLAIN_LINE_BYTES) {
        yield { firstLine, bytes: new Uint8Array(0), isTooLong: true };
        length = 0;
        isSkipping = true;
      }
    }
  }
  yield* flush(length);
}

/** The lines of a piece with their numbers, without their line breaks. */
export function* linesIn(
  bytes: Uint8Array,
  firstLine: number,
): Generator<{ readonly line: number; readonly bytes: Uint8Array }> {
  let line = firstLine;
  let from = 0;
  while (from < bytes.length) {
    const found = bytes.indexOf(LINE_BREAK, from);
    const end = found < 0 ? bytes.length : found;
    yield { line, bytes: bytes.subarray(from, end) };
    line += 1;
    from = end + 1;
  }
}

function linesEndedIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_BREAK); at >= 0; at = bytes.indexOf(LINE_BREAK, at + 1)) count += 1;
  return count;
}
