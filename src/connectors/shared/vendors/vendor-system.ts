import type { BrandId } from '../../../catalogue/catalogue.ts';
import type { CatalogueReading } from '../../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../../clock.ts';
import type { BookingSystemFailure, FailureKind } from '../../../limits/booking-system-failure.ts';
import { openDeadline } from '../../../limits/deadline.ts';
import { invalid } from '../../../parsing/reading.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarReading,
  type CalendarReadings,
  type CallLimits,
  type Horizon,
  NOT_IN_CATALOGUE,
  type QuoteOutcome,
  type QuoteRequest,
  type StillReading,
  type UnavailableReason,
} from '../../../quotes/booking-system.ts';
import { CredentialsRefused, vendorFailureOf } from '../account/vendor-failure.ts';
import type { KnownListing, KnownListings } from '../listings/known-listings.ts';
import type { CallPass } from './vendor-calls.ts';

/** A requested stay, in any of several listings. */
export type AskedStayTerms = Omit<QuoteRequest, 'references'>;

/** The parts that differ between vendors. All of them may reject. */
export type Vendor<Known extends KnownListing> = {
  readonly brand: BrandId;
  readonly limits: CallLimits;
  readCatalogue(pass: CallPass): Promise<CatalogueReading>;
  /** Splits listings into batches for one calendar call each. */
  calendarBatches(listings: ReadonlyMap<string, Known>): readonly ReadonlyMap<string, Known>[];
  /** A listing without a reading is reported as missing. */
  readCalendars(
    listings: ReadonlyMap<string, Known>,
    horizon: Horizon,
    pass: CallPass,
  ): Promise<CalendarReadings>;
  /** Splits listings into batches for one quote call each. */
  quoteBatches(listings: ReadonlyMap<string, Known>): readonly ReadonlyMap<string, Known>[];
  /** The signal aborts when the time for a quote call is over, or earlier. A listing without an outcome counts as garbled. */
  quoteStays(
    listings: ReadonlyMap<string, Known>,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<readonly QuoteOutcome[]>;
  /** As the port has it. */
  estimates?: BookingSystem['estimates'];
  restsForMs: NonNullable<BookingSystem['restsForMs']>;
  budgetUse: NonNullable<BookingSystem['budgetUse']>;
  close(): Promise<void>;
};

/** These concern one answer only. */
const OF_ONE_ANSWER: ReadonlySet<FailureKind> = new Set(['garbled', 'too_large', 'server_error']);
/** These may concern one request, or the account and the route to the vendor: only the next answers show which. */
const OF_ONE_OR_ALL: ReadonlySet<FailureKind> = new Set(['rejected', 'timeout']);
/** This many in a row are not the fault of the listings: the next call would fail too. */
const MAX_DOUBTFUL_IN_A_ROW = 3;

/** The booking system of a vendor. Answers from the catalogue where it can, without a call. */
export function createVendorSystem<Known extends KnownListing>({
  vendor,
  known,
  clock,
}: {
  readonly vendor: Vendor<Known>;
  readonly known: Pick<KnownListings<Known>, 'all'>;
  readonly clock: Clock;
}): BookingSystem {
  const { brand, limits, estimates, restsForMs, budgetUse } = vendor;

  async function catalogue(signal: AbortSignal, stillReading?: StillReading): Promise<CatalogueReading> {
    try {
      return await vendor.readCatalogue({ signal, stillReading });
    } catch (error) {
      throw vendorFailureOf(error, signal);
    }
  }

  async function knownListings(
    signal: AbortSignal,
    stillReading?: StillReading,
  ): Promise<ReadonlyMap<string, Known>> {
    const listings = await known.all();
    if (listings) return listings;
    await catalogue(signal, stillReading);
    return (await known.all()) ?? new Map();
  }

  async function quoteBatch(
    batch: ReadonlyMap<string, Known>,
    stay: AskedStayTerms,
    signal: AbortSignal,
  ): Promise<QuoteOutcome[]> {
    try {
      const outcomes = await vendor.quoteStays(batch, stay, signal);
      const byReference = new Map(outcomes.map((outcome) => [outcome.reference, outcome]));
      return Array.from(
        batch.keys(),
        (reference) => byReference.get(reference) ?? failedStay(reference, 'garbled'),
      );
    } catch (error) {
      const { quoteFailure } = vendorFailureOf(error, signal);
      return Array.from(batch.keys(), (reference) => failedStay(reference, quoteFailure));
    }
  }

  return {
    brand,
    limits,
    catalogue,
    async calendars(references, horizon, signal, stillReading) {
      const listings = await knownListings(signal, stillReading);
      const asked = pick(listings, references);
      const found = new Map<string, CalendarReading>();
      const failures: BookingSystemFailure[] = [];
      let doubtfulInARow = 0;
      // One after the other, to leave the account's connections to quotes.
      for (const batch of vendor.calendarBatches(asked)) {
        try {
          const readings = await vendor.readCalendars(batch, horizon, { signal, stillReading });
          stillReading?.();
          doubtfulInARow = 0;
          for (const [reference, reading] of readings) found.set(reference, reading);
        } catch (error) {
          const failure = vendorFailureOf(error, signal);
          doubtfulInARow = OF_ONE_OR_ALL.has(failure.kind) ? doubtfulInARow + 1 : 0;
          const isOfBatch = OF_ONE_ANSWER.has(failure.kind) || doubtfulInARow > 0;
          const isOfAll = failure instanceof CredentialsRefused || doubtfulInARow >= MAX_DOUBTFUL_IN_A_ROW;
          if (signal.aborted || !isOfBatch || isOfAll) throw failure;
          failures.push(failure);
          const missing = { ...CALENDAR_MISSING, reason: `could not be read: ${failure.message}` };
          for (const reference of batch.keys()) found.set(reference, invalid(missing));
        }
      }
      // When no answer could be read, the system has failed, not each listing.
      if (failures[0] && ![...found.values()].some(({ kind }) => kind === 'valid')) throw failures[0];
      return new Map(
        [...new Set(references)].map((reference) => [
          reference,
          found.get(reference) ?? invalid(asked.has(reference) ? CALENDAR_MISSING : NOT_IN_CATALOGUE),
        ]),
      );
    },
    async quote({ references, ...stay }, parent) {
      const deadline = openDeadline({ clock, timeoutMs: limits.timeoutMs, parent });
      const { signal } = deadline;
      const unique = [...new Set(references)];
      try {
        const listings = await knownListings(signal);
        const answered = unique.flatMap((reference) => outcomeOfCatalogue(reference, listings, stay) ?? []);
        const left = new Set(unique);
        for (const { reference } of answered) left.delete(reference);
        const batches = vendor.quoteBatches(pick(listings, [...left]));
        const quoted = await Promise.all(batches.map((batch) => quoteBatch(batch, stay, signal)));
        return [...answered, ...quoted.flat()];
      } catch (error) {
        const { kind } = vendorFailureOf(error, signal);
        return unique.map((reference) => failedStay(reference, kind));
      } finally {
        deadline.close();
      }
    },
    ...(estimates ? { estimates } : {}),
    restsForMs,
    budgetUse,
    close: () => vendor.close(),
  };
}

function outcomeOfCatalogue(
  reference: string,
  listings: ReadonlyMap<string, KnownListing>,
  { guests, currency }: AskedStayTerms,
): QuoteOutcome | undefined {
  const listing = listings.get(reference);
  if (!listing) return unavailableStay(reference, 'unknown_property');
  if (guests > listing.maxGuests) return unavailableStay(reference, 'too_many_guests');
  return currency === listing.currency ? undefined : failedStay(reference, 'wrong_currency');
}

function pick<Known>(
  listings: ReadonlyMap<string, Known>,
  references: readonly string[],
): ReadonlyMap<string, Known> {
  const picked = new Map<string, Known>();
  for (const reference of references) {
    const listing = listings.get(reference);
    if (listing !== undefined) picked.set(reference, listing);
  }
  return picked;
}

/** Batches of at most `size` listings. */
export function listingBatches<Known>(
  listings: ReadonlyMap<string, Known>,
  size: number,
): readonly ReadonlyMap<string, Known>[] {
  const entries = [...listings];
  return Array.from(
    { length: Math.ceil(entries.length / size) },
    (_, index) => new Map(entries.slice(index * size, (index + 1) * size)),
  );
}

/** A listing of the catalogue and a requested stay. */
export type StayOfListing<Known extends KnownListing = KnownListing> = AskedStayTerms & {
  readonly reference: string;
  readonly listing: Known;
};

/** For a vendor without calls for several listings. */
export function oneByOne<Known extends KnownListing>({
  readCalendar,
  quoteStay,
}: {
  readCalendar(reference: string, listing: Known, horizon: Horizon, pass: CallPass): Promise<CalendarReading>;
  quoteStay(stay: StayOfListing<Known>, signal: AbortSignal): Promise<QuoteOutcome>;
}): Pick<Vendor<Known>, 'calendarBatches' | 'readCalendars' | 'quoteBatches' | 'quoteStays'> {
  const alone: Vendor<Known>['quoteBatches'] = (listings) => listingBatches(listings, 1);
  return {
    calendarBatches: alone,
    async readCalendars(listings, horizon, pass) {
      const readings = Array.from(
        listings,
        async ([reference, listing]) =>
          [reference, await readCalendar(reference, listing, horizon, pass)] as const,
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

export function unavailableStay(reference: string, reason: UnavailableReason): QuoteOutcome {
  return { kind: 'unavailable', reference, reason };
}

export function failedStay(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}
