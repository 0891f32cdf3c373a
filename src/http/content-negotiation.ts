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
