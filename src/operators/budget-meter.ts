import type { BrandBudget } from '../inventory/brand-budget.ts';
import { BookingSystemFailure } from '../quotes/booking-system.ts';

/** A listing as it is sent is longer than what is kept of it, but not much longer than this. */
const MAX_SENT_PER_KEPT_BYTE = 4;
/** Some may be held back, but each costs a reading, and with some vendors a call. */
const MAX_LISTED_PER_KEPT_LISTING = 4;

/** Counts what one reading of a brand takes, and throws a `BookingSystemFailure` at what is beyond its budget. */
export type BudgetMeter = {
  /** A document of so many bytes has arrived. */
  sent(bytes: number): void;
  /** So many listings were read, accepted or not. */
  listed(listings: number): void;
  /** So many listings of so many bytes are accepted. */
  kept(listings: number, bytes: number): void;
};

export function createBudgetMeter(budget: BrandBudget): BudgetMeter {
  const maxSentBytes = budget.bytes * MAX_SENT_PER_KEPT_BYTE;
  const maxListed = budget.listings * MAX_LISTED_PER_KEPT_LISTING;
  let sentBytes = 0;
  let listed = 0;
  let keptListings = 0;
  let keptBytes = 0;
  return {
    sent(bytes) {
      sentBytes += bytes;
      if (sentBytes > maxSentBytes) throw tooMuch(`sends more than ${maxSentBytes} bytes`);
    },
    listed(listings) {
      listed += listings;
      if (listed > maxListed) throw tooMuch(`sends more than ${maxListed} listings`);
    },
    kept(listings, bytes) {
      keptListings += listings;
      keptBytes += bytes;
      if (keptListings > budget.listings) throw tooMuch(`has more than ${budget.listings} listings`);
      if (keptBytes > budget.bytes) throw tooMuch(`has more than ${budget.bytes} bytes of listings`);
    },
  };
}

function tooMuch(what: string): BookingSystemFailure {
  return new BookingSystemFailure('too_large', `beyond its budget: the brand ${what}`);
}
