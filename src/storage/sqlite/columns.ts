import type { SQLOutputValue } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';

export type SqliteRow = Readonly<Record<string, SQLOutputValue>>;

/** Columns with the type that the strict schema promises; anything else means that the file was tampered with. */
export function textIn(row: SqliteRow, column: string): string {
  return asText(row[column], column);
}

export function numberIn(row: SqliteRow, column: string): number {
  return asNumber(row[column], column);
}

export function bytesIn(row: SqliteRow, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : unexpected(column);
}

export function asText(value: SQLOutputValue | undefined, column: string): string {
  return typeof value === 'string' ? value : unexpected(column);
}

export function asNumber(value: SQLOutputValue | undefined, column: string): number {
  return typeof value === 'number' ? value : unexpected(column);
}

function unexpected(column: string): never {
  throw new StorageFailure('corrupt', `The column ${column} does not hold what the schema promises.`);
}
