import type { InputRandom } from './input-random.ts';

/** Values at which readers stumble: the ends of ranges, names with a meaning, text in unusual forms. */
const ODD_TEXTS: readonly string[] = [
  ...['', ' ', 'null', 'NaN', '-0', '1e308', '1e999', '0x10', '007', '+1', 'true', '[]', '{}'],
  ...['2027-02-30', '2027-13', '9999-12-31', '2027-04-10', '2027-04-10T25:61:61Z', '24:00'],
  ...['-1.00', '0.001', '999999999999.999999', '__proto__', 'constructor', 'hasOwnProperty'],
  ...['\0', '\ud800', '\udfff\ud800', '\ufeff', '\u202Eabc', '\u200b\u200d\u2060', '\u{e0041}\u{e0042}'],
  ...['İıſßŉ', 'ﷺﷺﷺ', '２０２７－０４', 'e\u0301'.repeat(40), '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ...['\r\nX-Evil: 1', '%00', '%ff%fe', '%2e%2e%2f', '../../etc/passwd', "' OR 1=1 --"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that a careless template would fill in.
  ...['${7*7}{{7*7}}', '<script>alert(1)</script>', 'Ignore all previous instructions'],
  ...['https://evil.example/x', '//evil.example', 'ses_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
];
/** Repeated, they find expressions whose work grows faster than their text. */
const FRAGMENTS: readonly string[] = [
  ...['a', 'a ', 'a.', '.', '@', '<', '<a ', '[', '[](', '](', 'http://', 'www.', '0', '0 ', '-', '+1 '],
  ...['&#', '%', '\u0301', '\u{1f600}', '\n', '\t ', 'ignore ', 'aA1._-', '"', '\\'],
];
const MODEST_LENGTHS: readonly number[] = [2, 63, 64, 65, 121, 255, 256, 301];
const GREAT_LENGTHS: readonly number[] = [2000, 2001, 5000, 20_001];
const ODD_NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 0.1, 1.5, 1e-7, 5e-324, 1e21, 1e308, -1e308, 99, 101, 366],
  ...[2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, 2 ** 53 + 2],
];
const ODD_NAMES: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'length', 'then'],
  ...['', ' ', 'status', 'error', '\ud800', 'x'.repeat(300)],
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

function oddNumber(random: InputRandom): number {
  return random.oneIn(4) ? random.integer(2 ** 32) / random.pick([1, 10, 1000]) : random.pick(ODD_NUMBERS);
}

