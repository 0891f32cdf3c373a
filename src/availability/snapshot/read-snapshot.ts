import { crc32 } from 'node:zlib';
import { type Arena, createMemory, restoreArena } from '../arena.ts';
import { HEAD_USED } from '../kernel/layout.ts';
import type { SnapshotFile, StoredSnapshot } from './snapshot-file.ts';
import { CHECKSUM_BYTES, HEADER_BYTES, readHeader, snapshotBytes } from './snapshot-header.ts';

export type SnapshotReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly arena: Arena; readonly bytes: number }
  | { readonly kind: 'refused'; readonly reason: string };

const CHUNK_BYTES = 1024 * 1024;

/** Takes nothing from a snapshot that is not whole, or that was not written for just these dependencies. Never rejects. */
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
  // Before any memory is taken for it: it can be no more than the file has.
  if (snapshotBytes(header) !== stored.bytes) return refused('is not whole');

  const memory = createMemory(header.memoryBytes);
  const bytes = new Uint8Array(memory.buffer, 0, header.memoryBytes);
  const free = new Uint8Array(header.freeBytes);
  let checksum = crc32(start);
  for (const part of [bytes, free]) {
    for (let from = 0; from < part.length; from += CHUNK_BYTES) {
      const chunk = part.subarray(from, from + CHUNK_BYTES);
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
