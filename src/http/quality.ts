export type Weighted = { readonly name: string; readonly quality: number };

/** The entries of `Accept`, `Accept-Encoding` and their like, in lower case and without other parameters. */
export function readWeighted(header: string): readonly Weighted[] {
  return header
    .toLowerCase()
    .split(',')
    .map((listed) => {
      const [name = '', ...parameters] = listed.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
      return { name, quality: weight === undefined ? 1 : readQuality(weight) };
    });
}

/** A malformed one counts as a refusal, so that no caller gets what it may not be able to read. */
function readQuality(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
