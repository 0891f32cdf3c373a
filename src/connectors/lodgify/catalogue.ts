import type { BrandBudget } from '../../catalogue/catalogue.ts';
import type { CatalogueReading, Rejection } from '../../catalogue/rejections/rejection.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { inTurns } from '../../limits/event-loop.ts';
import { type Day, MS_PER_DAY } from '../../stay/day.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';
import type { Intake } from '../shared/intake/intake.ts';
import { createGatherListings, type GatherListings } from '../shared/listings/gather-listings.ts';
import type { ListingContext, RawListing } from '../shared/listings/listing.ts';
import { listingPage, rawImage, specLineOf } from '../shared/listings/listing.ts';
import type { CallPass } from '../shared/vendors/vendor-calls.ts';
import { mapLodgifyAmenities } from './amenities.ts';
import type { LodgifyApi, SentBytes } from './api.ts';
import { LodgifyRefusal } from './api.ts';
import type { LodgifyPeriod } from './calendar.ts';
import {
  createCachedDetails,
  type KnownHome,
  type KnownHomes,
  type KnownPolicy,
  type LodgifyDetails,
  lodgifyHome,
} from './known-homes.ts';
import type { LodgifyProperty } from './payloads.ts';

export type LodgifyCatalogue = KnownHomes & { readonly reading: CatalogueReading };

/** Terms that the entry states for all homes, because the vendor does not. */
export type LodgifyTerms = {
  readonly bookingMode: 'instant' | 'request';
  /** For homes whose quotes showed no policy; null when the entry has none. */
  readonly cancellationText: string | null;
};

/** Details of an unchanged home are read again after this time. */
const MAX_DETAILS_AGE_MS = 6 * 3_600_000;
const MAX_POLICY_AGE_MS = 7 * MS_PER_DAY;
/** After this many homes in a row failed without a refusal from the vendor, the vendor counts as failing. */
const MAX_FAILURES_IN_A_ROW = 10;
/** Above 1, so that one home whose prices always fail does not cost the others their policies. */
const MAX_PRICE_FAILURES_IN_A_ROW = 2;

/** Unknown differs from none: the vendor may have a policy. */
const POLICY_NOT_SAMPLED =
  'The cancellation policy could not be read from the operator’s booking system. Read it on the operator’s website before booking.';

/** Reporting this many takes the event loop less than a millisecond. */
const PROPERTIES_PER_TURN = 200;

/** A property with exactly one room type. */
type LodgifyHome = LodgifyProperty & { readonly room: string };
type ReadHome = {
  readonly home: LodgifyHome;
  readonly details: LodgifyDetails;
  readonly listing: RawListing;
};

