import type { BrandBudget } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';

/** A listing as it is sent is longer than what is kept of it, but not much longer than this. */
const MAX_SENT_PER_KEPT_BYTE = 4;
/** Some may be held back, but each costs a reading, and with some vendors a call. */
const MAX_LISTED_PER_KEPT_LISTING = 4;
const BYTES_PER_MEGABYTE = 2 ** 20;

/** Counts what one reading of a brand takes, and throws a `BookingSystemFailure` at what is beyond its budget. */
export type BudgetMeter = {
  /** A document of so many bytes has arrived. */
  sent(bytes: number): void;
  /** So many listings were read, accepted or not. */
  listed(listings: number): void;
  /** So many listings of so many bytes are accepted. */
  kept(listings: number, bytes: number): void;
};

export function createBudgetMeter({ listings: maxListings, bytes: maxBytes }: BrandBudget): BudgetMeter {
  const megabytes = maxBytes / BYTES_PER_MEGABYTE;
  let sentBytes = 0;
  let listed = 0;
  let keptListings = 0;
  let keptBytes = 0;
  return {
    sent(bytes) {
      sentBytes += bytes;
      if (sentBytes > maxBytes * MAX_SENT_PER_KEPT_BYTE)
        throw beyond('megabytes', megabytes, `sends ${mebibytes(sentBytes)}, more than four times`);
    },
    listed(listings) {
      listed += listings;
      if (listed > maxListings * MAX_LISTED_PER_KEPT_LISTING)
        throw beyond('listings', maxListings, `lists at least ${count(listed)} homes, more than four times`);
    },
    kept(listings, bytes) {
      keptListings += listings;
      keptBytes += bytes;
      if (keptListings > maxListings)
        throw beyond('listings', maxListings, `has at least ${count(keptListings)} listings, more than`);
      if (keptBytes > maxBytes)
        throw beyond('megabytes', megabytes, `has at least ${mebibytes(keptBytes)} of listings, more than`);
    },
  };
}

/** A reading ends where the budget does, so how much more there is stays unknown: twice as much is a first try. */
function beyond(setting: 'listings' | 'megabytes', limit: number, what: string): BookingSystemFailure {
  return new BookingSystemFailure(
    'too_large',
    `the brand ${what} its budget.${setting} of ${count(limit)}, so nothing of it is taken: ` +
      `write "budget": { "${setting}": ${2 * limit} } or more into its entry in the network file`,
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function mebibytes(bytes: number): string {
  return `${count(Math.ceil(bytes / BYTES_PER_MEGABYTE))} MiB`;
}
