import { crc32 } from 'node:zlib';
import { HEAD_BYTES } from '../kernel/layout.ts';
import type { TiledIndex } from '../tiled-index.ts';
import type { SnapshotFile } from './snapshot-file.ts';
import { CHECKSUM_BYTES, snapshotBytes, writeHeader } from './snapshot-header.ts';

/** Copying and checking as much takes about half a millisecond; then the event loop gets a turn. */
const CHUNK_BYTES = 512 * 1024;

/** The index changed while it was written: what was copied before and after does not belong together. */
export class IndexChanged extends Error {
  override readonly name = 'IndexChanged';
}

/** Says how long the snapshot is. Questions may be asked meanwhile; a change of the index makes it reject with `IndexChanged`. */
export async function writeSnapshot(
  index: Pick<TiledIndex, 'arena' | 'changes'>,
  {
    file,
    dependsOn,
    signal,
  }: { readonly file: SnapshotFile; readonly dependsOn: string; readonly signal: AbortSignal },
): Promise<number> {
  const { arena, changes } = index;
  // Other threads may have let the memory grow.
  arena.refresh();
  // Questions take scratch memory as they need it. What is free, and how much is used, is what it was at one moment.
  const freeBlocks = arena.freeBlocks();
  const head = arena.u8.slice(0, HEAD_BYTES);
  const header = { dependsOn, memoryBytes: arena.usedBytes, freeBytes: freeBlocks.byteLength };
  const chunk = new Uint8Array(CHUNK_BYTES);
  let checksum = 0;
  await file.replace(snapshotBytes(header), async (append) => {
    async function add(bytes: Uint8Array): Promise<void> {
      signal.throwIfAborted();
      checksum = crc32(bytes, checksum);
      await append(bytes);
    }

    await add(writeHeader(header));
    for (let from = 0; from < header.memoryBytes; from += CHUNK_BYTES) {
      const copied = chunk.subarray(0, Math.min(CHUNK_BYTES, header.memoryBytes - from));
      copied.set(arena.u8.subarray(from, from + copied.length));
      if (from === 0) copied.set(head);
      if (index.changes !== changes) throw new IndexChanged();
      await add(copied);
    }
    const free = new Uint8Array(freeBlocks.buffer);
    for (let from = 0; from < free.length; from += CHUNK_BYTES) {
      await add(free.subarray(from, from + CHUNK_BYTES));
    }
    const end = Buffer.alloc(CHECKSUM_BYTES);
    end.writeUInt32LE(checksum);
    await append(end);
  });
  return snapshotBytes(header);
}
