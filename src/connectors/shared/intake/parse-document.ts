import type { Place, PlaceId } from '../../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';

/**
 * V8 ends the whole process when JSON.parse runs out of memory, on any thread: what would cost too much must not reach it.
 * At all of these limits at once it takes half of the heap that a reading thread has. Sixteen mebibytes of nothing but
 * booked nights, the smallest objects of any honest document, have 420,000 containers and 1,260,000 values.
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
    // Not with its cause: V8 repeats a part of the text, which may be a token, and causes are logged.
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

/**
 * Reads one document: yields what it finds item by item, and returns what is left to say at the end. Pure, and its
 * parameters, items and summary are plain data, because all of them cross threads. Throws a `BookingSystemFailure` when
 * the document as a whole cannot be read.
 */
export type IntakeTask<Options, Item, Summary> = (
  document: Uint8Array,
  options: Options,
  places: ReadonlyMap<PlaceId, Place>,
) => Generator<Item, Summary>;

/** What parsing a document costs beyond its bytes. Of JSON with a fault, the part before the fault counts in full. */
export type DocumentShape = {
  /** Of objects and lists in each other. */
  readonly depth: number;
  /** Objects and lists. */
  readonly containers: number;
  /** Of any kind, containers included; one that is empty counts as if it held a value. */
  readonly values: number;
  /** Members whose names are digits only. V8 keeps them like the entries of a list, with room for those in between. */
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
/** How an escaped digit begins: its last character is the digit itself. */
const ESCAPED_DIGIT = [...'\\u003'].map((character) => character.charCodeAt(0));

/** One pass over the bytes, which are neither decoded nor checked: in UTF-8 none of these signs is a part of another. */
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

/** Where its closing quote is, when `at` is inside a string and not behind a backslash. */
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
