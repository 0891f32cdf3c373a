import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { ContentEncoding } from './content-encoding.ts';

type Body = string | Uint8Array;
type Compressor = (body: Body) => Promise<Buffer>;

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 2048;
/** The default of 11 takes a hundred times as long, for an answer that is sent once. */
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

export type CompressBody = (body: Body, encoding: ContentEncoding) => Promise<Buffer>;

export function isWorthCompressing(body: Body): boolean {
  return Buffer.byteLength(body) > MIN_COMPRESSED_BYTES;
}

/** Runs beside the event loop. Bytes that are kept and sent again, such as results and documents, are compressed once. */
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
