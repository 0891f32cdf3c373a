const TAG = /<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*|\s?\/)?>/gi;
const INLINE = new Set(['a', 'abbr', 'b', 'em', 'font', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'u']);
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39);/g;
const SIGNS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
};

/**
 * The words of a text that QloApps keeps as HTML, line by line as a browser shows them; undefined when there are none. They are no
 * safer than before, and go through the hygiene like any other.
 */
export function wordsOfHtml(html: string | undefined): string | undefined {
  const lines = html
    ?.replace(/\s+/g, ' ')
    .replace(TAG, (_, _closing, name: string) => (INLINE.has(name.toLowerCase()) ? '' : '\n'))
    .replace(ENTITY, (_, name: string) => SIGNS[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines?.join('\n') || undefined;
}
