import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { replaceFile } from '../../parsing/replace-file.ts';
import type { PublishedCopies } from './published-copies.ts';
import type { PublishedAddress } from './published-document.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** More than any document that is accepted makes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const FILE_NAME = /^(?:keys|ranges)-[0-9a-f]{32}\.json/;

const CopyFile = Type.Object({
  kind: Type.Union([Type.Literal('keys'), Type.Literal('ranges')]),
  url: Type.String(),
  confirmed_at: Type.String(),
  text: Type.String(),
});

/** One file for each document. A file that is damaged, or that belongs to another address, counts as none. */
export function createCopiesInFolder({
  folder,
  onFault,
}: {
  readonly folder: string;
  /** What could not be read or written; the service goes on without it. */
  readonly onFault: (error: unknown) => void;
}): PublishedCopies {
  function tolerant<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      onFault(error);
      return otherwise;
    }
  }

  return {
    read: (address) =>
      tolerant(() => {
        const path = join(folder, fileOf(address));
        const found = statSync(path, { throwIfNoEntry: false });
        if (!found?.isFile() || found.size > MAX_FILE_BYTES) return null;
        const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
        if (!Value.Check(CopyFile, file) || file.kind !== address.kind || file.url !== address.url) {
          throw new Error(`${path} is not a copy of ${address.url}`);
        }
        const confirmedAt = Date.parse(file.confirmed_at);
        if (Number.isNaN(confirmedAt)) throw new Error(`${path} has no date`);
        return { confirmedAt, text: file.text };
      }, null),
    write: (address, { confirmedAt, text }) =>
      tolerant(() => {
        mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
        chmodSync(folder, FOLDER_MODE);
        const file = { ...address, confirmed_at: new Date(confirmedAt).toISOString(), text };
        replaceFile(join(folder, fileOf(address)), JSON.stringify(file), FILE_MODE);
      }, undefined),
    keepOnly: (addresses) =>
      tolerant(() => {
        const kept = new Set(addresses.map(fileOf));
        if (!statSync(folder, { throwIfNoEntry: false })) return;
        for (const name of readdirSync(folder)) {
          // Also what a killed process has left of a write.
          if (FILE_NAME.test(name) && !kept.has(name)) rmSync(join(folder, name), { force: true });
        }
      }, undefined),
  };
}

/** An address may hold anything, also what no file can be called. */
function fileOf({ kind, url }: PublishedAddress): string {
  return `${kind}-${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`;
}
