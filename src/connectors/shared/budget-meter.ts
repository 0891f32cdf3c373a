import type { BrandBudget } from '../../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';

/** A listing is sent in more bytes than are stored of it, but at most about this many times as many. */
const MAX_SENT_PER_KEPT_BYTE = 4;
/** Some listings are rejected, but reading each costs time, and with some vendors a call. */
const MAX_LISTED_PER_KEPT_LISTING = 4;
const BYTES_PER_MEGABYTE = 2 ** 20;

/** Counts bytes and listings of one reading of a brand; throws a `BookingSystemFailure` beyond its budget. */
export type BudgetMeter = {
  /** A document of this many bytes has arrived. */
  sent(bytes: number): void;
  /** This many listings were read, accepted or not. */
  listed(listings: number): void;
  /** This many listings were accepted, with this many bytes in all. */
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

/** The reading stops at the limit, so the full size is unknown: the message suggests twice the limit. */
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
