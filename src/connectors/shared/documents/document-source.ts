import { open, stat } from 'node:fs/promises';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { createJsonClient, type OpenClient } from '../../../outbound/http-client.ts';
import { collectDocument, type Unchanged } from '../../../outbound/read-answer.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';

/** The place where an operator publishes a document for pricing. Every error is a `BookingSystemFailure`. */
export type DocumentSource = {
  /** Returns `Unchanged` only if `version` names an earlier document. */
  read(options: {
    readonly version: string | null;
    readonly signal: AbortSignal;
  }): Promise<PublishedDocument | Unchanged>;
  close(): Promise<void>;
};

type PublishedDocument = {
  readonly kind: 'document';
  readonly bytes: OwnedBytes;
  /** Equal for equal bytes. */
  readonly digest: string | null;
  /** The ETag of a URL, or the version of a file; null when there is none. */
  readonly version: string | null;
};

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 256 * 1024;
/** One for background readings, and one for prices. */
const CONNECTIONS = 2;

/** Changes whenever the file is written. */
export async function fileVersion(path: string): Promise<string> {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  return [mtimeNs, size, ino].join(' ');
}

export function documentFile(path: string): DocumentSource {
  return {
    async read({ version, signal }) {
      try {
        // Before the content: a file written in between is read again next time.
        const current = await fileVersion(path);
        signal.throwIfAborted();
        if (version === current) return { kind: 'unchanged' };
        await using file = await open(path);
        const { size } = await file.stat();
        const chunks = file.createReadStream({ highWaterMark: CHUNK_BYTES, signal });
        const limits = { maxBytes: MAX_BYTES, expectedBytes: size, withDigest: true };
        return { kind: 'document', ...(await collectDocument(chunks, limits)), version: current };
      } catch (cause) {
        if (cause instanceof BookingSystemFailure) throw cause;
        const kind = signal.aborted ? 'timeout' : 'unreachable';
        throw new BookingSystemFailure(kind, 'the document cannot be read', { cause });
      }
    },
    close: async () => undefined,
  };
}

export function documentUrl(url: string, openClient: OpenClient): DocumentSource {
  const { origin, pathname, search } = new URL(url);
  const client = createJsonClient({ openClient, baseUrl: origin, token: null, connections: CONNECTIONS });
  return {
    async read({ version, signal }) {
      const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal, etag: version };
      const answer = await client.get(pathname + search, options);
      if (answer.kind === 'unchanged') return answer;
      const { bytes, digest, etag } = answer;
      return { kind: 'document', bytes, digest, version: etag };
    },
    close: () => client.close(),
  };
}
