import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { UnmappedAmenity } from '../../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import type { PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import { type FileBytes, FileTooLarge, fileBytes } from '../../connectors/shared/plain/plain-file.ts';
import { CsvFailure } from '../../parsing/csv.ts';
import { ownText } from '../../parsing/owned-memory.ts';
import { UsageFault } from '../faults.ts';

type ImportProgress = { readonly bytesRead: number; readonly totalBytes: number };

/** The options of every import besides its files. */
export type ImportOptions = {
  /** The file that gets the homes, in the plain format. It is written completely or not at all. */
  readonly output: string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import; nothing is written. */
  readonly signal?: AbortSignal;
};

export type ImportSummary = {
  readonly properties: number;
  /** Homes with a calendar. */
  readonly calendars: number;
  /** Rows or periods that were taken. */
  readonly calendarRows: number;
  /** The first thousand; `rejectionCounts` counts all. */
  readonly rejections: readonly ImportFault[];
  readonly rejectionCounts: Readonly<Partial<Record<RejectionRule, number>>>;
  readonly unmappedAmenities: readonly UnmappedAmenity[];
  readonly milliseconds: number;
};

/** A rejected row, or a part of one. */
export type ImportFault = PlacedFault & {
  readonly file: string;
  readonly line: number;
  /** The home; null when the row does not name one. */
  readonly reference: string | null;
};

/** Enough to see the faults; more are only counted. */
const MAX_LISTED = 1000;

type ImportReport = {
  add(fault: ImportFault): void;
  /** The first thousand, in the order in which they were found. */
  listed(): readonly ImportFault[];
  /** Of all faults, listed or not. */
  counts(): Readonly<Partial<Record<RejectionRule, number>>>;
};

export function createImportReport(): ImportReport {
  const listed: ImportFault[] = [];
  const counts: Partial<Record<RejectionRule, number>> = {};
  return {
    add(fault) {
      counts[fault.rule] = (counts[fault.rule] ?? 0) + 1;
      if (listed.length < MAX_LISTED) listed.push(withOwnTexts(fault));
    },
    listed: () => listed,
    counts: () => counts,
  };
}

/** Copies the texts of a fault, which would otherwise hold the chunk of the file in memory. */
export function withOwnTexts<Fault extends PlacedFault & Partial<Pick<ImportFault, 'reference'>>>(
  fault: Fault,
): Fault {
  const { reason, value, reference } = fault;
  return {
    ...fault,
    reason: ownText(reason),
    ...(value === undefined ? {} : { value: ownText(value) }),
    ...(typeof reference === 'string' ? { reference: ownText(reference) } : {}),
  };
}

/** `listings.csv.gz:12: date must be a day, YYYY-MM-DD: tomorrow` */
export function describeImportFault({ file, line, field, reason, value }: ImportFault): string {
  const place = `${file}:${line}: ${field === '' ? '' : `${field} `}${reason}`;
  // The reason names a short and harmless value already.
  return value === undefined || reason.startsWith(`is ${value},`)
    ? place
    : `${place}: ${value === '' ? '(empty)' : value}`;
}

/** A file that cannot be imported at all. Its message is for the person at the terminal; nothing was written. */
export class ImportFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ImportFailure';
  }
}

/** After unpacking. The largest published city has some hundred megabytes. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;

type ImportFiles = {
  /** The chunks of one of the files. Each file can be read once. */
  chunksOf(path: string): AsyncGenerator<Uint8Array>;
};

/** Opens files to be read one after the other, with the progress over all. Every error names its file. */
export async function openImportFiles(
  paths: readonly string[],
  { onProgress, signal = new AbortController().signal }: Pick<ImportOptions, 'onProgress' | 'signal'>,
): Promise<ImportFiles> {
  let totalBytes = 0;
  for (const path of paths) totalBytes += await sizeOf(path);
  let bytesBefore = 0;
  return {
    async *chunksOf(path) {
      const file: FileBytes = fileBytes(path, { maxBytes: MAX_FILE_BYTES, signal });
      try {
        for await (const chunk of file.chunks) {
          onProgress?.({ bytesRead: bytesBefore + file.bytesRead(), totalBytes });
          yield chunk;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw asFailure(path, error);
      }
      bytesBefore += file.bytesRead();
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new ImportFailure(`${path} is not a file`);
    return found.size;
  } catch (error) {
    throw asFailure(path, error);
  }
}

function asFailure(path: string, error: unknown): unknown {
  if (error instanceof ImportFailure) return error;
  if (error instanceof FileTooLarge) return new ImportFailure(`${basename(path)}: ${error.message}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new ImportFailure(`there is no file ${path}`, { cause: error });
  if (code === 'Z_BUF_ERROR')
    return new ImportFailure(`${path} ends in the middle of its gzip data`, { cause: error });
  if (code.startsWith('Z_'))
    return new ImportFailure(`${path} is damaged: its gzip data cannot be unpacked`, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new ImportFailure(`${path} cannot be read: ${message}`, { cause: error });
}

/** Turns the failure of a file into a fault with a remedy. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof ImportFailure || failure instanceof CsvFailure)
      throw new UsageFault([failure.message], 'nothing was written; mend the file, or name another');
    throw failure;
  }
}
