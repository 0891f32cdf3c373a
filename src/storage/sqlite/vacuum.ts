import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { pragmaNumber } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { AppliedWrite } from './write-batch.ts';

export type GiveBackSpaceWrite = { readonly kind: 'give_back_space' };

/** A megabyte at a time: changes that wait go between two steps. */
const MAX_PAGES_PER_STEP = 256;
/** What is deleted makes room for what comes next: only a surplus is worth moving pages for. */
const MIN_KEPT_PAGES = 256;
const KEPT_SHARE = 0.1;

/** Asks the writer for steps until the file has no more free pages than it will need. */
export async function giveBackSpace(writes: GroupCommit<GiveBackSpaceWrite>): Promise<void> {
  try {
    let isDone = false;
    while (!isDone) {
      isDone = await writes.submit(
        { kind: 'give_back_space' },
        (outcome) => outcome.kind !== 'space' || outcome.pages === 0,
      );
    }
  } catch (failure) {
    // What was deleted is deleted. The next deletion tries again.
    if (!(failure instanceof StorageFailure)) throw failure;
  }
}

/** One step: moves pages from the end of the file into free ones. The file shrinks at the next checkpoint. */
export function givingBackIn(database: DatabaseSync): () => AppliedWrite {
  return () => {
    const free = pragmaNumber(database, 'freelist_count');
    const kept = Math.max(MIN_KEPT_PAGES, Math.floor(pragmaNumber(database, 'page_count') * KEPT_SHARE));
    const pages = Math.max(0, Math.min(MAX_PAGES_PER_STEP, free - kept));
    if (pages > 0) database.exec(`PRAGMA incremental_vacuum(${pages})`);
    return { kind: 'space', pages };
  };
}
