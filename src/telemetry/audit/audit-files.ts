import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the log: in the order of their numbers, with the day (UTC) on which it was begun. */
export type AuditFile = {
  readonly name: string;
  readonly path: string;
  readonly number: number;
  readonly day: string;
};

const NAME = /^audit\.(\d{8})\.(\d{4}-\d{2}-\d{2})\.jsonl$/;
const FIRST_NUMBER = 1;

/** The folder of the log in the data folder. */
export function auditDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'audit');
}

/** Oldest first; empty where there is no folder. */
export function auditFilesIn(directory: string): readonly AuditFile[] {
  return namesIn(directory)
    .flatMap((name) => {
      const [, number, day] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, path: join(directory, name), number: Number(number), day }];
    })
    .sort((one, other) => one.number - other.number || (one.name < other.name ? -1 : 1));
}

export function auditFileAfter(
  directory: string,
  before: Pick<AuditFile, 'number'> | null,
  now: number,
): AuditFile {
  const number = before ? before.number + 1 : FIRST_NUMBER;
  const day = dayOf(now);
  const name = `audit.${String(number).padStart(8, '0')}.${day}.jsonl`;
  return { name, path: join(directory, name), number, day };
}

export function isFirstFile({ number }: Pick<AuditFile, 'number'>): boolean {
  return number === FIRST_NUMBER;
}

/** Undefined for what is not the name of such a file. */
export function numberOfFile(name: string): number | undefined {
  const [, number] = NAME.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** YYYY-MM-DD in UTC, which compares as text. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
