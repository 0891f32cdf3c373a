import type { InputRandom } from './input-random.ts';
import { oddText } from './odd-values.ts';

/** Spellings that JSON.stringify never makes. */
const ODD_TOKENS: readonly string[] = [
  '1e999',
  '-0',
  'NaN',
  'Infinity',
  '01',
  '.5',
  '1.',
  '0x1',
  '1e-400',
  '""',
  'nul',
  "'a'",
];
const NOISE: readonly string[] = [
  ',',
  '}',
  ']',
  '//x',
  '\0',
  '\ufeff',
  '  '.repeat(500),
  '{"a":',
  '"',
  '['.repeat(50_000),
];

/** Valid JSON as a rule, and otherwise with odd numbers, repeated members or noise in it. */
export function spelledJson(value: unknown, random: InputRandom): string {
  const text = JSON.stringify(value) ?? 'null';
  switch (random.integer(12)) {
    case 0:
      return replaceOne(text, /-?\d+(?:\.\d+)?/g, () => random.pick(ODD_TOKENS), random);
    case 1:
      // The same member twice.
      return replaceOne(
        text,
        /"\w+":/g,
        (name) => `${name}${JSON.stringify(oddText(random))},${name}`,
        random,
      );
    case 2: {
      const at = random.integer(text.length + 1);
      return text.slice(0, at) + random.pick(NOISE) + text.slice(at);
    }
    default:
      return text;
  }
}

/** UTF-8 as a rule, and otherwise cut short, damaged, or in another encoding. */
export function encodedText(text: string, random: InputRandom): Buffer {
  switch (random.integer(16)) {
    case 0:
      return Buffer.from(text).subarray(0, random.integer(text.length + 1));
    case 1:
      return Buffer.from(text, random.pick(['utf16le', 'latin1'] as const));
    case 2:
      return Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(text)]);
    case 3:
      return damaged(Buffer.from(text), random);
    default:
      return Buffer.from(text);
  }
}

/** Some of its bytes changed. */
export function damaged(bytes: Buffer, random: InputRandom): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length === 0) return copy;
  for (let changes = 1 + random.integer(4); changes > 0; changes -= 1) {
    copy[random.integer(copy.length)] = random.integer(256);
  }
  return copy;
}

function replaceOne(
  text: string,
  pattern: RegExp,
  replacement: (found: string) => string,
  random: InputRandom,
): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const one = random.pick(found);
  return text.slice(0, one.index) + replacement(one[0]) + text.slice(one.index + one[0].length);
}
