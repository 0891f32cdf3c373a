import { crc32 } from 'node:zlib';
import { type Arena, createMemory, restoreArena } from '../arena.ts';
import { HEAD_BYTES, HEAD_USED } from '../kernel/layout.ts';
import type { TiledIndex } from '../tiled-index.ts';

/** Storage of the one snapshot of an index. */
export type SnapshotFile = {
  /**
   * Replaces the last snapshot by the `bytes` that `fill` appends, once all of them are on disk. If anything fails before, including
   * `fill`, the last one stays.
   */
  replace(
    bytes: number,
    fill: (append: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Undefined when there is no snapshot. */
  open(): Promise<StoredSnapshot | undefined>;
};

export type StoredSnapshot = {
  readonly bytes: number;
  /** Fills `target` with the next bytes; rejects when fewer are left. */
  read(target: Uint8Array): Promise<void>;
  close(): Promise<void>;
};

/**
 * A snapshot is a header, the memory of an index, the list of its free blocks, and a checksum over all of them. The header is a line
 * of text, so that a person who opens the file can identify it.
 */
type SnapshotHeader = {
  /** A digest: see `dependenciesOf`. */
  readonly dependsOn: string;
  readonly memoryBytes: number;
  readonly freeBytes: number;
};

const FORMAT = 1;
export const HEADER_BYTES = 256;
const CHECKSUM_BYTES = 4;

function writeHeader({ dependsOn, memoryBytes, freeBytes }: SnapshotHeader): Uint8Array {
  const text = JSON.stringify({
    staywire_index: FORMAT,
    depends_on: dependsOn,
    memory_bytes: memoryBytes,
    free_bytes: freeBytes,
  });
  return Buffer.from(`${text.padEnd(HEADER_BYTES - 1)}\n`);
}

/** Undefined for any other format. */
function readHeader(bytes: Uint8Array): SnapshotHeader | undefined {
  try {
    const { staywire_index, depends_on, memory_bytes, free_bytes } = JSON.parse(
      Buffer.from(bytes).toString(),
    );
    if (staywire_index !== FORMAT) return undefined;
    return {
      dependsOn: String(depends_on),
      memoryBytes: Number(memory_bytes),
      freeBytes: Number(free_bytes),
    };
  } catch {
    return undefined;
  }
}

function snapshotBytes({ memoryBytes, freeBytes }: SnapshotHeader): number {
  return HEADER_BYTES + memoryBytes + freeBytes + CHECKSUM_BYTES;
}

export type SnapshotReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly arena: Arena; readonly bytes: number }
  | { readonly kind: 'refused'; readonly reason: string };

const READ_CHUNK_BYTES = 1024 * 1024;

/** Refuses a snapshot that is incomplete or was written for other dependencies. Never rejects. */
export async function readSnapshot(file: SnapshotFile, dependsOn: string): Promise<SnapshotReading> {
  let stored: StoredSnapshot | undefined;
  try {
    stored = await file.open();
    if (!stored) return { kind: 'none' };
    return await readStored(stored, dependsOn);
  } catch (error) {
    return refused(`cannot be read: ${String(error)}`);
  } finally {
    await stored?.close();
  }
}

async function readStored(stored: StoredSnapshot, dependsOn: string): Promise<SnapshotReading> {
  const start = new Uint8Array(HEADER_BYTES);
  if (stored.bytes < HEADER_BYTES) return refused('is too short');
  await stored.read(start);
  const header = readHeader(start);
  if (!header) return refused('is of another format');
  if (header.dependsOn !== dependsOn) {
    return refused('was written for other places of the network or by another version of the software');
  }
  // Checked before allocating memory, so that a wrong header cannot allocate more than the file has.
  if (snapshotBytes(header) !== stored.bytes) return refused('is not whole');

  const memory = createMemory(header.memoryBytes);
  const bytes = new Uint8Array(memory.buffer, 0, header.memoryBytes);
  const free = new Uint8Array(header.freeBytes);
  let checksum = crc32(start);
  for (const part of [bytes, free]) {
    for (let from = 0; from < part.length; from += READ_CHUNK_BYTES) {
      const chunk = part.subarray(from, from + READ_CHUNK_BYTES);
      await stored.read(chunk);
      checksum = crc32(chunk, checksum);
    }
  }
  const end = Buffer.alloc(CHECKSUM_BYTES);
  await stored.read(end);
  if (end.readUInt32LE() !== checksum) return refused('is damaged: its checksum differs');
  if (new DataView(memory.buffer).getUint32(HEAD_USED, true) !== header.memoryBytes) {
    return refused('is damaged: its memory has another size');
  }
  return { kind: 'read', arena: restoreArena(memory, new Uint32Array(free.buffer)), bytes: stored.bytes };
}

function refused(reason: string): SnapshotReading {
  return { kind: 'refused', reason };
}

/** Copying and checking this much takes about half a millisecond; then the event loop gets a turn. */
const WRITE_CHUNK_BYTES = 512 * 1024;

/** The index changed while it was written, so the parts copied before and after are inconsistent. */
export class IndexChanged extends Error {
  override readonly name = 'IndexChanged';
}

/** Resolves with the length of the snapshot. Questions are allowed meanwhile; a change of the index rejects with `IndexChanged`. */
export async function writeSnapshot(
  index: Pick<TiledIndex, 'arena' | 'changes'>,
  {
    file,
    dependsOn,
    signal,
  }: { readonly file: SnapshotFile; readonly dependsOn: string; readonly signal: AbortSignal },
): Promise<number> {
  const { arena, changes } = index;
  // Questions allocate scratch memory meanwhile, so free blocks and used size are read together.
  const freeBlocks = arena.freeBlocks();
  const head = arena.u8.slice(0, HEAD_BYTES);
  const header = { dependsOn, memoryBytes: arena.usedBytes(), freeBytes: freeBlocks.byteLength };
  const chunk = new Uint8Array(WRITE_CHUNK_BYTES);
  let checksum = 0;
  await file.replace(snapshotBytes(header), async (append) => {
    async function add(bytes: Uint8Array): Promise<void> {
      signal.throwIfAborted();
      checksum = crc32(bytes, checksum);
      await append(bytes);
    }

    await add(writeHeader(header));
    for (let from = 0; from < header.memoryBytes; from += WRITE_CHUNK_BYTES) {
      const copied = chunk.subarray(0, Math.min(WRITE_CHUNK_BYTES, header.memoryBytes - from));
      copied.set(arena.u8.subarray(from, from + copied.length));
      if (from === 0) copied.set(head);
      if (index.changes !== changes) throw new IndexChanged();
      await add(copied);
    }
    const free = new Uint8Array(freeBlocks.buffer);
    for (let from = 0; from < free.length; from += WRITE_CHUNK_BYTES) {
      await add(free.subarray(from, from + WRITE_CHUNK_BYTES));
    }
    const end = Buffer.alloc(CHECKSUM_BYTES);
    end.writeUInt32LE(checksum);
    await append(end);
  });
  return snapshotBytes(header);
}
