import type { Clock } from '../../clock.ts';
import type { BrandBudget } from '../../inventory/brand-budget.ts';
import { BookingSystemFailure, type CatalogueReading, type HeldBack } from '../../quotes/booking-system.ts';
import type { Intake } from '../intake/intake.ts';
import { createGatherListings, type RawListing } from '../listings/gather-listings.ts';
import { listingPage } from '../listings/listing-page.ts';
import type { ListingContext } from '../listings/listing-reader.ts';
import { rawImage } from '../listings/raw-image.ts';
import { specLineOf } from '../listings/spec-line.ts';
import { mapLodgifyAmenities } from './amenities.ts';
import { type KnownHome, type KnownHomes, type KnownPolicy, lodgifyHome } from './known-homes.ts';
import type { LodgifyApi, LodgifyPass } from './lodgify-api.ts';
import { LodgifyRefusal } from './lodgify-refusal.ts';
import type { LodgifyProperty } from './read-properties.ts';
import type { LodgifyRoom } from './read-room.ts';
import type { LodgifySettings } from './read-settings.ts';
import { sampleLodgifyPolicy } from './sample-policy.ts';

export type LodgifyCatalogue = KnownHomes & { readonly reading: CatalogueReading };

/** What is the same for all homes of an entry, because the vendor does not say it. */
export type LodgifyTerms = {
  readonly bookingMode: 'instant' | 'request';
  /** Where no quote has shown a policy; null when the operator gave none. */
  readonly cancellationText: string | null;
};

const MS_PER_DAY = 86_400_000;
/** Details of a home that has not changed are read again after this time. */
const MAX_DETAILS_AGE_MS = 6 * 3_600_000;
const MAX_POLICY_AGE_MS = 7 * MS_PER_DAY;
/** After so many homes in a row that could not be read without a word of the vendor's, it is the vendor that fails. */
const MAX_FAILURES_IN_A_ROW = 10;
/** So that one home whose prices always fail does not cost the others their policies. */
const MAX_PRICE_FAILURES_IN_A_ROW = 2;

/** Not known is not the same as none: the vendor may well have one. */
const POLICY_NOT_SAMPLED =
  'The cancellation policy could not be read from the operator’s booking system. Read it on the operator’s website before booking.';

type Details = {
  readonly room: LodgifyRoom | undefined;
  readonly settings: LodgifySettings | undefined;
  readonly updatedAt: string;
  /** In elapsed time. */
  readonly readAt: number;
};