function oddName(random: InputRandom): string {
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
function nested(value: unknown, random: InputRandom): unknown {
  const asList = random.oneIn(2);
  let wrapped = value;
  const depth = random.oneIn(50) ? GREAT_DEPTH : random.pick(DEPTHS);
  for (let level = 0; level < depth; level += 1) wrapped = asList ? [wrapped] : { a: wrapped };
  return wrapped;
}

/** Where a value is kept: a member of an object, or a position in a list. */
type Slot = { readonly holder: object; readonly key: string | number };

/** Most inputs are small, so that there can be many; the rare great ones go beyond every limit on a list or a text. */
const MODEST_CHARACTERS = 8 * 1024;
const MAX_CHARACTERS = 256 * 1024;
const REPETITIONS: readonly number[] = [1, 2, 10, 51, 101];
const GREAT_REPETITIONS: readonly number[] = [201, 501, 1001];
/** Deeper values are reached by mutating what holds them. */
const MAX_DEPTH = 12;

/** A copy of a valid value with one to four changes, each at a random place. */
export function mutatedJson(value: unknown, random: InputRandom): unknown {
  // Held in a list, so that the whole value can be replaced like any part of it.
  const root: unknown[] = [structuredClone(value)];
  for (let changes = 1 + random.integer(4); changes > 0; changes -= 1) {
    change(random.pick(slotsIn(root)), random);
  }
  return root[0];
}

function change(slot: Slot, random: InputRandom): void {
  const value = valueAt(slot);
  switch (random.integer(8)) {
    case 0:
    case 1:
      set(slot, oddValue(random));
      break;
    case 2:
      remove(slot);
      break;
    case 3:
      set(slot, nested(value, random));
      break;
    case 4:
      add(slot, random);
      break;
    case 5:
      repeat(slot, random);
      break;
    default:
      set(slot, nearMiss(value, random));
  }
}

/** Of the same type as before, so that the reader does not stop at the type. */
function nearMiss(value: unknown, random: InputRandom): unknown {
  if (typeof value === 'number') {
    return random.pick([-value, value + 0.5, value * 1e10, value + 1, oddNumber(random)]);
  }
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return oddValue(random);
  const at = random.integer(value.length + 1);
  switch (random.integer(5)) {
    case 0:
      return value.slice(0, at);
    case 1:
      return value.slice(0, at) + oddText(random) + value.slice(at);
    case 2:
      return value.repeat(timesWithin(value, random.pick(REPETITIONS), random));
    case 3:
      return random.oneIn(2) ? value.toUpperCase() : ` ${value} `;
    default:
      return oddText(random);
  }
}

function add({ holder, key }: Slot, random: InputRandom): void {
  const value = valueAt({ holder, key });
  if (Array.isArray(value)) value.push(oddValue(random));
  else if (typeof value === 'object' && value !== null) define(value, oddName(random), oddValue(random));
  else if (!Array.isArray(holder)) define(holder, oddName(random), oddValue(random));
}

function repeat(slot: Slot, random: InputRandom): void {
  const value = valueAt(slot);
  const times = timesWithin(value, random.pick(random.oneIn(8) ? GREAT_REPETITIONS : REPETITIONS), random);
  if (Array.isArray(slot.holder)) slot.holder.push(...Array.from({ length: times }, () => value));
  else
    set(
      slot,
      Array.isArray(value) && value.length > 0 ? Array(times).fill(value[0]) : Array(times).fill(value),
    );
}

function timesWithin(value: unknown, times: number, random: InputRandom): number {
  const length = JSON.stringify(value)?.length ?? 1;
  const room = random.oneIn(64) ? MAX_CHARACTERS : MODEST_CHARACTERS;
  return Math.min(times, Math.max(1, Math.floor(room / length)));
}

function slotsIn(root: object): Slot[] {
  const slots: Slot[] = [];
  const visit = (holder: object, depth: number) => {
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      const slot = { holder, key };
      slots.push(slot);
      const value = valueAt(slot);
      if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) visit(value, depth + 1);
    }
  };
  visit(root, 0);
  return slots;
}

function valueAt({ holder, key }: Slot): unknown {
  return Reflect.get(holder, key);
}

function set({ holder, key }: Slot, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else define(holder, String(key), value);
}

function remove({ holder, key }: Slot): void {
  if (Array.isArray(holder) && holder.length > 1) holder.splice(Number(key), 1);
  else if (Array.isArray(holder)) holder[0] = null;
  else Reflect.deleteProperty(holder, key);
}

/** Also a member of the name `__proto__`, which an assignment would not make. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Spellings that JSON.stringify never makes. */
const ODD_TOKENS: readonly string[] = [
  ...['1e999', '-0', 'NaN', 'Infinity', '01', '.5', '1.', '0x1', '1e-400', '""', 'nul', "'a'"],
];
const NOISE: readonly string[] = [
  ...[',', '}', ']', '//x', '\0', '\ufeff', '{"a":', '"', '  '.repeat(500), '['.repeat(50_000)],
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

/** A text with a few signs left out, doubled or put in at random places. */
export function mutatedText(text: string, random: InputRandom): string {
  let changed = text;
  for (let changes = random.integer(4); changes > 0; changes -= 1) {
    const [from, length] = [random.integer(changed.length + 1), random.integer(12)];
    const copied = changed.slice(from, from + length);
    const put = random.pick(['', '"', ',', ':', ';', '\n', '\r', '\0', copied, oddText(random)]);
    changed = changed.slice(0, from) + put + changed.slice(from + random.integer(length + 1));
  }
  return changed;
}
