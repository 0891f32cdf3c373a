import { open, stat } from 'node:fs/promises';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { type CollectedDocument, collectDocument } from '../../../outbound/collect-document.ts';
import { createJsonClient } from '../../../outbound/json-client.ts';
import type { OpenClient } from '../../../outbound/operator-client.ts';
import type { Unchanged } from '../../../outbound/read-answer.ts';
import type { OwnedBytes } from '../../../parsing/owned-memory.ts';

/** Where an operator publishes a document that stays are priced from. Every error is a `BookingSystemFailure`. */
export type DocumentSource = {
  /** Only a reading with the `version` of an earlier document can find it unchanged. */
  read(options: {
    readonly version: string | null;
    readonly signal: AbortSignal;
  }): Promise<PublishedDocument | Unchanged>;
  close(): Promise<void>;
};

export type PublishedDocument = {
  readonly kind: 'document';
  readonly bytes: OwnedBytes;
  /** Equal for equal bytes. */
  readonly digest: string | null;
  /** The ETag of a URL, or what identifies the content of a file; null when there is none. */
  readonly version: string | null;
};

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 256 * 1024;
/** One for a reading in the background, and one for a price that does not wait for it. */
const CONNECTIONS = 2;

export function documentFile(path: string): DocumentSource {
  return {
    async read({ version, signal }) {
      try {
        // Before the content: a file that is written in between is read again the next time.
        const { size, mtimeNs, ino } = await stat(path, { bigint: true });
        const currentVersion = [mtimeNs, size, ino].join(' ');
        signal.throwIfAborted();
        if (version === currentVersion) return { kind: 'unchanged' };
        const document = await readDocument(path, Number(size), signal);
        return { kind: 'document', ...document, version: currentVersion };
      } catch (cause) {
        if (cause instanceof BookingSystemFailure) throw cause;
        throw new BookingSystemFailure(
          signal.aborted ? 'timeout' : 'unreachable',
          'the document cannot be read',
          { cause },
        );
      }
    },
    close: async () => undefined,
  };
}

async function readDocument(path: string, size: number, signal: AbortSignal): Promise<CollectedDocument> {
  await using file = await open(path);
  const chunks = file.createReadStream({ highWaterMark: CHUNK_BYTES, signal });
  return await collectDocument(chunks, { maxBytes: MAX_BYTES, expectedBytes: size, withDigest: true });
}

export function documentUrl({
  url,
  openClient,
}: {
  readonly url: string;
  readonly openClient: OpenClient;
}): DocumentSource {
  const { origin, pathname, search } = new URL(url);
  const client = createJsonClient({ openClient, baseUrl: origin, token: null, connections: CONNECTIONS });
  return {
    async read({ version, signal }) {
      const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal, etag: version };
      const answer = await client.get(pathname + search, options);
      if (answer.kind === 'unchanged') return answer;
      const { bytes, digest } = answer;
      return { kind: 'document', bytes, digest, version: answer.etag };
    },
    close: () => client.close(),
  };
}