/** The list of properties, then for each of them its room, its settings and, now and then, its policy. */
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
}): (known: KnownHomes | undefined, pass: LodgifyPass) => Promise<LodgifyCatalogue> {
  let allDetails: ReadonlyMap<string, Details> = new Map();
  /** When a policy was asked for in vain, in elapsed time. */
  const triedAt = new Map<string, number>();

  async function detailsOf(property: LodgifyProperty, room: string, pass: LodgifyPass): Promise<Details> {
    const { id, updatedAt } = property;
    const last = allDetails.get(id);
    const now = clock.elapsed();
    if (last && last.updatedAt === updatedAt && now - last.readAt < MAX_DETAILS_AGE_MS) return last;
    return {
      room: await api.room(id, room, pass),
      settings: await api.settings(id, pass),
      updatedAt,
      readAt: now,
    };
  }

  /** Undefined when no stay could be priced. */
  async function samplePolicy(
    { id, currency }: LodgifyProperty,
    room: string,
    pass: LodgifyPass,
  ): Promise<KnownPolicy | undefined> {
    const now = clock.now();
    const today = Math.floor(now / MS_PER_DAY);
    const text = await sampleLodgifyPolicy(api, { property: id, room, currency }, today, pass);
    return text === undefined ? undefined : { text, readAt: now };
  }

  function isDue(id: string, last: KnownPolicy | undefined): boolean {
    const age = clock.now() - (last?.readAt ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < MAX_POLICY_AGE_MS) return false;
    const tried = triedAt.get(id);
    return tried === undefined || clock.elapsed() - tried >= MAX_DETAILS_AGE_MS;
  }

  return async (known, pass) => {
    const gathered = createGatherListings({ intake, context, budget });
    const newDetails = new Map<string, Details>();
    const policies = new Map<string, KnownPolicy>();
    const rooms = new Map<string, string>();
    const properties = await api.properties(pass, gathered.sent);
    let lastFailure: BookingSystemFailure | undefined;
    let failuresInARow = 0;
    let priceFailuresInARow = 0;
    let isAnyRead = false;

    async function policyOf(property: LodgifyProperty, room: string): Promise<KnownPolicy | undefined> {
      const last = known?.policies.get(property.id);
      if (priceFailuresInARow >= MAX_PRICE_FAILURES_IN_A_ROW || !isDue(property.id, last)) return last;
      try {
        const policy = await samplePolicy(property, room, pass);
        priceFailuresInARow = 0;
        if (policy) return policy;
      } catch (failure) {
        if (pass.signal.aborted) throw failure;
        if (!isOfOneAnswer(failure)) {
          // Prices fail, and listings do not: what is known will do, and the next reading asks again.
          priceFailuresInARow += 1;
          return last;
        }
      }
      triedAt.set(property.id, clock.elapsed());
      return last;
    }

    async function read(property: LodgifyProperty): Promise<RawListing | undefined> {
      const [room, ...others] = property.rooms;
      // One that is not active is not meant to be seen.
      if (!property.isActive) return undefined;
      if (room === undefined || others.length > 0) {
        gathered.heldBack([notOneHome(property)]);
        return undefined;
      }
      try {
        const details = await detailsOf(property, room, pass);
        if (details !== allDetails.get(property.id)) failuresInARow = 0;
        const policy = await policyOf(property, room);
        isAnyRead = true;
        return keep(property, room, details, policy);
      } catch (failure) {
        if (!isOfOneHome(failure)) throw failure;
        lastFailure = failure;
        failuresInARow = failure instanceof LodgifyRefusal ? 0 : failuresInARow + 1;
        if (failuresInARow >= MAX_FAILURES_IN_A_ROW) throw failure;
        const policy = known?.policies.get(property.id);
        const last = allDetails.get(property.id);
        gathered.heldBack([notRead(property, failure, last !== undefined)]);
        // A home is not gone because one call for it failed.
        if (last) return keep(property, room, last, policy);
        if (policy) policies.set(property.id, policy);
        return undefined;
      }
    }

    function keep(
      property: LodgifyProperty,
      room: string,
      details: Details,
      policy: KnownPolicy | undefined,
    ): RawListing {
      newDetails.set(property.id, details);
      rooms.set(property.id, room);
      if (policy) policies.set(property.id, policy);
      return listingOf(property, details, policy);
    }

    function listingOf(
      property: LodgifyProperty,
      { room, settings }: Details,
      policy: KnownPolicy | undefined,
    ): RawListing {
      const { id, name, city, country, imageUrl } = property;
      const { amenities, unmapped: others } = mapLodgifyAmenities(room?.amenities ?? []);
      gathered.unmapped.add(id, others);
      const summary = policy?.text || terms.cancellationText || (policy ? undefined : POLICY_NOT_SAMPLED);
      if (summary === POLICY_NOT_SAMPLED) gathered.heldBack([policyNotSampled(id)]);
      const images = room?.images ?? [];
      return {
        reference: id,
        name,
        place: city.slice(0, 120),
        country: country.slice(0, 120),
        location: [city, country].filter((part) => part !== '').join(', '),
        max_guests: room?.maxGuests,
        summary: specLineOf({
          bedrooms: room?.bedrooms ?? undefined,
          beds: undefined,
          bathrooms: room?.bathrooms ?? undefined,
          squareMetres: room?.squareMetres ?? undefined,
        }),
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

    for (let from = 0; from < properties.length; from += parallel) {
      const some = await Promise.all(properties.slice(from, from + parallel).map(read));
      await gathered.add(
        some.filter((listing) => listing !== undefined),
        pass.signal,
      );
    }
    // What fails for every home is no fault of the homes.
    if (lastFailure && !isAnyRead) throw lastFailure;
    allDetails = newDetails;
    const reading = gathered.reading();
    const homes = reading.properties.map(({ reference, maxGuests, currency }): [string, KnownHome] => [
      reference,
      lodgifyHome(rooms.get(reference) ?? '', maxGuests, currency),
    ]);
    return { reading, homes: new Map(homes), policies };
  };
}

/** Whether a failure says something about the home that was asked for, and not about the vendor or the way to it. */
function isOfOneHome(failure: unknown): failure is BookingSystemFailure {
  return (
    isOfOneAnswer(failure) || (failure instanceof BookingSystemFailure && failure.kind === 'server_error')
  );
}

/** A refusal, or what cannot be read: the vendor's servers work. */
function isOfOneAnswer(failure: unknown): failure is BookingSystemFailure {
  if (failure instanceof LodgifyRefusal) return !failure.isKeyRefused;
  return (
    failure instanceof BookingSystemFailure && ['rejected', 'garbled', 'too_large'].includes(failure.kind)
  );
}

function notRead({ id }: LodgifyProperty, { message }: BookingSystemFailure, isKept: boolean): HeldBack {
  const reason = `could not be read: ${message}`;
  const held = { reference: id, field: 'rooms', rule: 'missing_member' } as const;
  return isKept
    ? { ...held, reason: `${reason}; the home is shown as it was read before`, repaired: true }
    : { ...held, reason };
}

function policyNotSampled(reference: string): HeldBack {
  const reason =
    'is told with a price only, and no sample stay could be priced; the listing says that it is not known';
  return { reference, field: 'cancellation/summary', rule: 'missing_member', reason, repaired: true };
}

function notOneHome({ id, rooms }: LodgifyProperty): HeldBack {
  const reason = `has ${rooms.length} room types, must have one: the vendor's checkout page is that of a property`;
  const rule = rooms.length === 0 ? 'too_few_entries' : 'too_many_entries';
  return { reference: id, field: 'rooms', rule, reason };
}
