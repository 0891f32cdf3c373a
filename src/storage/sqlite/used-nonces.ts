import type { DatabaseSync } from 'node:sqlite';
import {
  createNoncesInMemory,
  type KnownNonce,
  type UsedNonces,
} from '../../access/web-bot-auth/used-nonces.ts';
import type { Clock } from '../../clock.ts';
import { numberIn, textIn } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionWrite } from './session-writes.ts';

/**
 * Nonces that outlive the process. Memory decides, so no request waits for the disk: a killed process loses only the uses of its last
 * milliseconds.
 */
export function createSqliteUsedNonces({
  reads,
  writes,
  clock,
}: {
  readonly reads: DatabaseSync;
  readonly writes: Pick<GroupCommit<SessionWrite>, 'submit'>;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}): UsedNonces {
  const inMemory = createNoncesInMemory(clock, { known: lastingIn(reads, clock.now()) });
  return {
    async claim(signer, name, keepMs) {
      if (!(await inMemory.claim(signer, name, keepMs))) return false;
      const usedAt = clock.now();
      // While the disk cannot be written, memory still decides; the store's health reports it to the owner.
      writes
        .submit({ kind: 'use_nonce', signer, name, usedAt, endsAt: Math.ceil(usedAt + keepMs) }, () => {})
        .catch(() => {});
      return true;
    },
  };
}

function lastingIn(database: DatabaseSync, now: number): readonly KnownNonce[] {
  return database
    .prepare('SELECT ends_at, name, signer FROM used_nonce WHERE ends_at > ? ORDER BY ends_at')
    .all(now)
    .map((row) => ({
      signer: textIn(row, 'signer'),
      name: textIn(row, 'name'),
      keepMs: numberIn(row, 'ends_at') - now,
    }));
}
