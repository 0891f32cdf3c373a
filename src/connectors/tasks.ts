import { beds24Tasks } from './beds24/quote.ts';
import { bookingsyncTasks } from './bookingsync/quote.ts';
import { guestyTasks } from './guesty/quote.ts';
import { hostawayTasks } from './hostaway/quote.ts';
import { readFeed } from './icalendar/parse-feed.ts';
import { readPlainLines } from './imported/plain-lines.ts';
import { lodgifyTasks } from './lodgify/quote.ts';
import { openTasks } from './open/quote.ts';
import { qloappsTasks } from './qloapps/quote.ts';
import { readRateCard } from './rate-card/catalogue.ts';
import { readIssuedToken } from './shared/account/issued-token.ts';
import type { IntakeTask } from './shared/intake/parse-document.ts';
import { readListings } from './shared/listings/checked-listings.ts';

/** The reader of every kind of document. An order names one of these, because functions cannot cross threads. */
export const INTAKE_TASKS = {
  listings: readListings,
  issued_token: readIssuedToken,
  availability_feed: readFeed,
  rate_card: readRateCard,
  plain_lines: readPlainLines,
  ...openTasks,
  ...bookingsyncTasks,
  ...lodgifyTasks,
  ...guestyTasks,
  ...hostawayTasks,
  ...beds24Tasks,
  ...qloappsTasks,
} as const satisfies Record<string, IntakeTask<never, unknown, unknown>>;
