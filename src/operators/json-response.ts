import type { Dispatcher } from 'undici';
import { BookingSystemFailure } from '../quotes/booking-system.ts';

export type JsonAnswer = {
  readonly kind: 'json';
  readonly value: unknown;
  readonly text: string;
  readonly etag: string | null;
};
/** The document still has the etag that the request named. */
export type Unchanged = { readonly kind: 'unchanged' };

const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i;
// It is sent back in a header, so only characters that a header can carry.
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

type OperatorResponse = Dispatcher.ResponseData;

/** Rejects with a `BookingSystemFailure` when the answer is neither JSON nor a 304. */
export async function readAnswer(
  response: OperatorResponse,
  maxBytes: number,
): Promise<JsonAnswer | Unchanged> {
  const { statusCode, headers, body } = response;
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
    if (Number(header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const text = await readText(body, maxBytes);
    const etag = header('etag') ?? '';
    return { kind: 'json', value: parsed(text), text, etag: ETAG.test(etag) ? etag : null };
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

async function readText(body: OperatorResponse['body'], maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the answer is not UTF-8', { cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the answer is not JSON', { cause });
  }
}

function tooLarge(maxBytes: number): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `the answer is longer than ${maxBytes} bytes`);
}