/** Reads the list of properties, then the room, the settings and, occasionally, the policy of each. */
export function createLodgifyCatalogueReader({
  api,
  intake,
  context,
  budget,
  clock,
  terms,
  parallel,
}: {
  readonly api: LodgifyApi;
  readonly intake: Intake;
  readonly context: ListingContext;
  readonly budget: BrandBudget;
  readonly clock: Clock;
  readonly terms: LodgifyTerms;
  /** How many properties are read at a time. */
  readonly parallel: number;
}): (known: KnownHomes | undefined, pass: CallPass) => Promise<LodgifyCatalogue> {
  let allDetails: ReadonlyMap<string, LodgifyDetails> = new Map();
  /** When sampling a policy last failed, in elapsed time. */
  const failedTriesAt = new Map<string, number>();

  async function detailsOf(
    { id, room, updatedAt }: LodgifyHome,
    pass: CallPass,
    sent: SentBytes,
  ): Promise<LodgifyDetails> {
    const last = allDetails.get(id);
    const now = clock.elapsed();
    if (last && last.updatedAt === updatedAt && now - last.readAt < MAX_DETAILS_AGE_MS) return last;
    return {
      room: await api.room(id, room, pass, sent),
      settings: await api.settings(id, pass, sent),
      updatedAt,
      readAt: now,
    };
  }

  /** Undefined when no stay could be priced. */
  async function samplePolicy(
    { id, room, currency }: LodgifyHome,
    pass: CallPass,
  ): Promise<KnownPolicy | undefined> {
    const now = clock.now();
    const today = Math.floor(now / MS_PER_DAY);
    const text = await sampleLodgifyPolicy(api, { property: id, room, currency }, today, pass);
    return text === undefined ? undefined : { text, readAt: now };
  }

  function isDue(id: string, last: KnownPolicy | undefined): boolean {
    const age = clock.now() - (last?.readAt ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < MAX_POLICY_AGE_MS) return false;
    const tried = failedTriesAt.get(id);
    return tried === undefined || clock.elapsed() - tried >= MAX_DETAILS_AGE_MS;
  }

  function forgetTries(homes: readonly LodgifyHome[]): void {
    const listed = new Set(homes.map(({ id }) => id));
    for (const id of failedTriesAt.keys()) if (!listed.has(id)) failedTriesAt.delete(id);
  }

  return async (known, pass) => {
    const gathered = createGatherListings({ intake, context, budget });
    const kept = createCachedDetails(budget.bytes);
    const rooms = new Map<string, string>();
    const homes = await homesIn(await api.properties(pass, gathered.sent), gathered);
    forgetTries(homes);
    /** Size of the answers that are not counted yet. */
    let bytes = 0;
    const sent = (more: number) => {
      bytes += more;
    };
    let lastFailure: BookingSystemFailure | undefined;
    let failuresInARow = 0;
    let priceFailuresInARow = 0;
    let isAnyRead = false;

    async function policyOf(home: LodgifyHome): Promise<KnownPolicy | undefined> {
      const last = known?.policies.get(home.id);
      if (priceFailuresInARow >= MAX_PRICE_FAILURES_IN_A_ROW || !isDue(home.id, last)) return last;
      try {
        const policy = await samplePolicy(home, pass);
        priceFailuresInARow = 0;
        if (policy) return policy;
      } catch (failure) {
        if (pass.signal.aborted) throw failure;
        if (!isOfOneAnswer(failure)) {
          // Only prices fail: use the last policy, and sample again in the next reading.
          priceFailuresInARow += 1;
          return last;
        }
      }
      failedTriesAt.set(home.id, clock.elapsed());
      return last;
    }

    async function read(home: LodgifyHome): Promise<ReadHome | undefined> {
      try {
        const details = await detailsOf(home, pass, sent);
        if (details !== allDetails.get(home.id)) failuresInARow = 0;
        const policy = await policyOf(home);
        isAnyRead = true;
        return put(home, details, policy);
      } catch (failure) {
        if (!isOfOneHome(failure)) throw failure;
        lastFailure = failure;
        failuresInARow = failure instanceof LodgifyRefusal ? 0 : failuresInARow + 1;
        if (failuresInARow >= MAX_FAILURES_IN_A_ROW) throw failure;
        const policy = known?.policies.get(home.id);
        const last = allDetails.get(home.id);
        gathered.rejections([notRead(home, failure, last !== undefined)]);
        // A failed call does not mean that the home is gone.
        if (last) return put(home, last, policy);
        if (policy) kept.addPolicy(home.id, policy);
        return undefined;
      }
    }

    function put(home: LodgifyHome, details: LodgifyDetails, policy: KnownPolicy | undefined): ReadHome {
      if (policy) kept.addPolicy(home.id, policy);
      return { home, details, listing: listingOf(home, details, policy) };
    }

    function listingOf(
      property: LodgifyProperty,
      { room, settings }: LodgifyDetails,
      policy: KnownPolicy | undefined,
    ): RawListing {
      const { id, name, city, country, imageUrl } = property;
      const { amenities, unmapped: others } = mapLodgifyAmenities(room?.amenities ?? []);
      gathered.unmapped.add(id, others);
      const summary = policy?.text || terms.cancellationText || (policy ? undefined : POLICY_NOT_SAMPLED);
      if (summary === POLICY_NOT_SAMPLED) gathered.rejections([policyNotSampled(id)]);
      const images = room?.images ?? [];
      return {
        reference: id,
        name,
        place: city.slice(0, 120),
        country: country.slice(0, 120),
        location: [city, country].filter((part) => part !== '').join(', '),
        max_guests: room?.maxGuests,
        summary: specLineOf(room ?? {}),
        bedrooms: room?.bedrooms ?? null,
        bathrooms: room?.bathrooms ?? null,
        amenities,
        cancellation: summary === undefined ? undefined : { summary },
        check_in_time: settings?.checkInTime ?? null,
        check_out_time: settings?.checkOutTime ?? null,
        images: images.length > 0 || imageUrl === '' ? images : [rawImage(imageUrl, '')],
        url: listingPage(id, context),
        currency: property.currency || room?.currency,
        booking_mode: terms.bookingMode,
        lead_days: settings?.leadDays ?? 0,
      };
    }

    for (let from = 0; from < homes.length; from += parallel) {
      const results = await Promise.all(homes.slice(from, from + parallel).map(read));
      // Count here and not per answer: exceeding the budget is not a fault of the home that was read last.
      gathered.sent(bytes);
      bytes = 0;
      const some = results.filter((result) => result !== undefined);
      await gathered.add(
        some.map(({ listing }) => listing),
        pass.signal,
      );
      for (const { home, details } of some) {
        // The first of several homes with the same number counts, and a rejected one may have any size.
        if (!gathered.has(home.id) || rooms.has(home.id)) continue;
        rooms.set(home.id, home.room);
        kept.addDetails(home.id, details);
      }
    }
    // A failure for every home is a failure of the vendor.
    if (lastFailure && !isAnyRead) throw lastFailure;
    allDetails = kept.details;
    const reading = gathered.reading();
    const offered = reading.properties.map(({ reference, maxGuests, currency }): [string, KnownHome] => [
      reference,
      lodgifyHome(rooms.get(reference) ?? '', maxGuests, currency),
    ]);
    return { reading, homes: new Map(offered), policies: kept.policies };
  };
}

