import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

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
