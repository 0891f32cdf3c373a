import { basename } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import { isBookable, unpackPeriods } from '../../connectors/shared/calendars/night-periods.ts';
import { createAmenityMap, createUnmappedAmenities } from '../../connectors/shared/listings/amenities.ts';
import type { PlacedFault } from '../../connectors/shared/listings/first-fault.ts';
import { found } from '../../connectors/shared/listings/first-fault.ts';
import { ownText } from '../../parsing/owned-memory.ts';
import { type LineWriter, writeLinesAtomically } from '../../parsing/replace-file.ts';
import type { Day } from '../../stay/day.ts';
import { decimalsOf } from '../../stay/money.ts';
import {
  calendarLinesOf,
  createImportReport,
  createSeenHomes,
  type FoundInFile,
  headerLineOf,
  ImportFailure,
  type ImportOptions,
  type ImportSummary,
  offeringFault,
  openImportFiles,
  propertyLineOf,
} from './import-job.ts';
import { AMENITY_WORDS } from './inside-airbnb/amenity-words.ts';
import {
  createCalendarRowReader,
  createNightsByHome,
  type NightsByHome,
  REQUIRED_CALENDAR_COLUMNS,
} from './inside-airbnb/calendar.ts';
import {
  columnOf,
  type HomeTerms,
  REQUIRED_LISTING_COLUMNS,
  readListingRow,
} from './inside-airbnb/listings.ts';
import {
  cityOfFile,
  createPriceReader,
  currencyOfPrice,
  placeIdOf,
  type TableRow,
  tableRows,
} from './inside-airbnb/table.ts';

/** As long as a reference can be. */
const MAX_ID_LENGTH = 64;

export type InsideAirbnbImport = ImportSummary & {
  readonly found: FoundInFile;
  readonly city: { readonly id: string; readonly name: string; readonly currency: string };
};

export type InsideAirbnbOptions = ImportOptions & {
  /** `listings.csv.gz` as it is published for a city, or unpacked. */
  readonly listings: string;
  /** `calendar.csv.gz` of the same city and day. */
  readonly calendar: string;
  /** The first day of the calendars is moved to this day, and all others with it. */
  readonly today: Day;
  /** An ISO 4217 code. Left out: the one whose sign the prices have. */
  readonly currency?: string;
  /** The name of the city. Left out: taken from the name of the listings file. */
  readonly city?: string;
  readonly clock?: Clock;
};

/**
 * Turns the published files of a city into one file in the plain format. Rejects a row with a fault and reports the reason; an unreadable file
 * ends the import, and nothing is written.
 */
