import { readFeed } from '../icalendar/read-feed.ts';
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
  availability_feed: readFeed,
  listings: readListings,
} as const satisfies Record<string, IntakeTask<never, unknown, unknown>>;
