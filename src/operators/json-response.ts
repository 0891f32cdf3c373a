import type { Dispatcher } from 'undici';
import { BookingSystemFailure } from '../quotes/booking-system.ts';

export type JsonAnswer = { readonly value: unknown; readonly text: string; readonly etag: string | null };

const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json\s*(?:;|$)/i;
// It will be sent back, so it must be fit to stand in a header.
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

type Response = Dispatcher.ResponseData;

/** The JSON of an answer, or why there is none; `unchanged` for a 304. */
export async function readAnswer(response: Response, maxBytes: number): Promise<JsonAnswer | 'unchanged'> {
  const { statusCode, headers, body } = response;
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  try {
    if (statusCode === 304) return 'unchanged';
    if (statusCode !== 200) throw refusal(statusCode);
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
    return { value: parsed(text), text, etag: ETAG.test(etag) ? etag : null };
  } finally {
    // What is left of a short body is read, so that its connection can be used again; a long one costs the connection.
    // Nobody waits for it: an operator that fails slowly has still failed now.
    if (!body.destroyed) body.dump({ limit: 16 * 1024 }).catch(() => undefined);
  }
}

export function refusal(status: number): BookingSystemFailure {
  const said = `the operator answered with ${status}`;
  if (status === 429) return new BookingSystemFailure('rate_limited', said);
  if (status >= 500) return new BookingSystemFailure('server_error', said);
  if (status >= 400) return new BookingSystemFailure('rejected', said);
  // Redirects are not followed: an operator's address is what the network file says it is.
  return new BookingSystemFailure('garbled', said);
}

async function readText(body: Response['body'], maxBytes: number): Promise<string> {
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
