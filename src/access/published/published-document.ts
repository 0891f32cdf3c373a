import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { replaceFile } from '../../parsing/replace-file.ts';

/** The documents that assistants publish about themselves, at a URL in the owner's registry. */
export type PublishedKind = 'keys' | 'ranges';

export type PublishedAddress = { readonly kind: PublishedKind; readonly url: string };

/** A document that was read: its content, and a clean text of that content. */
export type PublishedContent<Content> = {
  readonly content: Content;
  /** Read again by the same reader, it gives the same content. */
  readonly text: string;
  /** Equal for documents with the same keys or networks, whenever they were written. */
  readonly identity: string;
  readonly count: number;
  /** Entries that cannot be used here. */
  readonly dropped: number;
};

/** Throws for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Events of published documents, for the log and the metrics. */
export type PublishedObserver = {
  /** The document was fetched, or is unchanged. */
  fetched(address: PublishedAddress, facts: FetchFacts): void;
  failed(address: PublishedAddress, facts: FailureFacts): void;
  /** The last good copy has expired, and the document could not be fetched. */
  tooOld(address: PublishedAddress, ageMs: number): void;
};

type FetchFacts = {
  readonly hasChanged: boolean;
  readonly count: number;
  /** Entries that cannot be used here. */
  readonly dropped: number;
};

type FailureFacts = {
  /** One of a few codes, by which failures are counted. */
  readonly failure: string;
  /** For people. */
  readonly detail: string;
  /** The content that stays in force; null without one that is recent enough. */
  readonly used: { readonly source: 'fetch' | 'copy'; readonly ageMs: number } | null;
};

/** The last good copies of published documents, which outlive the process. No method throws. */
export type PublishedCopies = {
  /** Null without a readable copy. */
  read(address: PublishedAddress): PublishedCopy | null;
  write(address: PublishedAddress, copy: PublishedCopy): void;
  /** Removes the copies of all other documents. */
  keepOnly(addresses: readonly PublishedAddress[]): void;
};

export type PublishedCopy = {
  /** When the publisher last confirmed it, in epoch milliseconds. */
  readonly confirmedAt: number;
  /** The clean text of the content. */
  readonly text: string;
};

/** For a service that stores nothing. */
export const NO_COPIES: PublishedCopies = { read: () => null, write: () => {}, keepOnly: () => {} };

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Larger than the file of any accepted document. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const FILE_NAME = /^(?:keys|ranges)-[0-9a-f]{32}\.json/;

const CopyFile = Type.Object({
  kind: Type.Union([Type.Literal('keys'), Type.Literal('ranges')]),
  url: Type.String(),
  confirmed_at: Type.String(),
  text: Type.String(),
});

/** Stores each document in a file. Ignores a file that is damaged or belongs to another URL. */
export function createCopiesInFolder({
  folder,
  onFault,
}: {
  readonly folder: string;
  /** Receives failures to read or write; the service continues without the copy. */
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
        const retained = new Set(addresses.map(fileOf));
        if (!statSync(folder, { throwIfNoEntry: false })) return;
        for (const name of readdirSync(folder)) {
          // Includes temporary files of a killed process.
          if (FILE_NAME.test(name) && !retained.has(name)) rmSync(join(folder, name), { force: true });
        }
      }, undefined),
  };
}

/** A hash, because a URL may contain characters that file names cannot. */
function fileOf({ kind, url }: PublishedAddress): string {
  return `${kind}-${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`;
}
