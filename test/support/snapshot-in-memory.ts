import type { SnapshotFile } from '../../src/availability/snapshot/snapshot.ts';

/** A snapshot that a test can look into and damage. */
export type SnapshotInMemory = SnapshotFile & { content: Uint8Array | undefined };

export function createSnapshotInMemory(content?: Uint8Array): SnapshotInMemory {
  return {
    content,
    async replace(bytes, fill) {
      const chunks: Uint8Array[] = [];
      await fill(async (chunk) => {
        chunks.push(chunk.slice());
        // A disk takes its time, and others go on.
        await new Promise<void>((resolve) => setImmediate(resolve));
      });
      const whole = new Uint8Array(Buffer.concat(chunks));
      if (whole.length !== bytes) throw new Error(`${whole.length} bytes instead of ${bytes}`);
      this.content = whole;
    },
    async open() {
      const { content: stored } = this;
      if (!stored) return undefined;
      let at = 0;
      return {
        bytes: stored.length,
        async read(target) {
          if (at + target.length > stored.length) throw new Error('it ends here');
          target.set(stored.subarray(at, at + target.length));
          at += target.length;
        },
        close: async () => undefined,
      };
    },
  };
}
