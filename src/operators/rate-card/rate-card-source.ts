import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { createJsonClient } from '../http-client.ts';
import type { Unchanged } from '../json-response.ts';

/** Where an operator publishes its rate card. Every error is a `BookingSystemFailure`. */
export type RateCardSource = {
  /** Only a reading with the `version` of an earlier document can find it unchanged. */
  read(options: {
    readonly version: string | null;
    readonly signal: AbortSignal;
  }): Promise<RateCardDocument | Unchanged>;
  close(): Promise<void>;
};

export type RateCardDocument = {
  readonly kind: 'document';
  readonly json: string;
  /** The ETag of a URL, or what identifies the content of a file; null when there is none. */
  readonly version: string | null;
};

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export function rateCardFile(path: string): RateCardSource {
  return {
    async read({ version, signal }) {
      let bytes: Buffer;
      let currentVersion: string;
      try {
        // Before the content: a file that is written in between is read again the next time.
        const { size, mtimeNs, ino } = await stat(path, { bigint: true });
        currentVersion = [mtimeNs, size, ino].join(' ');
        signal.throwIfAborted();
        if (version === currentVersion) return { kind: 'unchanged' };
        if (size > MAX_BYTES)
          throw new BookingSystemFailure('too_large', `the rate card is longer than ${MAX_BYTES} bytes`);
        bytes = await readFile(path, { signal });
      } catch (cause) {
        if (cause instanceof BookingSystemFailure) throw cause;
        throw new BookingSystemFailure(
          signal.aborted ? 'timeout' : 'unreachable',
          'the rate card cannot be read',
          { cause },
        );
      }
      try {
        const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        return { kind: 'document', json, version: currentVersion };
      } catch (cause) {
        throw new BookingSystemFailure('garbled', 'the rate card is not UTF-8', { cause });
      }
    },
    close: async () => undefined,
  };
}

export function rateCardUrl({ url, clock }: { readonly url: string; readonly clock: Clock }): RateCardSource {
  const { origin, pathname, search } = new URL(url);
  const client = createJsonClient({ baseUrl: origin, token: null, connections: 1, clock });
  return {
    async read({ version, signal }) {
      const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal, etag: version };
      const answer = await client.get(pathname + search, options);
      if (answer.kind === 'unchanged') return answer;
      return { kind: 'document', json: answer.text, version: answer.etag };
    },
    close: () => client.close(),
  };
}
