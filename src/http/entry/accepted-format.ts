import { readQuality } from '../quality.ts';

export type EntryFormat = 'json' | 'markdown' | 'html';

const MEDIA_TYPES: Readonly<Record<EntryFormat, string>> = {
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
};
/** Order among formats of equal quality. A format that is named wins over one that only a wildcard allows. */
const WHEN_NAMED: readonly EntryFormat[] = ['markdown', 'json', 'html'];
const WHEN_ALLOWED: readonly EntryFormat[] = ['json', 'markdown', 'html'];

type Range = { readonly type: string; readonly quality: number };

/** Falls back to JSON instead of 406, because every caller should be able to find out how to start. */
export function chooseFormat(accept: string | undefined): EntryFormat {
  const ranges = (accept ?? '*/*').split(',').map(readRange);
  const wanted = WHEN_ALLOWED.map((format) => ({ format, ...preferenceFor(MEDIA_TYPES[format], ranges) }));
  const most = Math.max(...wanted.map(({ quality }) => quality));
  if (most === 0) return 'json';
  const best = wanted.filter(({ quality }) => quality === most);
  const named = WHEN_NAMED.find((format) =>
    best.some((preference) => preference.format === format && preference.named),
  );
  return named ?? best[0]?.format ?? 'json';
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : readQuality(quality) };
}

/** The most specific range decides, even if its quality is lower. */
function preferenceFor(mediaType: string, ranges: readonly Range[]): { quality: number; named: boolean } {
  const [family = ''] = mediaType.split('/');
  for (const type of [mediaType, `${family}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.type === type);
    if (matching.length > 0) {
      return { quality: Math.max(...matching.map(({ quality }) => quality)), named: type === mediaType };
    }
  }
  return { quality: 0, named: false };
}
