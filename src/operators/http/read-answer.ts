import type { Dispatcher } from 'undici';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import type { OwnedBytes } from '../../worker-thread.ts';
import { collectDocument } from '../documents/collect-document.ts';

/** An answer as it came: only the intake reads its bytes. */
export type OperatorAnswer = {
  readonly kind: 'document';
  readonly status: number;
  readonly bytes: OwnedBytes;
  /** Equal for equal bytes; null when it was not asked for. */
  readonly digest: string | null;
  readonly etag: string | null;
  readonly header: ReadHeader;
};
/** The document still has the etag that the request named. */
export type Unchanged = { readonly kind: 'unchanged' };

/** A header that came once; undefined for one that is missing or came several times. */
export type ReadHeader = (name: string) => string | undefined;

/** What an answer has to be declared as. */
export const ANSWER_TYPES = {
  json: { accept: 'application/json', pattern: /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i },
  page: { accept: 'text/html,*/*;q=0.5', pattern: /^/ },
  calendar: { accept: 'text/calendar', pattern: /^text\/(?:calendar|plain)\s*(?:;|$)/i },
} as const;
export type AnswerType = keyof typeof ANSWER_TYPES;

export type ReadingLimits = {
  readonly type: AnswerType;
  /** Statuses that bring a document; 200 always does. */
  readonly statuses: readonly number[];
  readonly maxBytes: number;
  readonly withDigest: boolean;
};

const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;
// It is sent back in a header, so only characters that a header can carry.
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

export function headersOf({ headers }: Pick<Dispatcher.ResponseData, 'headers'>): ReadHeader {
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
}

/** Rejects with a `BookingSystemFailure` when the answer is neither a document of the type asked for nor a 304. */
export async function readAnswer(
  response: Dispatcher.ResponseData,
  { type, statuses, maxBytes, withDigest }: ReadingLimits,
): Promise<OperatorAnswer | Unchanged> {
  const { statusCode, body } = response;
  const header = headersOf(response);
  try {
    if (statusCode === 304) return { kind: 'unchanged' };
    if (statusCode !== 200 && !statuses.includes(statusCode)) throw failureOf(statusCode);
    const contentType = header('content-type') ?? '';
    if (!ANSWER_TYPES[type].pattern.test(contentType) || OTHER_CHARSET.test(contentType)) {
      // A page instead of a document, from a server that says itself that something is wrong.
      if (statusCode >= 400) throw failureOf(statusCode);
      throw new BookingSystemFailure(
        'garbled',
        `the answer is not declared as ${ANSWER_TYPES[type].accept} in UTF-8`,
      );
    }
    if ((header('content-encoding') ?? 'identity') !== 'identity') {
      throw new BookingSystemFailure('garbled', 'the answer is compressed, which was not asked for');
    }
    const announced = Number(header('content-length') ?? 0);
    const expectedBytes = Number.isSafeInteger(announced) ? announced : 0;
    const document = await collectDocument(body, { maxBytes, expectedBytes, withDigest });
    const etag = header('etag') ?? '';
    return {
      kind: 'document',
      status: statusCode,
      ...document,
      etag: ETAG.test(etag) ? etag : null,
      header,
    };
  } finally {
    // The rest of a short body is read so that its connection can be reused; a longer one closes the connection.
    // Not awaited: the outcome is known already.
    if (!body.destroyed) body.dump({ limit: 16 * 1024 }).catch(() => undefined);
  }
}

export function failureOf(status: number): BookingSystemFailure {
  const said = `the operator answered with ${status}`;
  if (status === 429) return new BookingSystemFailure('rate_limited', said);
  if (status >= 500) return new BookingSystemFailure('server_error', said);
  if (status >= 400) return new BookingSystemFailure('rejected', said);
  // Redirects are not followed: only the address in the network file is trusted.
  return new BookingSystemFailure('garbled', said);
}
