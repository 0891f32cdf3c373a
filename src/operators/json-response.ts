import type { Dispatcher } from 'undici';
import { BookingSystemFailure } from '../quotes/booking-system.ts';
import type { OwnedBytes } from '../worker-thread.ts';
import { collectDocument } from './collect-document.ts';

/** What is declared as JSON, as it came: only the intake reads it. */
export type JsonDocument = {
  readonly kind: 'document';
  readonly bytes: OwnedBytes;
  /** Equal for equal bytes; null when it was not asked for. */
  readonly digest: string | null;
  readonly etag: string | null;
};
/** The document still has the etag that the request named. */
export type Unchanged = { readonly kind: 'unchanged' };

const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i;
// It is sent back in a header, so only characters that a header can carry.
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

/** Rejects with a `BookingSystemFailure` when the answer is neither a JSON document nor a 304. */
export async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { maxBytes, withDigest }: { readonly maxBytes: number; readonly withDigest: boolean },
): Promise<JsonDocument | Unchanged> {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  try {
    if (statusCode === 304) return { kind: 'unchanged' };
    if (statusCode !== 200) throw failureOf(statusCode);
    const contentType = header('content-type') ?? '';
    if (!JSON_TYPE.test(contentType) || OTHER_CHARSET.test(contentType)) {
      throw new BookingSystemFailure('garbled', 'the answer is not declared as JSON in UTF-8');
    }
    if ((header('content-encoding') ?? 'identity') !== 'identity') {
      throw new BookingSystemFailure('garbled', 'the answer is compressed, which was not asked for');
    }
    const announced = Number(header('content-length') ?? 0);
    const expectedBytes = Number.isSafeInteger(announced) ? announced : 0;
    const document = await collectDocument(body, { maxBytes, expectedBytes, withDigest });
    const etag = header('etag') ?? '';
    return { kind: 'document', ...document, etag: ETAG.test(etag) ? etag : null };
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
