import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import type { OwnedBytes } from '../parsing/owned-memory.ts';

/** An unparsed answer: only the intake reads its bytes. */
export type HttpAnswer = {
  readonly kind: 'document';
  readonly status: number;
  readonly bytes: OwnedBytes;
  /** Equal for equal bytes; null unless requested. */
  readonly digest: string | null;
  readonly etag: string | null;
  readonly header: ReadHeader;
};
/** The document still has the etag that the request named. */
export type Unchanged = { readonly kind: 'unchanged' };

/** The value of a header; undefined when it is missing or repeated. */
export type ReadHeader = (name: string) => string | undefined;

/** The content types that an answer may declare. */
export const ANSWER_TYPES = {
  json: { accept: 'application/json', pattern: /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i },
  page: { accept: 'text/html,*/*;q=0.5', pattern: /^/ },
  calendar: { accept: 'text/calendar', pattern: /^text\/(?:calendar|plain)\s*(?:;|$)/i },
  keys: {
    accept:
      'application/http-message-signatures-directory+json,application/jwk-set+json;q=0.9,application/json;q=0.8',
    pattern: /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i,
  },
  ranges: {
    accept: 'application/json,text/plain;q=0.5',
    pattern: /^(?:application\/(?:[a-z0-9.+-]{1,60}\+)?json|text\/(?:json|plain))\s*(?:;|$)/i,
  },
} as const;
export type AnswerType = keyof typeof ANSWER_TYPES;

export type ReadingLimits = {
  readonly type: AnswerType;
  /** Statuses besides 200 whose answer is a document. */
  readonly statuses: readonly number[];
  readonly maxBytes: number;
  readonly withDigest: boolean;
};

const UNCHANGED: AnswerCollector = { add: () => undefined, end: () => ({ kind: 'unchanged' }) };
const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;
// Sent back in a header, so only characters allowed there.
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

/** Collects the body of an answer. */
export type AnswerCollector = {
  add(chunk: Uint8Array): void;
  end(): HttpAnswer | Unchanged;
};

export function headerReader(headers: IncomingHttpHeaders): ReadHeader {
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
}

/** Throws a `BookingSystemFailure` when the answer is neither a document of the requested type nor a 304. */
export function beginAnswer(
  status: number,
  header: ReadHeader,
  { type, statuses, maxBytes, withDigest }: ReadingLimits,
): AnswerCollector {
  if (status === 304) return UNCHANGED;
  if (status !== 200 && !statuses.includes(status)) throw failureOf(status);
  const contentType = header('content-type') ?? '';
  if (!ANSWER_TYPES[type].pattern.test(contentType) || OTHER_CHARSET.test(contentType)) {
    // An error page: the status says more than the content type.
    if (status >= 400) throw failureOf(status);
    throw new BookingSystemFailure(
      'garbled',
      `the answer is not declared as ${ANSWER_TYPES[type].accept} in UTF-8`,
    );
  }
  if ((header('content-encoding') ?? 'identity') !== 'identity') {
    throw new BookingSystemFailure('garbled', 'the answer is compressed, which was not asked for');
  }
  const expectedBytes = announcedBytes(header);
  const document = createDocumentCollector({ maxBytes, expectedBytes, withDigest });
  return {
    add: document.add,
    end() {
      const etag = header('etag') ?? '';
      return {
        kind: 'document',
        status,
        ...document.end(),
        etag: ETAG.test(etag) ? etag : null,
        header,
      };
    },
  };
}

/** From `content-length`; 0 when missing. */
export function announcedBytes(header: ReadHeader): number {
  const announced = Number(header('content-length') ?? 0);
  return Number.isSafeInteger(announced) ? announced : 0;
}

export function failureOf(status: number): BookingSystemFailure {
  return new BookingSystemFailure(failureKindOf(status), `the operator answered with ${status}`, { status });
}

function failureKindOf(status: number): FailureKind {
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'rejected';
  // Redirects are not followed: only the address in the network file is trusted.
  return 'garbled';
}

const MIN_GROWN_CAPACITY = 16 * 1024;
/** Each piece costs some microseconds, even one of a single byte. The longest document arrives in far fewer. */
const MAX_PIECES = 40_000;

export type CollectedDocument = {
  readonly bytes: OwnedBytes;
  /** Recognises equal documents without storing one; null unless requested. */
  readonly digest: string | null;
};

type CollectingLimits = {
  readonly maxBytes: number;
  /** 0 when unknown. */
  readonly expectedBytes?: number;
  readonly withDigest?: boolean;
};

/** Collects a document chunk by chunk, because copying or hashing megabytes in one step would hold the event loop. */
type DocumentCollector = {
  /** Copies the chunk. Throws a `BookingSystemFailure` beyond the limits. */
  add(chunk: Uint8Array): void;
  /** Returns the whole document; adds no more chunks. */
  end(): CollectedDocument;
};

function createDocumentCollector({
  maxBytes,
  expectedBytes = 0,
  withDigest = false,
}: CollectingLimits): DocumentCollector {
  if (expectedBytes > maxBytes) throw tooLarge(maxBytes);
  const hash = withDigest ? createHash('sha256') : null;
  let bytes = new Uint8Array(expectedBytes);
  let length = 0;
  let pieces = 0;

  function growFor(added: number): void {
    // Most answers to a quote call arrive in one chunk, even without an announced length.
    const capacity = pieces === 1 ? added : Math.max(length + added, length * 2, MIN_GROWN_CAPACITY);
    bytes = new Uint8Array(bytes.buffer.transfer(Math.min(capacity, maxBytes)));
  }

  return {
    add(chunk) {
      pieces += 1;
      if (pieces > MAX_PIECES) {
        throw new BookingSystemFailure('too_large', `the document comes in more than ${MAX_PIECES} pieces`);
      }
      const added = chunk.byteLength;
      if (length + added > maxBytes) throw tooLarge(maxBytes);
      if (length + added > bytes.byteLength) growFor(added);
      bytes.set(chunk, length);
      hash?.update(chunk);
      length += added;
    },
    end: () => ({ bytes: bytes.subarray(0, length), digest: hash?.digest('base64') ?? null }),
  };
}

export async function collectDocument(
  chunks: AsyncIterable<Uint8Array>,
  limits: CollectingLimits,
): Promise<CollectedDocument> {
  const document = createDocumentCollector(limits);
  for await (const chunk of chunks) document.add(chunk);
  return document.end();
}

function tooLarge(maxBytes: number): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `the document is longer than ${maxBytes} bytes`);
}

/** `Retry-After` in seconds or as a date, in milliseconds from `now`; undefined when there is none. */
export function retryAfterMs(header: ReadHeader, now: number): number | undefined {
  const text = header('retry-after')?.trim() ?? '';
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` accepts nearly any text.
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
