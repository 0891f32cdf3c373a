import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type ErrorEndpoint, NO_CONTENT, NOT_MODIFIED, OK, statusOf } from '../contract/errors.ts';
import type { Answer } from '../contract/exchange.ts';
import { API_VERSION } from '../contract/vocabulary.ts';
import type { RateReading } from '../sessions/rate-windows.ts';

export type HttpResponse = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** For the standard headers. */
export type ResponseContext = {
  readonly requestId: string;
  readonly rate: RateReading;
  readonly key: string | null;
};

const HEADERS_OF_EVERY_ANSWER = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-api-version': API_VERSION,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // No page may show, embed or load an answer.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

/** From the headers of the request. */
export type ResponsePreferences = {
  readonly ifNoneMatch?: string | undefined;
  readonly encoding: ContentEncoding | null;
};

const NO_PREFERENCES: ResponsePreferences = { encoding: null };

/** The answer with its status and headers. */
export function responseTo(
  answer: Answer,
  endpoint: ErrorEndpoint,
  preferences: ResponsePreferences = NO_PREFERENCES,
): HttpResponse {
  const status = answer.error === null ? OK : statusOf(answer.error, endpoint);
  const body = 'read' in answer.body ? answer.body.text : JSON.stringify(answer.body);
  if (answer.tag !== null) {
    const headers = { 'cache-control': 'private, max-age=300' };
    return revalidated({ status, body, headers }, answer.tag, preferences);
  }
  const { replayed, retryAfterSeconds, current } = answer;
  const isPlain = !replayed && retryAfterSeconds === null && current !== false;
  if (isPlain) return { status, body };
  const headers: Record<string, string> = {};
  if (replayed) headers['idempotent-replayed'] = 'true';
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  if (current === false && endpoint === 'result') headers['x-result-current'] = 'false';
  return { status, body, headers };
}

/** The response in the given encoding, unless it is too small to be worth it. */
export async function encodedResponse(
  response: HttpResponse,
  encoding: ContentEncoding,
  compress: CompressBody,
): Promise<HttpResponse> {
  if (!isWorthCompressing(response.body)) return response;
  const body = await compress(response.body, encoding);
  return { ...response, body, headers: { ...response.headers, 'content-encoding': encoding } };
}

export function standardHeaders({ requestId, rate, key }: ResponseContext): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    ...HEADERS_OF_EVERY_ANSWER,
    'x-request-id': requestId,
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-reset': rate.resetAt,
  };
  if (key !== null) headers['idempotency-key'] = key;
  return headers;
}

export function writeResponse(
  raw: ServerResponse,
  { status, body, headers }: HttpResponse,
  context: ResponseContext,
  closing: boolean,
): void {
  const all = standardHeaders(context);
  if (status !== NOT_MODIFIED && status !== NO_CONTENT) all['content-length'] = Buffer.byteLength(body);
  Object.assign(all, headers);
  // Otherwise an open keep-alive connection would delay the shutdown.
  if (closing) all.connection = 'close';
  raw.writeHead(status, all);
  raw.end(body);
}