/** Rejects properties that do not have exactly one room type. */
async function homesIn(
  properties: readonly LodgifyProperty[],
  gathered: Pick<GatherListings, 'rejections'>,
): Promise<readonly LodgifyHome[]> {
  const homes: LodgifyHome[] = [];
  await inTurns(properties, PROPERTIES_PER_TURN, (property) => {
    const { room, roomTypes } = property;
    if (room === null || roomTypes > 1) gathered.rejections([notOneHome(property)]);
    else homes.push({ ...property, room });
  });
  return homes;
}

/** Whether a failure concerns only the requested home, and not the vendor or the network. */
function isOfOneHome(failure: unknown): failure is BookingSystemFailure {
  return (
    isOfOneAnswer(failure) || (failure instanceof BookingSystemFailure && failure.kind === 'server_error')
  );
}

/** Whether a failure is a refusal or an unreadable answer: the vendor's servers work. */
function isOfOneAnswer(failure: unknown): failure is BookingSystemFailure {
  if (failure instanceof CredentialsRefused) return false;
  if (failure instanceof LodgifyRefusal) return true;
  return (
    failure instanceof BookingSystemFailure && ['rejected', 'garbled', 'too_large'].includes(failure.kind)
  );
}

function notRead({ id }: LodgifyProperty, { message }: BookingSystemFailure, isKept: boolean): Rejection {
  const reason = `could not be read: ${message}`;
  const held = { reference: id, field: 'rooms', rule: 'missing_member' } as const;
  return isKept
    ? { ...held, reason: `${reason}; the home is shown as it was read before`, repaired: true }
    : { ...held, reason };
}

function policyNotSampled(reference: string): Rejection {
  const reason =
    'is told with a price only, and no sample stay could be priced; the listing says that it is not known';
  return { reference, field: 'cancellation/summary', rule: 'missing_member', reason, repaired: true };
}

function notOneHome({ id, roomTypes }: LodgifyProperty): Rejection {
  const reason = `has ${roomTypes} room types, must have one: the vendor's checkout page is that of a property`;
  const rule = roomTypes === 0 ? 'too_few_entries' : 'too_many_entries';
  return { reference: id, field: 'rooms', rule, reason };
}

/** Sample stays begin later than the notice that most operators require. */
const SAMPLE_AFTER_DAYS = 30;
const SAMPLE_WITHIN_DAYS = 180;
/** A week satisfies most minimum stays, four weeks those of monthly rentals. */
const SAMPLE_NIGHTS = [7, 28];

/**
 * Requests a quote for a free stay to learn the policy of a property: empty when the quote states none, undefined when no stay could be
 * priced. The price is not used.
 */
async function sampleLodgifyPolicy(
  api: LodgifyApi,
  home: { readonly property: string; readonly room: string; readonly currency: string },
  today: Day,
  pass: CallPass,
): Promise<string | undefined> {
  const horizon = { from: today + SAMPLE_AFTER_DAYS, nights: SAMPLE_WITHIN_DAYS };
  const availability = await api.availability(home.property, home.room, horizon, pass);
  for (const nights of SAMPLE_NIGHTS) {
    const checkIn = firstFreeStay(availability?.periods ?? [], horizon.from, nights);
    if (checkIn === undefined) continue;
    const stay = { ...home, checkIn, checkOut: checkIn + nights, guests: 1 };
    const { outcome, policy } = await api.quote(stay, pass);
    const text = policy.trim() === '' ? '' : policy;
    if (text !== '' || outcome.kind === 'quoted') return text;
  }
  return undefined;
}

function firstFreeStay(periods: readonly LodgifyPeriod[], from: Day, nights: number): Day | undefined {
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    const checkIn = Math.max(period.from, from);
    if (period.isFree && checkIn + nights <= period.to + 1) return checkIn;
  }
  return undefined;
}
