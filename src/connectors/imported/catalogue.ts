import type { BrandBudget, Property } from '../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../catalogue/rejections/rejection.ts';
import { createRejectionReport } from '../../catalogue/rejections/rejection.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { inTurns } from '../../limits/event-loop.ts';
import type { Reading } from '../../parsing/reading.ts';
import { createBudgetMeter } from '../shared/budget-meter.ts';
import { type CalendarLineFault, createCollectedCalendars } from '../shared/calendars/collected-calendars.ts';
import type { NightPeriods } from '../shared/calendars/night-periods.ts';
import { fileVersion } from '../shared/documents/document-source.ts';
import type { Intake, IntakeLaneName } from '../shared/intake/intake.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { listedBefore } from '../shared/listings/listing-reader.ts';
import { FileTooLarge, fileBytes, wholeLinesOf } from '../shared/plain/plain-file.ts';
import { MAX_PLAIN_LINE_BYTES } from '../shared/plain/plain-line.ts';

/** A home of an imported file. Prices are in minor units of its currency. */
export type ImportedHome = {
  readonly property: Property;
  readonly calendar: Reading<NightPeriods, CalendarLineFault>;
};

/** A file that was read to its end. */
export type ReadImport = {
  readonly version: string;
  readonly homes: ReadonlyMap<string, ImportedHome>;
  readonly reading: CatalogueReading;
};

/** After decompression. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;
/** Joining the calendar of one home takes some microseconds. */
const HOMES_A_TURN = 200;

/** Reads a file in pieces, each in its own intake task; `known` when it has not changed. */
export async function readImport({
  path,
  known,
  context,
  intake,
  budget,
  lane,
  signal,
}: {
  readonly path: string;
  readonly known?: ReadImport | undefined;
  readonly context: Omit<ListingContext, 'places'>;
  readonly intake: Intake;
  readonly budget: BrandBudget;
  readonly lane: IntakeLaneName;
  readonly signal: AbortSignal;
}): Promise<ReadImport> {
  const meter = createBudgetMeter(budget);
  const report = createRejectionReport();
  const properties = new Map<string, Property>();
  const calendars = createCollectedCalendars();
  let version: string;
  try {
    // Before the reading, so that a file written during it is read again the next time.
    version = await fileVersion(path);
    signal.throwIfAborted();
    if (known?.version === version) return known;
    const file = fileBytes(path, { maxBytes: MAX_FILE_BYTES, signal });
    for await (const { bytes, firstLine, isTooLong } of wholeLinesOf(file.chunks)) {
      if (isTooLong) {
        const message = `line ${firstLine} is longer than ${MAX_PLAIN_LINE_BYTES} bytes`;
        throw new BookingSystemFailure('too_large', message);
      }
      meter.sent(bytes.byteLength);
      const { summary } = await intake.run({
        task: 'plain_lines',
        lane,
        brand: context.brand,
        document: bytes,
        parameters: { ...context, firstLine },
        signal,
        take(items, weight) {
          meter.kept(items.filter(({ kind }) => kind === 'home').length, weight);
          for (const item of items) {
            if (item.kind === 'calendar') calendars.add(item.reference, item.line, item.periods);
            else if (item.kind === 'refused_calendar') calendars.refuse(item.reference, item.fault);
            else if (properties.has(item.property.reference))
              report.add([listedBefore(item.property.reference)]);
            else properties.set(item.property.reference, item.property);
          }
        },
      });
      report.add(summary.rejections, summary.notListed, summary.counts);
    }
  } catch (cause) {
    throw asFailure(cause, signal);
  }
  const homes = new Map<string, ImportedHome>();
  await inTurns(properties.values(), HOMES_A_TURN, (property) => {
    const { reference, currency } = property;
    homes.set(reference, { property, calendar: calendars.of(reference, currency) });
  });
  return { version, homes, reading: { properties: [...properties.values()], ...report.all() } };
}

function asFailure(cause: unknown, signal: AbortSignal): BookingSystemFailure {
  if (cause instanceof BookingSystemFailure) return cause;
  if (signal.aborted) return new BookingSystemFailure('timeout', 'the reading was given up', { cause });
  if (cause instanceof FileTooLarge) return new BookingSystemFailure('too_large', cause.message, { cause });
  const isGzip = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
  return isGzip
    ? new BookingSystemFailure('garbled', 'the imported file cannot be unpacked', { cause })
    : new BookingSystemFailure('unreachable', 'the imported file cannot be read', { cause });
}
