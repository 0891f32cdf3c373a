import type { CalendarReading, Horizon, QuoteOutcome } from '../../../quotes/booking-system.ts';
import type { KnownListing } from '../listings/known-listings.ts';
import { type AskedStayTerms, listingBatches, type Vendor } from './vendor-system.ts';

/** A listing of the catalogue, and the stay that somebody asks for. */
export type StayOfListing<Known extends KnownListing = KnownListing> = AskedStayTerms & {
  readonly reference: string;
  readonly listing: Known;
};

/** How a vendor is asked that has no call for several listings. */
export function oneByOne<Known extends KnownListing>({
  readCalendar,
  quoteStay,
}: {
  readCalendar(
    reference: string,
    listing: Known,
    horizon: Horizon,
    signal: AbortSignal,
  ): Promise<CalendarReading>;
  quoteStay(stay: StayOfListing<Known>, signal: AbortSignal): Promise<QuoteOutcome>;
}): Pick<Vendor<Known>, 'calendarBatches' | 'readCalendars' | 'quoteBatches' | 'quoteStays'> {
  const alone: Vendor<Known>['quoteBatches'] = (listings) => listingBatches(listings, 1);
  return {
    calendarBatches: alone,
    async readCalendars(listings, horizon, signal) {
      const readings = Array.from(
        listings,
        async ([reference, listing]) =>
          [reference, await readCalendar(reference, listing, horizon, signal)] as const,
      );
      return new Map(await Promise.all(readings));
    },
    quoteBatches: alone,
    quoteStays: (listings, stay, signal) =>
      Promise.all(
        Array.from(listings, ([reference, listing]) => quoteStay({ ...stay, reference, listing }, signal)),
      ),
  };
}
