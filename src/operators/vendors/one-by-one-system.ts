import type { Clock } from '../../clock.ts';
import type { BrandId } from '../../inventory/catalogue.ts';
import {
  type BookingSystem,
  type BookingSystemFailure,
  type CalendarReading,
  type CallLimits,
  type CatalogueReading,
  type FailureKind,
  type Horizon,
  NOT_IN_CATALOGUE,
  type QuoteOutcome,
  type QuoteRequest,
  type StillReading,
} from '../../quotes/booking-system.ts';
import { openDeadline } from '../../quotes/deadline.ts';
import { invalid } from '../../reading/reading.ts';
import { vendorFailureOf } from '../account/vendor-failure.ts';
import type { KnownListing, KnownListings } from '../listings/known-listings.ts';

/** A listing of the catalogue, and the stay that somebody asks for. */
export type StayOfListing = Omit<QuoteRequest, 'references'> & {
  readonly reference: string;
  readonly listing: KnownListing;
};

/** What a vendor does that is asked for one listing at a time. All of it may reject. */
export type OneByOneVendor = {
  readonly brand: BrandId;
  readonly limits: CallLimits;
  readCatalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading>;
  readCalendar(
    reference: string,
    listing: KnownListing,
    horizon: Horizon,
    signal: AbortSignal,
  ): Promise<CalendarReading>;
  /** The signal aborts at the latest when the time for a quote call is over. */
  quoteStay(stay: StayOfListing, signal: AbortSignal): Promise<QuoteOutcome>;
  /** As the port has it. */
  restsForMs?(): number;
  close(): Promise<void>;
};

/** These say something of one answer only; after any other failure the next call would fail too. */
export const OF_ONE_ANSWER: ReadonlySet<FailureKind> = new Set(['garbled', 'too_large', 'server_error']);

/** A calendar takes a call or two, each of which may wait for its turn in the account's budget. */
export const MAX_QUIET_MS = 4 * 3_600_000;

/** A booking system of a vendor that has no call for several listings. What the catalogue knows is answered without a call. */
export function createOneByOneSystem({
  vendor,
  known,
  clock,
}: {
  readonly vendor: OneByOneVendor;
  readonly known: Pick<KnownListings, 'all'>;
  readonly clock: Clock;
}): BookingSystem {
  const { brand, limits } = vendor;

  async function catalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    try {
      return await vendor.readCatalogue(signal, stillReading);
    } catch (error) {
      throw vendorFailureOf(error, signal);
    }
  }

  async function knownListings(signal: AbortSignal): Promise<ReadonlyMap<string, KnownListing>> {
    const listings = await known.all();
    if (listings) return listings;
    await catalogue(signal);
    return (await known.all()) ?? new Map();
  }

  async function quoteOne(reference: string, request: QuoteRequest, parent: AbortSignal) {
    const deadline = openDeadline({ clock, timeoutMs: limits.timeoutMs, parent });
    const { signal } = deadline;
    try {
      const listing = (await knownListings(signal)).get(reference);
      if (!listing) return unavailableStay(reference, 'unknown_property');
      if (request.guests > listing.maxGuests) return unavailableStay(reference, 'too_many_guests');
      if (request.currency !== listing.currency) return failedStay(reference, 'wrong_currency');
      const { references: _, ...stay } = request;
      return await vendor.quoteStay({ ...stay, reference, listing }, signal);
    } catch (error) {
      return failedStay(reference, vendorFailureOf(error, signal).kind);
    } finally {
      deadline.close();
    }
  }

  return {
    brand,
    limits,
    catalogue,
    async calendars(references, horizon, signal, stillReading) {
      const readings = new Map<string, CalendarReading>();
      const failures: BookingSystemFailure[] = [];
      const listings = await knownListings(signal);
      // One after the other: refreshing leaves the account's connections to the quotes.
      for (const reference of new Set(references)) {
        const listing = listings.get(reference);
        if (!listing) {
          readings.set(reference, invalid(NOT_IN_CATALOGUE));
          continue;
        }
        try {
          stillReading?.(MAX_QUIET_MS);
          readings.set(reference, await vendor.readCalendar(reference, listing, horizon, signal));
          stillReading?.();
        } catch (error) {
          const failure = vendorFailureOf(error, signal);
          if (signal.aborted || !OF_ONE_ANSWER.has(failure.kind)) throw failure;
          failures.push(failure);
          const reason = `could not be read: ${failure.message}`;
          readings.set(reference, invalid({ rule: 'calendar_missing', reason }));
        }
      }
      // When no answer could be read, it is the system that has failed, and not each of its listings.
      if (failures[0] && ![...readings.values()].some(({ kind }) => kind === 'valid')) throw failures[0];
      return readings;
    },
    quote: (request, signal) =>
      Promise.all([...new Set(request.references)].map((reference) => quoteOne(reference, request, signal))),
    restsForMs: () => vendor.restsForMs?.() ?? 0,
    close: () => vendor.close(),
  };
}

export function unavailableStay(
  reference: string,
  reason: Extract<QuoteOutcome, { kind: 'unavailable' }>['reason'],
): QuoteOutcome {
  return { kind: 'unavailable', reference, reason };
}

export function failedStay(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}
