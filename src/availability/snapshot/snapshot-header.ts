/**
 * A snapshot is a header, the memory of an index, the list of its free blocks, and a checksum over all of that. The header is a
 * line of text, so that whoever looks into the file sees what it is.
 */
export type SnapshotHeader = {
  /** A digest: see `dependenciesOf`. */
  readonly dependsOn: string;
  readonly memoryBytes: number;
  readonly freeBytes: number;
};

const FORMAT = 1;
export const HEADER_BYTES = 256;
export const CHECKSUM_BYTES = 4;

export function writeHeader({ dependsOn, memoryBytes, freeBytes }: SnapshotHeader): Uint8Array {
  const text = JSON.stringify({
    staywire_index: FORMAT,
    depends_on: dependsOn,
    memory_bytes: memoryBytes,
    free_bytes: freeBytes,
  });
  return Buffer.from(`${text.padEnd(HEADER_BYTES - 1)}\n`);
}

/** Undefined for what is no header of this format. */
export function readHeader(bytes: Uint8Array): SnapshotHeader | undefined {
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

export function snapshotBytes({ memoryBytes, freeBytes }: SnapshotHeader): number {
  return HEADER_BYTES + memoryBytes + freeBytes + CHECKSUM_BYTES;
}
