import { readBookingsyncCalendarParts } from '../bookingsync/read-calendar-parts.ts';
import { readBookingsyncRecords } from '../bookingsync/read-records.ts';
import { readBookingsyncRentals } from '../bookingsync/read-rentals.ts';
import { readBookingsyncSearch } from '../bookingsync/read-search.ts';
import { readBookingsyncToken } from '../bookingsync/read-token.ts';
import { readLodgifyAvailability } from '../lodgify/read-availability.ts';
import { readLodgifyProperties } from '../lodgify/read-properties.ts';
import { readLodgifyQuote } from '../lodgify/read-quote.ts';
import { readLodgifyRates } from '../lodgify/read-rates.ts';
import { readLodgifyRoom } from '../lodgify/read-room.ts';
import { readLodgifySettings } from '../lodgify/read-settings.ts';
import { readCalendars } from '../open/read-calendars.ts';
import { readCataloguePage } from '../open/read-catalogue-page.ts';
import { readQuotes } from '../open/read-quotes.ts';
import { readRateCard } from '../rate-card/read-rate-card.ts';
import { readListings } from '../read-listings.ts';
import type { IntakeTask } from './task.ts';

/** Every document of an operator that is read. An order names one of these, because functions cannot cross threads. */
export const INTAKE_TASKS = {
  catalogue_page: readCataloguePage,
  calendars: readCalendars,
  quotes: readQuotes,
  rate_card: readRateCard,
  listings: readListings,
  bookingsync_token: readBookingsyncToken,
  bookingsync_rentals: readBookingsyncRentals,
  bookingsync_records: readBookingsyncRecords,
  bookingsync_calendar_parts: readBookingsyncCalendarParts,
  bookingsync_search: readBookingsyncSearch,
  lodgify_properties: readLodgifyProperties,
  lodgify_room: readLodgifyRoom,
  lodgify_settings: readLodgifySettings,
  lodgify_availability: readLodgifyAvailability,
  lodgify_rates: readLodgifyRates,
  lodgify_quote: readLodgifyQuote,
} as const satisfies Record<string, IntakeTask<never, unknown, unknown>>;