export async function importInsideAirbnb(options: InsideAirbnbOptions): Promise<InsideAirbnbImport> {
  const { listings, calendar, output, today, clock = systemClock } = options;
  const startedAt = clock.elapsed();
  const files = await openImportFiles([listings, calendar], options);
  const currency = options.currency ?? (await findCurrency({ listings, calendar, signal: options.signal }));
  // Throws for an unknown currency before any file is read.
  decimalsOf(currency);
  const city = options.city ?? cityOfFile(listings);
  const place = placeIdOf(city);
  const report = createImportReport();
  const homes = createSeenHomes();
  const terms = new Map<string, HomeTerms>();
  const unmapped = createUnmappedAmenities();
  const refuse = (path: string, line: number, reference: string | null, fault: PlacedFault) =>
    report.add({ ...fault, file: basename(path), line, reference });

  return await writeLinesAtomically(output, async (writer) => {
    await writer.write(headerLineOf(`Inside Airbnb: ${basename(listings)}, ${basename(calendar)}`));
    await takeListings(writer);
    const { nights, rows } = await takeCalendar();
    const calendars = await writeCalendars(writer, nights);
    return {
      properties: homes.count(),
      calendars,
      calendarRows: rows,
      rejections: report.listed(),
      rejectionCounts: report.counts(),
      unmappedAmenities: unmapped.all(),
      milliseconds: Math.round(clock.elapsed() - startedAt),
      found: homes.found(),
      city: { id: place, name: city, currency },
    };
  });

  async function takeListings(writer: LineWriter): Promise<void> {
    const mapAmenities = createAmenityMap(AMENITY_WORDS, { areNames: true });
    for await (const rows of tableRows(files.chunksOf(listings), listings, REQUIRED_LISTING_COLUMNS)) {
      for (const row of rows) {
        const reading = readListingRow(row, { place, city, currency });
        if (reading.kind === 'invalid') {
          const reference = storedId(row.cell('id'));
          if (reference !== null) homes.refuse(reference);
          for (const fault of reading.faults) refuse(listings, row.line, reference, fault);
          continue;
        }
        const { listing, amenities: published, terms: own } = reading.value;
        const { reference } = listing;
        if (homes.has(reference)) {
          const fault = { rule: 'listed_twice', reason: 'was listed before; the first row counts' } as const;
          refuse(listings, row.line, reference, { field: 'id', ...fault, ...found(reference) });
          continue;
        }
        const mapped = mapAmenities(published);
        const home = { ...listing, amenities: mapped.amenities };
        const fault = offeringFault(home);
        if (fault) {
          homes.refuse(reference);
          refuse(listings, row.line, reference, { ...fault, field: columnOf(fault.field) });
          continue;
        }
        unmapped.add(reference, mapped.unmapped);
        homes.add(listing, row.line);
        terms.set(reference, own);
        await writer.write(propertyLineOf(home));
      }
    }
  }

  async function takeCalendar(): Promise<{ readonly nights: NightsByHome; readonly rows: number }> {
    const nights = createNightsByHome();
    const readRow = createCalendarRowReader(createPriceReader(currency));
    const unknownHomes = new Set<string>();
    let taken = 0;
    for await (const rows of tableRows(files.chunksOf(calendar), calendar, REQUIRED_CALENDAR_COLUMNS)) {
      for (const row of rows) {
        const reference = row.cell('listing_id');
        const own = terms.get(reference);
        if (!own) reportUnknownHome(row, reference, unknownHomes);
        else if (takeNight(row, reference, own)) taken += 1;
      }
    }
    return { nights, rows: taken };

    function takeNight(row: TableRow, reference: string, own: HomeTerms): boolean {
      const reading = readRow(row, own);
      if (reading.kind === 'invalid') {
        for (const fault of reading.faults) refuse(calendar, row.line, reference, fault);
        return false;
      }
      const outcome = nights.add(reference, reading.value);
      if (outcome === 'added') return true;
      const fault =
        outcome === 'twice'
          ? ({ rule: 'night_twice', reason: 'was given before; the first row counts' } as const)
          : ({ rule: 'out_of_range', reason: 'is years away from the other nights of the home' } as const);
      refuse(calendar, row.line, reference, { field: 'date', ...fault, ...found(row.cell('date')) });
      return false;
    }
  }

  /** Reports each unknown home once, except homes whose listing was rejected and reported already. */
  function reportUnknownHome(row: TableRow, reference: string, unknownHomes: Set<string>): void {
    if (row.fault) refuse(calendar, row.line, null, row.fault);
    else if (!homes.isRefused(reference) && !unknownHomes.has(reference)) {
      const kept = storedId(reference);
      if (kept !== null && unknownHomes.size < MAX_UNKNOWN_HOMES) unknownHomes.add(kept);
      const fault = { rule: 'not_in_catalogue', reason: 'is not in the listings' } as const;
      refuse(calendar, row.line, kept, { field: 'listing_id', ...fault, ...found(reference) });
    }
  }

  async function writeCalendars(writer: LineWriter, nights: NightsByHome): Promise<number> {
    const shift = today - (nights.firstDay() ?? today);
    let written = 0;
    for (const { reference, line } of homes.all()) {
      const periods = nights.periodsOf(reference, shift);
      if (!periods) {
        const fault = { rule: 'calendar_missing', reason: 'has no row in the calendar' } as const;
        refuse(listings, line, reference, { field: 'id', ...fault, ...found(reference) });
        continue;
      }
      const list = unpackPeriods(periods);
      if (list.some(({ available }) => available) && !list.some(isBookable)) {
        const fault = { rule: 'no_price', reason: 'is empty, here and in the calendar' } as const;
        refuse(listings, line, reference, { field: 'price', ...fault });
      }
      for (const text of calendarLinesOf(reference, periods, currency)) await writer.write(text);
      written += 1;
    }
    return written;
  }
}

/** Bounds the memory for unknown homes, each of which is reported once. */
const MAX_UNKNOWN_HOMES = 100_000;

/** A copy of the id of a home; null when it is empty or too long to be one. */
function storedId(cell: string): string | null {
  return cell === '' || cell.length > MAX_ID_LENGTH ? null : ownText(cell);
}

/** The currency by the sign of the first price, in the listings or else in the calendar. */
async function findCurrency({
  listings,
  calendar,
  signal,
}: {
  readonly listings: string;
  readonly calendar: string;
  readonly signal: AbortSignal | undefined;
}): Promise<string> {
  const files = await openImportFiles([listings, calendar], signal ? { signal } : {});
  for (const path of [listings, calendar]) {
    for await (const rows of tableRows(files.chunksOf(path), path, [])) {
      for (const row of rows) {
        const currency = row.fault ? undefined : currencyOfPrice(row.cell('price'));
        if (currency !== undefined) return currency;
      }
    }
  }
  throw new ImportFailure('no price has a sign that tells its currency: name the currency');
}
