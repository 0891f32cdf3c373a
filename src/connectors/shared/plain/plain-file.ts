import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import { MAX_PLAIN_LINE_BYTES } from './plain-line.ts';

const CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** A file on its way to being read. It is opened by the first step of `chunks`, and closed by the last. */
export type FileBytes = {
  /** Unpacked, when the file is gzip. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** How much of the file itself has been read. */
  bytesRead(): number;
};

export class FileTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the file holds more than ${maxBytes} bytes`);
    this.name = 'FileTooLarge';
  }
}

/** What a file is packed with is told by its first bytes, not by its name. `maxBytes` counts what is unpacked. */
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
    // Its fault destroys the stream that is read below, which throws it there.
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
/** Large enough that few pieces are needed, small enough that a piece is read in some milliseconds. */
const MAX_PIECE_BYTES = 1024 * 1024;

/** A part of a file that begins and ends with a line. Lines are counted from 1. */
type WholeLines = {
  readonly firstLine: number;
  readonly bytes: OwnedBytes;
  /** The line at `firstLine` is far longer than a line may be: nothing of it is in `bytes`, and the piece holds no other line. */
  readonly isTooLong: boolean;
};

/** Cuts a file between its lines, with one piece of it in memory at a time. */
export async function* wholeLinesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WholeLines> {
  const piece = new Uint8Array(MAX_PIECE_BYTES + MAX_PLAIN_LINE_BYTES);
  let length = 0;
  let firstLine = 1;
  let isSkipping = false;

  /** Ready before it is given away: its memory may move to another thread. */
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
