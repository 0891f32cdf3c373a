import type { Day } from '../stay/day.ts';
import { readBeds24Token } from './beds24/auth.ts';
import { readBeds24Calendars } from './beds24/calendar.ts';
import { readBeds24Properties } from './beds24/catalogue.ts';
import { readBeds24Offers } from './beds24/quote.ts';
import { readBookingsyncCalendarParts } from './bookingsync/calendar-parts.ts';
import { readBookingsyncRecords, readBookingsyncRentals } from './bookingsync/payloads.ts';
import { readBookingsyncSearch } from './bookingsync/quote.ts';
import { readGuestyCalendar } from './guesty/calendar.ts';
import { readGuestyListing, readGuestyListings, readGuestyRates } from './guesty/catalogue.ts';
import { readGuestyQuote } from './guesty/quote.ts';
import { readHostawayCalendar } from './hostaway/calendar.ts';
import { readHostawayAmenities, readHostawayListings, readHostawayPolicies } from './hostaway/catalogue.ts';
import { readHostawayPrice } from './hostaway/quote.ts';
import type { FeedFault } from './icalendar/content-lines.ts';
import { type NightRange, parseFeed } from './icalendar/parse-feed.ts';
import { readPlainLines } from './imported/payloads.ts';
import { readLodgifyAvailability, readLodgifyRates } from './lodgify/calendar.ts';
import { readLodgifyProperties, readLodgifyRoom, readLodgifySettings } from './lodgify/payloads.ts';
import { readLodgifyQuote } from './lodgify/quote.ts';
import { readCalendars } from './open/calendar.ts';
import { readBookingsPage, readCataloguePage } from './open/protocol.ts';
import { readQuotes } from './open/quote.ts';
import { readQloappsNights } from './qloapps/calendar.ts';
import { readQloappsFeatures, readQloappsHotels } from './qloapps/payloads.ts';
import { readQloappsCapacities, readQloappsPrices } from './qloapps/quote.ts';
import { readQloappsRefundRules, readQloappsRoomTypes } from './qloapps/room-types.ts';
import { readRateCard } from './rate-card/catalogue.ts';
import { readIssuedToken } from './shared/account/read-issued-token.ts';
import type { IntakeTask } from './shared/intake/parse-document.ts';
import { checkedListings, readListings } from './shared/listings/checked-listings.ts';

/** The reader of every kind of document. An order names one of these, because functions cannot cross threads. */
export const INTAKE_TASKS = {
  catalogue_page: readCataloguePage,
  calendars: readCalendars,
  quotes: readQuotes,
  bookings_page: readBookingsPage,
  rate_card: readRateCard,
  availability_feed: readFeed,
  listings: readListings,
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
  issued_token: readIssuedToken,
  guesty_listings: checkedListings(readGuestyListings, ({ hasTerms }) => !hasTerms),
  guesty_listing: readGuestyListing,
  guesty_rates: readGuestyRates,
  guesty_calendar: readGuestyCalendar,
  guesty_quote: readGuestyQuote,
  hostaway_listings: checkedListings(readHostawayListings),
  hostaway_amenities: readHostawayAmenities,
  hostaway_policies: readHostawayPolicies,
  hostaway_calendar: readHostawayCalendar,
  hostaway_price: readHostawayPrice,
  plain_lines: readPlainLines,
  beds24_token: readBeds24Token,
  beds24_properties: checkedListings(readBeds24Properties),
  beds24_calendars: readBeds24Calendars,
  beds24_offers: readBeds24Offers,
  qloapps_hotels: readQloappsHotels,
  qloapps_features: readQloappsFeatures,
  qloapps_refund_rules: readQloappsRefundRules,
  qloapps_room_types: checkedListings(readQloappsRoomTypes),
  qloapps_capacities: readQloappsCapacities,
  qloapps_nights: readQloappsNights,
  qloapps_prices: readQloappsPrices,
} as const satisfies Record<string, IntakeTask<never, unknown, unknown>>;

type FeedParameters = {
  readonly timeZone: string;
  /** Earlier nights are dropped. */
  readonly since: Day;
};

/** A task of the intake: the nights that a feed blocks. A faulty feed blocks none; its faults are returned. */
function* readFeed(
  document: Uint8Array,
  { timeZone, since }: FeedParameters,
): Generator<NightRange, readonly FeedFault[]> {
  const reading = parseFeed(document, timeZone);
  if (reading.kind === 'invalid') return reading.faults;
  for (const range of reading.value) if (range.to > since) yield range;
  return [];
}
