import type { Place, PlaceId } from '../../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';

/**
 * Reads one document: yields its items and returns a summary. Pure; parameters, items and summary are plain data, because they cross
 * threads. Throws a `BookingSystemFailure` when the document as a whole cannot be read.
 */
export type IntakeTask<Options, Item, Summary> = (
  document: Uint8Array,
  options: Options,
  places: ReadonlyMap<PlaceId, Place>,
) => Generator<Item, Summary>;

/**
 * V8 ends the whole process when JSON.parse runs out of memory, on any thread: so these limits apply before parsing. A document at all
 * limits takes half of a reading thread's heap. Sixteen mebibytes of booked nights, the smallest objects of any honest document, have
 * 420,000 containers and 1,260,000 values.
 */
const LIMITS: readonly (readonly [keyof DocumentShape, max: number, what: string])[] = [
  ['depth', 32, 'levels'],
  ['containers', 500_000, 'objects and lists'],
  ['values', 1_500_000, 'values'],
  ['numberedMembers', 50_000, 'members with a number for a name'],
];

const decoder = new TextDecoder('utf-8', { fatal: true });

export function parseDocument(document: Uint8Array): unknown {
  const shape = shapeOf(document);
  for (const [count, max, what] of LIMITS) {
    if (shape[count] > max) {
      throw new BookingSystemFailure('too_large', `the document has more than ${max} ${what}`);
    }
  }
  const text = textOf(document);
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: it quotes a part of the text, which may be a token, and causes are logged.
    throw new BookingSystemFailure('garbled', 'the document is not JSON');
  }
}

function textOf(document: Uint8Array): string {
  try {
    return decoder.decode(document);
  } catch (cause) {
    throw new BookingSystemFailure('garbled', 'the document is not UTF-8', { cause });
  }
}

/** The cost of parsing a document beyond its bytes. In faulty JSON, the part before the fault counts in full. */
export type DocumentShape = {
  /** How deep objects and lists are nested. */
  readonly depth: number;
  /** Objects and lists. */
  readonly containers: number;
  /** Values of any kind, containers included; an empty container counts as if it held a value. */
  readonly values: number;
  /** Members named by digits. V8 stores them like entries of a list, with space for the numbers in between. */
  readonly numberedMembers: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const [ZERO, NINE] = [0x30, 0x39];
/** The start of an escaped digit; the digit itself follows. */
const ESCAPED_DIGIT = [...'\\u003'].map((character) => character.charCodeAt(0));

/** One pass over the raw bytes: in UTF-8 none of these characters is a part of another. */
export function shapeOf(document: Uint8Array): DocumentShape {
  const { length } = document;
  let depth = 0;
  let deepest = 0;
  let containers = 0;
  let values = 1;
  let numberedMembers = 0;
  let isNumber = false;
  for (let at = 0; at < length; at += 1) {
    const byte = document[at];
    if (byte === QUOTE) {
      const start = at + 1;
      at = endOfDigits(document, start);
      isNumber = at > start && document[at] === QUOTE;
      at = endOfString(document, at);
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === COLON) {
      if (isNumber) numberedMembers += 1;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      containers += 1;
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
    }
  }
  return { depth: deepest, containers, values, numberedMembers };
}

/** The index of the closing quote; `at` is inside the string and not after a backslash. */
function endOfString(document: Uint8Array, at: number): number {
  const { length } = document;
  let end = at;
  while (end < length) {
    const byte = document[end];
    if (byte === QUOTE) return end;
    end += byte === BACKSLASH ? 2 : 1;
  }
  return length;
}

function endOfDigits(document: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    if (isDigit(document[at])) at += 1;
    else if (document[at] === BACKSLASH && isEscapedDigit(document, at)) at += ESCAPED_DIGIT.length + 1;
    else return at;
  }
}

function isEscapedDigit(document: Uint8Array, at: number): boolean {
  return (
    ESCAPED_DIGIT.every((byte, index) => document[at + index] === byte) &&
    isDigit(document[at + ESCAPED_DIGIT.length])
  );
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE;
}
