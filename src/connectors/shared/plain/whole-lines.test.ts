import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { linesIn, wholeLinesOf } from './whole-lines.ts';

const MIB = 1024 * 1024;

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function linesOf(text: string, chunkSize: number): Promise<(readonly [number, string | null])[]> {
  const lines: (readonly [number, string | null])[] = [];
  for await (const piece of wholeLinesOf(inChunks(Buffer.from(text), chunkSize))) {
    if (piece.isTooLong) lines.push([piece.firstLine, null]);
    for (const { line, bytes } of linesIn(piece.bytes, piece.firstLine)) {
      // One that is a little too long comes along, and is for its reader to refuse.
      lines.push([line, bytes.length > MIB ? null : Buffer.from(bytes).toString()]);
    }
  }
  return lines;
}

/** The plain way, with everything in memory. */
function plainLines(text: string): (readonly [number, string | null])[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, index) => [index + 1, line.length > MIB ? null : line] as const);
}

describe('the lines of a file', () => {
  it('are the same in whatever chunks it comes', async () => {
    const text = fc.array(fc.constantFrom('', 'a', 'bb', 'ü漢🏡', '\r'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (lines, ends, size) => {
        const whole = lines.join('\n') + (ends ? '\n' : '');
        assert.deepEqual(await linesOf(whole, size), plainLines(whole));
      }),
    );
  });

  it('may be a mebibyte long; a longer one is left out alone, and counted', async () => {
    for (const lengths of [[MIB, 3], [MIB + 1, 3], [5, 4 * MIB, 7, MIB, MIB, 2 * MIB], [3 * MIB]]) {
      const text = lengths.map((length, index) => String(index % 10).repeat(length)).join('\n');
      for (const size of [64 * 1024, 10 * MIB, 999_983]) {
        const [found, expected] = [await linesOf(`${text}\n`, size), plainLines(`${text}\n`)];
        assert.deepEqual(
          found.map(([line, bytes]) => [line, bytes?.length]),
          expected.map(([line, bytes]) => [line, bytes?.length]),
          `${lengths} in chunks of ${size}`,
        );
        assert.ok(found.every(([, bytes], index) => bytes === expected[index]?.[1]));
      }
    }
  });
});
