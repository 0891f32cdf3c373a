import { readWeighted, type Weighted } from '../quality.ts';

export type EntryFormat = 'json' | 'markdown' | 'html';

const MEDIA_TYPES: Readonly<Record<EntryFormat, string>> = {
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
};
/** Order among formats of equal quality. A format that is named wins over one that only a wildcard allows. */
const WHEN_NAMED: readonly EntryFormat[] = ['markdown', 'json', 'html'];
const WHEN_ALLOWED: readonly EntryFormat[] = ['json', 'markdown', 'html'];

/** Falls back to JSON instead of 406, because every caller should be able to find out how to start. */
export function chooseFormat(accept: string | undefined): EntryFormat {
  const ranges = readWeighted(accept ?? '*/*');
  const wanted = WHEN_ALLOWED.map((format) => ({ format, ...preferenceFor(MEDIA_TYPES[format], ranges) }));
  const most = Math.max(...wanted.map(({ quality }) => quality));
  if (most === 0) return 'json';
  const best = wanted.filter(({ quality }) => quality === most);
  const named = WHEN_NAMED.find((format) =>
    best.some((preference) => preference.format === format && preference.named),
  );
  return named ?? best[0]?.format ?? 'json';
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
