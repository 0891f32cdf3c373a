import { copyFile, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RejectionRule } from '../catalogue/rejections/rejection-rules.ts';
import type { PlacedFault } from '../connectors/shared/listings/first-fault.ts';
import { readListing } from '../connectors/shared/listings/listing-reader.ts';
import { FileTooLarge, fileBytes, linesIn, wholeLinesOf } from '../connectors/shared/plain/plain-file.ts';
import { LINE_TOO_LONG, readPlainLine } from '../connectors/shared/plain/plain-line.ts';
import { CsvFailure } from '../parsing/csv.ts';
import { ownText } from '../parsing/owned-memory.ts';
import { createFoundCities, createFoundHosts, type FoundCity, type FoundHost } from './discover-listings.ts';
import { UsageFault } from './faults.ts';

export type PlainImport = {
  readonly properties: number;
  /** Calendar lines that can be read, and their periods. */
  readonly calendarLines: number;
  readonly calendarPeriods: number;
  /** The first thousand; `rejectionCounts` counts all. */
  readonly rejections: readonly ImportFault[];
  readonly rejectionCounts: Readonly<Partial<Record<RejectionRule, number>>>;
  readonly cities: ReadonlyMap<string, FoundCity>;
  readonly hosts: readonly FoundHost[];
};

/** A line that a synchronisation would reject. */
export type ImportFault = PlacedFault & {
  readonly file: string;
  readonly line: number;
  readonly reference: string | null;
};

export const MAX_FILE_BYTES = 2 * 1024 ** 3;
const MAX_LISTED = 1000;
/** A file of another format or version is refused, because its members may mean something else. */
const HEADER_MEMBERS: readonly string[] = ['format', 'version'];
/** A placeholder: no fault names it. */
const BRAND = 'import';

/** Copies a file in the plain format, and reads the copy for its cities, hosts, and lines that would be rejected. */
export async function importPlain({
  input,
  output,
  onProgress,
  signal,
}: {
  readonly input: string;
  readonly output: string;
  readonly onProgress: (bytesRead: number, totalBytes: number) => void;
  readonly signal: AbortSignal;
}): Promise<PlainImport> {
  const file = basename(input);
  try {
    const totalBytes = await copied(input, output);
    const bytes = fileBytes(output, { maxBytes: MAX_FILE_BYTES, signal });
    return await readLines(bytes.chunks, file, () => onProgress(bytes.bytesRead(), totalBytes));
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(input, error);
  }
}

async function copied(input: string, output: string): Promise<number> {
  await copyFile(input, output);
  await using copy = await open(output, 'r+');
  // A rename may survive a power failure that the content does not.
  await copy.sync();
  return (await copy.stat()).size;
}

const REMEDY = 'nothing was written; mend the file, or name another';

/** Adds the path and a remedy to a fault of the file; any other error stays as it is. */
export function unreadable(path: string, error: unknown): unknown {
  if (error instanceof CsvFailure) return new UsageFault([error.message], REMEDY);
  if (error instanceof FileTooLarge) return new UsageFault([`${path}: ${error.message}`], REMEDY);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new UsageFault([`there is no file ${path}`], REMEDY);
  if (!code.startsWith('Z_')) return error;
  return new UsageFault([`${path} cannot be unpacked: it is damaged, or ends too early`], REMEDY);
}

async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  onPiece: () => void,
): Promise<PlainImport> {
  const rejections: ImportFault[] = [];
  const rejectionCounts: Partial<Record<RejectionRule, number>> = {};
  const cities = createFoundCities();
  const hosts = createFoundHosts();
  let [properties, calendarLines, calendarPeriods] = [0, 0, 0];

  function reject(line: number, reference: string | null, fault: PlacedFault): void {
    rejectionCounts[fault.rule] = (rejectionCounts[fault.rule] ?? 0) + 1;
    if (rejections.length >= MAX_LISTED) return;
    const { reason, value } = fault;
    // Copies, because a part of a text would hold the piece of the file in memory.
    rejections.push({
      ...fault,
      reason: ownText(reason),
      ...(value === undefined ? {} : { value: ownText(value) }),
      file,
      line,
      reference: reference === null ? null : ownText(reference),
    });
  }

  function takeListing(listing: unknown, line: number): void {
    const { place, currency, url, pictures } = namesIn(listing);
    const city = { id: place, name: place, aliases: [], parent: null, timeZone: 'UTC', currency };
    // Places and hosts are chosen after the file was read, so those that it names count as known.
    const { property, rejections: faults } = readListing(listing, {
      brand: BRAND,
      hosts: [url, ...pictures].flatMap((address) => URL.parse(address)?.host ?? []),
      placeAliases: new Map(),
      places: new Map([[place, { ...city, kind: 'city' }]]),
    });
    const [first] = faults;
    if (!property && first) {
      const { reference, repaired: _, ...fault } = first;
      reject(line, reference, fault);
      return;
    }
    properties += 1;
    cities.add(ownText(place), ownText(currency));
    hosts.add(url, pictures);
  }

  for await (const piece of wholeLinesOf(chunks)) {
    if (piece.isTooLong) reject(piece.firstLine, null, LINE_TOO_LONG);
    for (const { line, bytes } of linesIn(piece.bytes, piece.firstLine)) {
      const read = readPlainLine(bytes);
      if (read.kind === 'property') takeListing(read.listing, line);
      else if (read.kind === 'calendar') {
        calendarLines += 1;
        calendarPeriods += read.periods.prices.length;
      } else if (read.kind === 'refused') {
        if (line === 1 && HEADER_MEMBERS.includes(read.fault.field)) {
          const fault = describeImportFault({ ...read.fault, file, line, reference: null });
          throw new UsageFault([fault], REMEDY);
        }
        reject(line, read.reference, read.fault);
      }
    }
    onPiece();
  }
  return {
    properties,
    calendarLines,
    calendarPeriods,
    rejections,
    rejectionCounts,
    cities: cities.all(),
    hosts: hosts.all(),
  };
}

/** The names in a listing that is not checked yet. */
function namesIn(listing: unknown) {
  const member = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const images = member(listing, 'images');
  return {
    place: text(member(listing, 'place')),
    currency: text(member(listing, 'currency')),
    url: text(member(listing, 'url')),
    pictures: (Array.isArray(images) ? images : []).map((image) => text(member(image, 'url'))),
  };
}

/** `homes.jsonl:12: max_guests is 101, must be a whole number from 1 to 100` */
export function describeImportFault({ file, line, field, reason, value }: ImportFault): string {
  const place = `${file}:${line}: ${field === '' ? '' : `${field} `}${reason}`;
  // The reason names a short and harmless value already.
  return value === undefined || reason.startsWith(`is ${value},`) ? place : `${place}: ${value || '(empty)'}`;
}
