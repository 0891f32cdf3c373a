import { readWeighted } from './quality.ts';

export type ContentEncoding = 'br' | 'gzip';

/** In order of preference among encodings that the caller likes equally. */
const ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip'];

/** Null sends the body as it is: for a caller that does not ask for an encoding, or prefers none. */
export function chooseEncoding(acceptEncoding: string | undefined): ContentEncoding | null {
  if (acceptEncoding === undefined) return null;
  const qualities = new Map(readWeighted(acceptEncoding).map(({ name, quality }) => [name, quality]));
  const other = qualities.get('*') ?? 0;
  // Without a word about it, the plain body is merely acceptable.
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
