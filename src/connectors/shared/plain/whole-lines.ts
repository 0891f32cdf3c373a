import type { OwnedBytes } from '../../../parsing/owned-memory.ts';
import { MAX_PLAIN_LINE_BYTES } from './plain-format.ts';

const LINE_BREAK = 0x0a;
/** Large enough that few pieces are needed, small enough that a piece is read in some milliseconds. */
const MAX_PIECE_BYTES = 1024 * 1024;

/** A part of a file that begins and ends with a line. Lines are counted from 1. */
export type WholeLines = {
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