/** The response with its tag, or 304 for a caller that has the same bytes. */
export function revalidated(
  { status, body, headers }: HttpResponse,
  tag: string,
  { ifNoneMatch, encoding }: ResponsePreferences,
): HttpResponse {
  const strong = `"${tag}"`;
  // A strong tag identifies exact bytes, which differ between encodings.
  const tagged = { ...headers, etag: encoding === null ? strong : `W/${strong}` };
  const isKnown = ifNoneMatch
    ?.split(',')
    .map((listed) => listed.trim().replace(/^W\//, ''))
    .some((listed) => listed === strong || listed === '*');
  return isKnown ? { status: NOT_MODIFIED, body: '', headers: tagged } : { status, body, headers: tagged };
}

type Body = string | Uint8Array;
type Compressor = (body: Body) => Promise<Buffer>;

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 2048;
/** The default of 11 takes a hundred times as long, too much for an answer that is sent once. */
const BROTLI_QUALITY = 4;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const COMPRESSORS: Readonly<Record<ContentEncoding, Compressor>> = {
  br: (body) => {
    const params = {
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [zlib.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(body),
    };
    return brotli(body, { params });
  },
  gzip: (body) => gzipped(body),
};

type CompressBody = (body: Body, encoding: ContentEncoding) => Promise<Buffer>;

export function isWorthCompressing(body: Body): boolean {
  return Buffer.byteLength(body) > MIN_COMPRESSED_BYTES;
}

/** Compresses in the thread pool. Cached bytes that are sent again, such as results and documents, are compressed once. */
export function createCompressBody(compressors = COMPRESSORS): CompressBody {
  const compressed = new WeakMap<Uint8Array, Map<ContentEncoding, Promise<Buffer>>>();
  return (body, encoding) => {
    if (typeof body === 'string') return compressors[encoding](body);
    const known = compressed.get(body) ?? new Map<ContentEncoding, Promise<Buffer>>();
    compressed.set(body, known);
    const bytes = known.get(encoding) ?? compressors[encoding](body);
    known.set(encoding, bytes);
    return bytes;
  };
}

export type ContentEncoding = 'br' | 'gzip';

/** In our order of preference among encodings of equal quality. */
const ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip'];

/** Null leaves the body unencoded: the caller asks for no encoding, or prefers none. */
export function chooseEncoding(acceptEncoding: string | undefined): ContentEncoding | null {
  if (acceptEncoding === undefined) return null;
  const qualities = new Map(readWeighted(acceptEncoding).map(({ name, quality }) => [name, quality]));
  const other = qualities.get('*') ?? 0;
  // Unless it is named, the plain body is merely acceptable.
  let most = qualities.get('identity') ?? 0;
  let chosen: ContentEncoding | null = null;
  for (const encoding of ENCODINGS) {
    const quality = qualities.get(encoding) ?? other;
    const isBetter = chosen === null ? quality >= most : quality > most;
    if (quality > 0 && isBetter) {
      most = quality;
      chosen = encoding;
    }
  }
  return chosen;
}

export type EntryFormat = 'json' | 'markdown' | 'html';

/** The media types of a page. A format that is named wins over one that only a wildcard allows. */
type Formats<Format extends string> = {
  readonly types: Readonly<Record<Format, string>>;
  /** Order among named formats of equal quality. */
  readonly whenNamed: readonly Format[];
  /** Order among those that a wildcard allows. Callers that accept none get the first instead of 406, so that every caller can find out how to start. */
  readonly whenAllowed: readonly [Format, ...Format[]];
};

const ENTRY_FORMATS: Formats<EntryFormat> = {
  types: { json: 'application/json', markdown: 'text/markdown', html: 'text/html' },
  whenNamed: ['markdown', 'json', 'html'],
  whenAllowed: ['json', 'markdown', 'html'],
};

export function chooseFormat(accept: string | undefined): EntryFormat {
  return chooseAmong(ENTRY_FORMATS, accept);
}

export function chooseAmong<Format extends string>(
  { types, whenNamed, whenAllowed }: Formats<Format>,
  accept: string | undefined,
): Format {
  const ranges = readWeighted(accept ?? '*/*');
  const wanted = whenAllowed.map((format) => ({ format, ...preferenceFor(types[format], ranges) }));
  const most = Math.max(...wanted.map(({ quality }) => quality));
  const [fallback] = whenAllowed;
  if (most === 0) return fallback;
  const best = wanted.filter(({ quality }) => quality === most);
  const named = whenNamed.find((format) =>
    best.some((preference) => preference.format === format && preference.named),
  );
  return named ?? best[0]?.format ?? fallback;
}

/** The most specific range decides, even if its quality is lower. */
function preferenceFor(mediaType: string, ranges: readonly Weighted[]): { quality: number; named: boolean } {
  const [family = ''] = mediaType.split('/');
  for (const type of [mediaType, `${family}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.name === type);
    if (matching.length > 0) {
      return { quality: Math.max(...matching.map(({ quality }) => quality)), named: type === mediaType };
    }
  }
  return { quality: 0, named: false };
}

type Weighted = { readonly name: string; readonly quality: number };

/** The entries of a header such as `Accept` or `Accept-Encoding`, in lower case and without other parameters. */
function readWeighted(header: string): readonly Weighted[] {
  return header
    .toLowerCase()
    .split(',')
    .map((listed) => {
      const [name = '', ...parameters] = listed.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
      return { name, quality: weight === undefined ? 1 : readQuality(weight) };
    });
}

/** A malformed quality counts as 0, so that no caller gets a format that it may not be able to read. */
function readQuality(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
