import type { SessionMarks } from '../sessions/session-marks.ts';
import { textHash } from './text-hash.ts';

/** Memory that all threads share: a number for each part of the sessions. */
export type MarkTable = Int32Array<SharedArrayBuffer>;

/** So many that sessions which change at the same time hardly ever have the same one. */
const MARKS = 1 << 18;

export function newMarkTable(): MarkTable {
  return new Int32Array(new SharedArrayBuffer(MARKS * Int32Array.BYTES_PER_ELEMENT));
}

export function createSharedMarks(table: MarkTable): SessionMarks {
  return {
    of: (session) => Atomics.load(table, placeOf(session)),
    change: (session, earlier) =>
      Atomics.add(table, placeOf(session), 1) === earlier ? (earlier + 1) | 0 : undefined,
  };
}

/** A thread that has ended may have stored what it could not mark any more. */
export function changeAllMarks(table: MarkTable): void {
  for (let place = 0; place < table.length; place++) Atomics.add(table, place, 1);
}

function placeOf(session: string): number {
  return textHash(session) % MARKS;
}
