import type { DatabaseSync } from 'node:sqlite';
import type { AssistantUsage } from '../../sessions/assistant-limits.ts';
import { numberIn, textIn } from './columns.ts';

/** What the sessions of each assistant that have not expired keep, by the `bytes` of their rows. */
export type KeptBytes = {
  by(assistant: string): AssistantUsage;
  total(): number;
  change(assistant: string, sessions: number, bytes: number): void;
  /** Changes count from now on, or never happened. */
  transactionEnded(isCommitted: boolean): void;
};

/**
 * Counted from the rows when the writer starts, then in memory: a step costs no write more, and no mistake outlives the
 * process.
 */
export function keptBytesIn(database: DatabaseSync): KeptBytes {
  const rows = database
    .prepare(
      'SELECT assistant, count(*) AS sessions, sum(bytes) AS bytes FROM session WHERE emptied = 0 GROUP BY assistant',
    )
    .all();
  const kept = new Map<string, AssistantUsage>(
    rows.map((row) => [
      textIn(row, 'assistant'),
      { sessions: numberIn(row, 'sessions'), bytes: numberIn(row, 'bytes') },
    ]),
  );
  let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  let changes: { readonly assistant: string; readonly sessions: number; readonly bytes: number }[] = [];

  const by = (assistant: string) => kept.get(assistant) ?? NOTHING;

  function apply(assistant: string, sessions: number, bytes: number): void {
    const before = by(assistant);
    kept.set(assistant, { sessions: before.sessions + sessions, bytes: before.bytes + bytes });
    total += bytes;
  }

  return {
    by,
    total: () => total,
    change(assistant, sessions, bytes) {
      apply(assistant, sessions, bytes);
      changes.push({ assistant, sessions, bytes });
    },
    transactionEnded(isCommitted) {
      const undone = isCommitted ? [] : changes;
      changes = [];
      for (const { assistant, sessions, bytes } of undone) apply(assistant, -sessions, -bytes);
    },
  };
}

const NOTHING: AssistantUsage = { sessions: 0, bytes: 0 };
