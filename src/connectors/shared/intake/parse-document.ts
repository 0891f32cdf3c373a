import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { type DocumentShape, shapeOf } from './document-shape.ts';

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
