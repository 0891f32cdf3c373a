import type { Place, PlaceId, Property } from '../../catalogue/catalogue.ts';
import { createRejectionReport, type RejectionReport } from '../../catalogue/rejections/rejection.ts';
import type { CalendarLineFault } from '../shared/calendars/collected-calendars.ts';
import type { NightPeriods } from '../shared/calendars/night-periods.ts';
import type { ListingContext } from '../shared/listings/listing.ts';
import { readListing } from '../shared/listings/listing-reader.ts';
import { linesIn } from '../shared/plain/plain-file.ts';
import { readPlainLine } from '../shared/plain/plain-line.ts';

/** The content of one line. */
type PlainItem =
  | { readonly kind: 'home'; readonly property: Property }
  | {
      readonly kind: 'calendar';
      readonly reference: string;
      readonly line: number;
      readonly periods: NightPeriods;
    }
  | { readonly kind: 'refused_calendar'; readonly reference: string; readonly fault: CalendarLineFault };

const NO_REFERENCE = '(no reference)';

/** Intake task: reads some lines of a file in the plain format. */
export function* readPlainLines(
  document: Uint8Array,
  { firstLine, ...context }: Omit<ListingContext, 'places'> & { readonly firstLine: number },
  places: ReadonlyMap<PlaceId, Place>,
): Generator<PlainItem, ReturnType<RejectionReport['all']>> {
  const report = createRejectionReport();
  for (const { line, bytes } of linesIn(document, firstLine)) {
    const read = readPlainLine(bytes);
    switch (read.kind) {
      case 'property': {
        const { property, rejections } = readListing(read.listing, { ...context, places });
        report.add(rejections);
        if (property) yield { kind: 'home', property };
        break;
      }
      case 'calendar':
        yield { kind: 'calendar', reference: read.reference, line, periods: read.periods };
        break;
      case 'refused': {
        const { reference } = read;
        const fault = { ...read.fault, reason: `${read.fault.reason} (line ${line})` };
        // A calendar fault is reported when the calendar is read.
        if (reference === null) report.add([{ reference: NO_REFERENCE, ...fault }]);
        else yield { kind: 'refused_calendar', reference, fault: { ...fault, line } };
      }
    }
  }
  return report.all();
}
