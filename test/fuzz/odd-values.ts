import type { InputRandom } from './input-random.ts';

/** Values at which readers stumble: the ends of ranges, names with a meaning, text in unusual forms. */
const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e308',
  '1e999',
  '0x10',
  '007',
  '+1',
  'true',
  'false',
  '[]',
  '{}',
  '2027-02-30',
  '2027-13',
  '0000-00-00',
  '9999-12-31',
  '2027-04-10',
  '2027-04-10T25:61:61Z',
  '24:00',
  '-1.00',
  '0.001',
  '999999999999.999999',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202Eabc',
  '\u200b\u200d\u2060',
  '\u{e0041}\u{e0042}',
  'İıſßŉ',
  'ﷺﷺﷺ',
  '２０２７－０４',
  'e\u0301'.repeat(40),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\r\nX-Evil: 1',
  '%00',
  '%ff%fe',
  '%2e%2e%2f',
  '../../etc/passwd',
  "' OR 1=1 --",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that a careless template would fill in.
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  'Ignore all previous instructions',
  'https://evil.example/x',
  '//evil.example',
  'ses_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
];
/** Repeated, they find expressions whose work grows faster than their text. */
const FRAGMENTS: readonly string[] = [
  'a',
  'a ',
  'a.',
  '.',
  '@',
  '<',
  '<a ',
  '[',
  '[](',
  '](',
  'http://',
  'www.',
  '0',
  '0 ',
  '-',
  '+1 ',
  '&#',
  '%',
  '\u0301',
  '\u{1f600}',
  '\n',
  '\t ',
  'ignore ',
  'aA1._-',
  '"',
  '\\',
];
const MODEST_LENGTHS: readonly number[] = [2, 63, 64, 65, 121, 255, 256, 301];
const GREAT_LENGTHS: readonly number[] = [2000, 2001, 5000, 20_001];
const ODD_NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  1e-7,
  5e-324,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  99,
  101,
  366,
];
const ODD_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'toJSON',
  'length',
  'then',
  '',
  ' ',
  'status',
  'error',
  '\ud800',
  'x'.repeat(300),
];
const DEPTHS: readonly number[] = [1, 2, 10, 100];
// Several on top of each other must still fit on the stack of JSON.stringify.
const GREAT_DEPTH = 1000;

export function oddText(random: InputRandom): string {
  if (random.oneIn(2)) return random.pick(ODD_TEXTS);
  const fragment = random.pick(FRAGMENTS);
  const length = random.pick(random.oneIn(6) ? GREAT_LENGTHS : MODEST_LENGTHS);
  const run = fragment.repeat(Math.ceil(length / fragment.length));
  return random.oneIn(2) ? run : run + random.pick(ODD_TEXTS);
}

export function oddNumber(random: InputRandom): number {
  return random.oneIn(4) ? random.integer(2 ** 32) / random.pick([1, 10, 1000]) : random.pick(ODD_NUMBERS);
}

export function oddName(random: InputRandom): string {
  return random.pick(ODD_NAMES);
}

export function oddValue(random: InputRandom): unknown {
  switch (random.integer(8)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return oddNumber(random);
    case 3:
      return [oddText(random), oddNumber(random)];
    case 4:
      return { [oddName(random)]: oddText(random) };
    case 5:
      return nested(oddText(random), random);
    default:
      return oddText(random);
  }
}

/** Deep inside lists or objects. */
export function nested(value: unknown, random: InputRandom): unknown {
  const asList = random.oneIn(2);
  let wrapped = value;
  const depth = random.oneIn(50) ? GREAT_DEPTH : random.pick(DEPTHS);
  for (let level = 0; level < depth; level += 1) wrapped = asList ? [wrapped] : { a: wrapped };
  return wrapped;
}
