import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import type { OpenSharedSessions } from '../storage.ts';
import { freeBytesAt } from './data-directory.ts';
import { openForReading } from './database.ts';
import { createGroupCommit, type GroupCommit, QUEUE_LIMITS } from './group-commit.ts';
import { createPortWriter } from './port-writer.ts';
import { createSessionReads } from './session-reads.ts';
import { createSqliteSessionStore } from './session-store.ts';
import { bodiesOfSessionWrite, type SessionWrite } from './session-writes.ts';
import { SESSION_FILE } from './storage.ts';
import { createWriteHealth } from './write-health.ts';

/** Reads with a connection of its own, and writes through the thread that writes for all. */
export const openSharedSqliteSessions: OpenSharedSessions = ({
  directory,
  marks,
  connect,
  maxCachedSessions = 20_000,
}) => {
  const database = openForReading(join(directory, SESSION_FILE));
  const health = createWriteHealth({
    probe: () => writes.submit({ kind: 'probe' }, () => undefined),
    freeBytes: () => freeBytesAt(directory),
    clock: systemClock,
  });
  const writes: GroupCommit<SessionWrite> = createGroupCommit({
    writer: health.watch(createPortWriter<SessionWrite>(connect)),
    bodiesOf: bodiesOfSessionWrite,
    ...QUEUE_LIMITS,
  });
  const sessions = createSqliteSessionStore({
    reads: createSessionReads(database, health.read),
    writes,
    maxCachedSessions,
    closeReads: () => database.close(),
    marks,
  });
  return {
    sessions,
    forget: sessions.forget,
    waiting: () => writes.waiting,
    writeFault: () => health.fault(),
    checkWrites: () => health.check(),
    close: () => sessions.close(),
  };
};
