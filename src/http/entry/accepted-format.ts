import { readWeighted, type Weighted } from '../quality.ts';

export type EntryFormat = 'json' | 'markdown' | 'html';

/** What a page can be written in. A format that is named wins over one that only a wildcard allows. */
type Formats<Format extends string> = {
  readonly types: Readonly<Record<Format, string>>;
  /** Order among formats of equal quality that are named. */
  readonly whenNamed: readonly Format[];
  /** The same where a wildcard allows them. The first is sent to who would take none, instead of 406: everybody should be able to find out how to start. */
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
