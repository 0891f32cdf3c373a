import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FileTooLarge, fileBytes, linesIn, wholeLinesOf } from './plain-file.ts';

const patient = new AbortController().signal;
const TEXT = 'one line\nand another, ü漢\n'.repeat(50_000);

async function fileWith(t: TestContext, content: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'file-bytes-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file');
  await writeFile(path, content);
  return path;
}

async function contentOf(path: string, maxBytes = TEXT.length * 2, signal = patient): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of fileBytes(path, { maxBytes, signal }).chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('the bytes of a file', () => {
  it('are unpacked when they are gzip, whatever the file is called', async (t) => {
    assert.equal(await contentOf(await fileWith(t, TEXT)), TEXT);
    assert.equal(await contentOf(await fileWith(t, gzipSync(TEXT))), TEXT);
    assert.equal(await contentOf(await fileWith(t, '')), '');
    assert.equal(await contentOf(await fileWith(t, 'x')), 'x');
  });

  it('end where they would be too many, and count as they are unpacked', async (t) => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    const path = await fileWith(t, bomb);
    await assert.rejects(contentOf(path, 1024 * 1024), FileTooLarge);
    assert.equal((await contentOf(path, 32 * 1024 * 1024)).length, 32 * 1024 * 1024);
  });

  it('fail when the gzip data is damaged or cut', async (t) => {
    const packed = gzipSync(TEXT);
    await assert.rejects(contentOf(await fileWith(t, packed.subarray(0, packed.length / 2))), {
      code: 'Z_BUF_ERROR',
    });
    packed.fill(7, 20, 60);
    await assert.rejects(contentOf(await fileWith(t, packed)), { code: 'Z_DATA_ERROR' });
    await assert.rejects(contentOf('/nowhere/file'), { code: 'ENOENT' });
  });

  it('stop when they are told to, also in the middle', async (t) => {
    const path = await fileWith(t, gzipSync(TEXT));
    await assert.rejects(contentOf(path, TEXT.length * 2, AbortSignal.abort()), { name: 'AbortError' });
    const controller = new AbortController();
    const file = fileBytes(path, { maxBytes: TEXT.length * 2, signal: controller.signal });
    await assert.rejects(async () => {
      for await (const _ of file.chunks) controller.abort();
    });
  });
});

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
