import type { LedgerFiles } from './ledger-files.ts';
import { type PlacedLine, readLines } from './ledger-lines.ts';

/** A file of the queue, and what in it is not in the ledger yet. */
export type Segment = { readonly number: number; bytes: number; readonly entries: Set<QueuedChange> };

/** The quotes of one change. Only where they stand is in memory, because hours of them may wait. */
export type QueuedChange = {
  readonly change: number;
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
  /** The change was stored, or nobody lives who could say that it was not. */
  isSettled: boolean;
};

type FoundSegments = {
  readonly segments: readonly Segment[];
  readonly lastNumber: number;
  readonly lastChange: number;
};

/** What an earlier process has left. Quotes of which it did not say that they were never shown were really given, so they are sent. */
export async function foundSegments(
  files: LedgerFiles,
  report: (warning: string) => void,
): Promise<FoundSegments> {
  const segments: Segment[] = [];
  const discarded = new Set<number>();
  let [lastNumber, lastChange] = [0, 0];
  for (const number of await files.found()) {
    const content = await files.content(number);
    const { lines, isDamaged } = readLines(content);
    if (isDamaged) {
      report(
        `A file of the queue of the ledger is damaged, and a copy is kept: ${await files.copy(number)}.`,
      );
    }
    for (const { line } of lines) {
      lastChange = Math.max(lastChange, line.change);
      if (line.kind === 'discarded') discarded.add(line.change);
    }
    segments.push({ number, bytes: content.length, entries: new Set(lines.flatMap(entryOf)) });
    lastNumber = number;
  }
  for (const { entries } of segments) {
    for (const entry of entries) if (discarded.has(entry.change)) entries.delete(entry);
  }
  return { segments, lastNumber, lastChange };
}

function entryOf({ line, offset, bytes }: PlacedLine): QueuedChange[] {
  if (line.kind === 'discarded') return [];
  return [{ change: line.change, offset, bytes, count: line.count, isSettled: true }];
}
