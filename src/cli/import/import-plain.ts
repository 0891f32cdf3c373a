import { basename } from 'node:path';
import { Compile } from 'typebox/compile';
import { type Clock, systemClock } from '../../clock.ts';
import { createCollectedCalendars } from '../../connectors/shared/calendars/collected-calendars.ts';
import { firstFault, found, type PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import { Listing } from '../../connectors/shared/listings/listing.ts';
import { linesIn, wholeLinesOf } from '../../connectors/shared/plain/plain-file.ts';
import { LINE_TOO_LONG, lineReference, readPlainLine } from '../../connectors/shared/plain/plain-line.ts';
import { type LineWriter, writeLinesAtomically } from '../../parsing/replace-file.ts';
import {
  calendarLinesOf,
  createImportReport,
  createSeenHomes,
  describeImportFault,
  type FoundInFile,
  headerLineOf,
  ImportFailure,
  type ImportOptions,
  type ImportSummary,
  MAX_HOMES,
  offeringFault,
  openImportFiles,
  propertyLineOf,
  withOwnTexts,
} from './import-job.ts';

export type PlainImport = ImportSummary & { readonly found: FoundInFile };

const listingSchema = Compile(Listing);
/** A file of another format or version is refused, because its members may mean something else. */
const HEADER_MEMBERS: readonly string[] = ['format', 'version'];

/**
 * Checks a file in the plain format and writes it anew: homes first, then one calendar for each, in order of its nights. A bad line is
 * rejected, and with it the calendar of its home if the line is a part of that calendar.
 */
export async function importPlain({
  input,
  output,
  clock = systemClock,
  ...options
}: ImportOptions & {
  /** JSON Lines, or the same as gzip. */
  readonly input: string;
  readonly clock?: Clock;
}): Promise<PlainImport> {
  const startedAt = clock.elapsed();
  const files = await openImportFiles([input], options);
  return await writeLinesAtomically(output, async (writer) => {
    await writer.write(headerLineOf(basename(input)));
    const taken = await takeLines(files.chunksOf(input), basename(input), writer);
    return { ...taken, unmappedAmenities: [], milliseconds: Math.round(clock.elapsed() - startedAt) };
  });
}

async function takeLines(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  writer: LineWriter,
): Promise<Omit<PlainImport, 'unmappedAmenities' | 'milliseconds'>> {
  const report = createImportReport();
  const homes = createSeenHomes();
  const calendars = createCollectedCalendars();
  let calendarHomes = 0;
  const refuse = (line: number, reference: string | null, fault: PlacedFault) =>
    report.add({ ...fault, file, line, reference });

  async function takeListing(listing: unknown, line: number): Promise<void> {
    if (!listingSchema.Check(listing)) {
      const reference = lineReference(listing);
      if (reference !== null) homes.refuse(reference);
      refuse(line, reference, firstFault(listingSchema, listing));
      return;
    }
    const { reference } = listing;
    if (homes.has(reference)) {
      const fault = { rule: 'listed_twice', reason: 'was listed before; the first listing counts' } as const;
      refuse(line, reference, { field: 'reference', ...fault, ...found(reference) });
      return;
    }
    const known = withoutOtherMembers(listing);
    const fault = offeringFault(known);
    if (fault) {
      homes.refuse(reference);
      refuse(line, reference, fault);
      return;
    }
    homes.add(listing, line);
    await writer.write(propertyLineOf(known));
  }

  /** A home may follow its calendar in the file, so all calendars are held until its end. */
  function takeCalendarOf(reference: string): void {
    if (calendars.lineOf(reference) > 0) return;
    calendarHomes += 1;
    if (calendarHomes > MAX_HOMES)
      throw new ImportFailure(`the file has calendars of more than ${MAX_HOMES} homes`);
  }

  async function takeLine(bytes: Uint8Array, line: number): Promise<void> {
    const read = readPlainLine(bytes);
    switch (read.kind) {
      case 'blank':
        break;
      case 'header':
        if (line > 1) {
          const fault = { rule: 'misplaced_header', reason: 'belongs to the first line' } as const;
          refuse(line, null, { field: 'type', ...fault });
        }
        break;
      case 'property':
        await takeListing(read.listing, line);
        break;
      case 'calendar':
        takeCalendarOf(read.reference);
        calendars.add(read.reference, line, read.periods);
        break;
      case 'refused':
        if (line === 1 && HEADER_MEMBERS.includes(read.fault.field))
          throw new ImportFailure(describeImportFault({ ...read.fault, file, line, reference: null }));
        refuse(line, read.reference, read.fault);
        if (read.reference !== null) {
          takeCalendarOf(read.reference);
          calendars.refuse(read.reference, withOwnTexts({ ...read.fault, line }));
        }
    }
  }

  for await (const piece of wholeLinesOf(chunks)) {
    if (piece.isTooLong) refuse(piece.firstLine, null, LINE_TOO_LONG);
    for (const { line, bytes } of linesIn(piece.bytes, piece.firstLine)) await takeLine(bytes, line);
  }

  for (const reference of calendars.references()) {
    if (homes.has(reference) || homes.isRefused(reference)) continue;
    const fault = { rule: 'not_in_catalogue', reason: 'is not a home of this file' } as const;
    refuse(calendars.lineOf(reference), reference, { field: 'property', ...fault, ...found(reference) });
  }
  let [calendarCount, calendarRows] = [0, 0];
  for (const { reference, currency, line } of homes.all()) {
    const calendar = calendars.of(reference, currency);
    if (calendar.kind === 'valid') {
      for (const text of calendarLinesOf(reference, calendar.value, currency)) await writer.write(text);
      calendarCount += 1;
      calendarRows += calendar.value.prices.length;
    } else if (!calendars.isRefused(reference)) {
      for (const fault of calendar.faults) refuse(fault.line || line, reference, fault);
    }
  }
  return {
    properties: homes.count(),
    calendars: calendarCount,
    calendarRows,
    rejections: report.listed(),
    rejectionCounts: report.counts(),
    found: homes.found(),
  };
}

function withoutOtherMembers(listing: Listing): Listing {
  const known = listingSchema.Clean(structuredClone(listing));
  if (!listingSchema.Check(known)) throw new Error('a listing is none without its other members');
  return known;
}
