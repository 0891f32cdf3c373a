import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { createJsonClient } from '../http-client.ts';
import type { Unchanged } from '../json-response.ts';

/** Where an operator publishes its rate card. Every error is a `BookingSystemFailure`. */
export type RateCardSource = {
  /** Only a reading with the `etag` of an earlier document can find it unchanged. */
  read(options: {
    readonly etag: string | null;
    readonly signal: AbortSignal;
  }): Promise<RateCardDocument | Unchanged>;
  close(): Promise<void>;
};

export type RateCardDocument = {
  readonly kind: 'document';
  readonly json: string;
  readonly etag: string | null;
};

const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export function rateCardFile(path: string): RateCardSource {
  return {
    async read({ signal }) {
      let bytes: Buffer;
      try {
        const { size } = await stat(path);
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
        return { kind: 'document', json, etag: null };
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
    async read({ etag, signal }) {
      const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal, etag };
      const answer = await client.get(pathname + search, options);
      if (answer.kind === 'unchanged') return answer;
      return { kind: 'document', json: answer.text, etag: answer.etag };
    },
    close: () => client.close(),
  };
}
