import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FileTooLarge, fileBytes } from './file-bytes.ts';

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

  it('tell how much of the file was read', async (t) => {
    const packed = gzipSync(TEXT);
    const file = fileBytes(await fileWith(t, packed), { maxBytes: TEXT.length * 2, signal: patient });
    assert.equal(file.bytesRead(), 0);
    for await (const _ of file.chunks) assert.ok(file.bytesRead() <= packed.length);
    assert.equal(file.bytesRead(), packed.length);
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

  it('need not be read to their end', async (t) => {
    const path = await fileWith(t, gzipSync(TEXT));
    for await (const chunk of fileBytes(path, { maxBytes: TEXT.length * 2, signal: patient }).chunks) {
      assert.ok(chunk.length > 0);
      break;
    }
  });
});
