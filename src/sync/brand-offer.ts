import {
  type AvailabilityWriter,
  type HomeWithCalendar,
  IndexFull,
} from '../availability/availability-index.ts';
import type { Listings, LoadedHome } from '../availability/inventory-store.ts';
import { type Calendar, calendarDigest } from '../catalogue/calendar.ts';
import {
  type BrandBudget,
  type BrandId,
  type ListingDigest,
  listingDigest,
  type Property,
  type PropertyId,
} from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import { weightOf } from '../parsing/owned-memory.ts';
import type { Refusals } from './refusals.ts';

const LISTINGS_A_TURN = 2000;
/** Removing a single home takes nearly as long as removing this many. */
const REMOVED_A_TURN = 500;

/** How often the age of calendars is checked. A calendar that would be too old at the next check is withdrawn at this one. */
export const AGE_CHECK_MS = 60_000;

/** As many as the store yields at a time. */
const PUT_A_TURN = 16;
/** A snapshot may be written between two groups of this size. */
const PUT_AT_A_TIME = 512;

/** Most homes have a dozen rules. */
export const MANY_STAY_RULES = 64;
/** Several times what the listings of a large city have. */
export const MAX_HOMES_WITH_MANY_RULES = 1000;

/** One object per listing: there may be a million, all created before the first search. */
type BrandListing = Pick<CatalogueEntry, 'id' | 'reference'> & {
  digest: ListingDigest;
  weight: number;
  /** When the reading of its calendar on offer began; null when none is. */
  readAt: number | null;
};

export type BrandOffer = ReturnType<typeof createBrandOffer>;

type StoredHomes = {
  readonly homes: readonly LoadedHome[];
  /** Converts a stored instant to elapsed time. */
  readonly elapsedAt: (instant: number) => number;
  readonly removed: readonly PropertyId[];
};

/** The properties of one brand that the index offers. */
export function createBrandOffer({
  brand,
  index,
  listings,
  refusals,
  untilWritable = async () => {},
  clock,
  maxAgeMs,
  onEmpty = () => {},
}: {
  readonly brand: BrandId;
  readonly index: AvailabilityWriter;
  readonly listings: Pick<Listings, 'home'>;
  readonly refusals: Pick<Refusals, 'takenNights'>;
  /** Resolves while no snapshot is being written, so that the index may change. */
  readonly untilWritable?: () => Promise<void>;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Of the calendars on offer. */
  readonly maxAgeMs: number;
  /** Called when its last home goes off offer. */
  readonly onEmpty?: () => void;
}) {
  // One map with everything about a listing: a large map that grows is copied in one go.
  let catalogue = new Map<PropertyId, BrandListing>();
  let offered = 0;
  let bytes = 0;
  let catalogueWasRead = false;
  let notIndexed = 0;
  let isClosed = false;
  const withManyRules = new Set<PropertyId>();

  /**
   * Whether the calendar of a property may have this many stay rules. A home with its own rule for nearly every night takes a hundred times
   * the memory of others, so a brand may have a limited number of them.
   */
  function admitsStayRules(id: PropertyId, rules: number): boolean {
    withManyRules.delete(id);
    if (rules <= MANY_STAY_RULES) return true;
    if (withManyRules.size >= MAX_HOMES_WITH_MANY_RULES)
      for (const other of withManyRules) if (!hasCalendar(other)) withManyRules.delete(other);
    if (withManyRules.size >= MAX_HOMES_WITH_MANY_RULES) return false;
    withManyRules.add(id);
    return true;
  }

  /**
   * `readAt` is when the read began, in elapsed time. Ignores a calendar when a newer read has already been put, when its property is no
   * longer in the catalogue or in the store, when it is too old, or when the index is full; returns whether it was put.
   */
  function putCalendar(id: PropertyId, calendar: Calendar, readAt: number): boolean {
    const known = catalogue.get(id);
    const isOvertaken = readAt < (known?.readAt ?? Number.NEGATIVE_INFINITY);
    if (!known || isClosed || isOvertaken || isTooOld(readAt)) return false;
    const listed = listings.home(id);
    // Without its listing, a search would find it and could not show it.
    if (!listed) return false;
    const version = { listing: listed.digest, calendar: calendarDigest(calendar) };
    if (!putIfIndexHasCapacity({ home: listed.home, calendar, version })) return false;
    withdrawRefused(id);
    setReadAt(known, readAt);
    return true;
  }

  /** A home that does not fit into the index stays as it was: it must not end the reading of the others. */
  function putIfIndexHasCapacity({ home, calendar, version }: HomeWithCalendar): boolean {
    try {
      index.put(home, calendar, version);
      return true;
    } catch (error) {
      if (!(error instanceof IndexFull)) throw error;
      notIndexed += 1;
      return false;
    }
  }

  function isTooOld(readAt: number): boolean {
    return clock.elapsed() - readAt + AGE_CHECK_MS > maxAgeMs;
  }

  function setReadAt(known: BrandListing, readAt: number | null): void {
    offered += Number(readAt !== null) - Number(known.readAt !== null);
    known.readAt = readAt;
    if (offered === 0) onEmpty();
  }

  const readAtOf = (id: PropertyId) => (isClosed ? null : (catalogue.get(id)?.readAt ?? null));
  const hasCalendar = (id: PropertyId) => readAtOf(id) !== null;

  function setWeight(known: BrandListing, weight: number): void {
    bytes += weight - known.weight;
    known.weight = weight;
  }

  function newListing({ id, reference }: Pick<LoadedHome, 'id' | 'reference'>): BrandListing {
    return { id, reference, digest: 0, weight: 0, readAt: null };
  }

  /**
   * Puts a home as it is stored. One without content is already in the index. Returns false when its calendar is too old to be offered.
   */
  function putStored({ id, reference, version, weight, content }: LoadedHome, readAt: number): boolean {
    const known = catalogue.get(id) ?? newListing({ id, reference });
    catalogue.set(id, known);
    known.digest = version.listing;
    setWeight(known, weight);
    if (isClosed) return true;
    if (isTooOld(readAt)) {
      if (known.readAt !== null) index.remove(id);
      setReadAt(known, null);
      return false;
    }
    if (content) {
      if (!putIfIndexHasCapacity(content)) return true;
      withdrawRefused(id);
    }
    setReadAt(known, readAt);
    return true;
  }

  async function removeHomes(ids: readonly PropertyId[]): Promise<void> {
    await inTurns(batchesOf(ids), 1, (batch) => {
      for (const id of batch) {
        const known = catalogue.get(id);
        if (!known) continue;
        setReadAt(known, null);
        setWeight(known, 0);
        catalogue.delete(id);
      }
      index.removeAll(batch);
    });
  }

  /** A new calendar may not include recent refusals yet. */
  function withdrawRefused(id: PropertyId): void {
    const taken = refusals.takenNights(id);
    if (taken.length > 0) index.withdraw(id, taken);
  }

  return {
    /**
     * Removes properties that are not in the new catalogue. A property in both stays on offer throughout. Resolves with those whose
     * description changed: the index takes it with their next calendar.
     */
    async replaceCatalogue(entries: readonly CatalogueEntry[]): Promise<readonly PropertyId[]> {
      const replacement = new Map<PropertyId, BrandListing>();
      const changed: PropertyId[] = [];
      await inTurns(entries, LISTINGS_A_TURN, (entry) => {
        const known = catalogue.get(entry.id) ?? { ...newListing(entry), digest: entry.digest };
        if (known.digest !== entry.digest) changed.push(entry.id);
        known.digest = entry.digest;
        setWeight(known, entry.weight);
        replacement.set(entry.id, known);
      });
      catalogueWasRead = true;
      const before = catalogue;
      catalogue = replacement;
      const vanished: PropertyId[] = [];
      await inTurns(before, LISTINGS_A_TURN, ([id, known]) => {
        if (replacement.has(id)) return;
        setWeight(known, 0);
        if (known.readAt === null) return;
        setReadAt(known, null);
        vanished.push(id);
      });
      await untilWritable();
      await inTurns(batchesOf(vanished), 1, (batch) => index.removeAll(batch));
      return changed;
    },
    putCalendar,
    admitsStayRules,
    putStored,
    /**
     * Applies what another node has stored. The store decides which reading is the latest, not `readAt`, which comes from the clocks of
     * several nodes.
     */
    async follow({ homes, elapsedAt, removed }: StoredHomes): Promise<void> {
      await untilWritable();
      await removeHomes(removed);
      for (let from = 0; from < homes.length; from += PUT_AT_A_TIME) {
        await untilWritable();
        await inTurns(homes.slice(from, from + PUT_AT_A_TIME), PUT_A_TURN, (home) =>
          putStored(home, elapsedAt(home.readAt)),
        );
      }
    },
    /** From this call on, no search finds any of its homes, and none is put until `open`. `clear` frees the memory. */
    close(): void {
      isClosed = true;
      index.hideBrand(brand);
    },
    clear: (): Promise<void> => removeHomes([...catalogue.keys()]),
    open(): void {
      isClosed = false;
    },
    /** Removes all other homes. */
    async keepOnly(properties: ReadonlySet<PropertyId>): Promise<void> {
      const others: PropertyId[] = [];
      await inTurns(catalogue.keys(), LISTINGS_A_TURN, (id) => {
        if (!properties.has(id)) others.push(id);
      });
      await removeHomes(others);
    },
    /** Removes homes with a calendar that is too old from the index, and returns them. A new reading restores them. */
    async withdrawTooOld(): Promise<readonly PropertyId[]> {
      const tooOld: PropertyId[] = [];
      await inTurns(catalogue.values(), LISTINGS_A_TURN, (known) => {
        if (known.readAt === null || !isTooOld(known.readAt)) return;
        setReadAt(known, null);
        tooOld.push(known.id);
      });
      // Homes that were read again meanwhile are back on offer.
      await inTurns(batchesOf(tooOld), 1, (batch) => index.removeAll(batch.filter((id) => !hasCalendar(id))));
      return tooOld;
    },
    /** How many calendars the index had no memory for, since the last call. */
    takeNotIndexed(): number {
      const calendars = notIndexed;
      notIndexed = 0;
      return calendars;
    },
    /** From the operator or from the store. */
    get catalogueIsKnown() {
      return catalogueWasRead || catalogue.size > 0;
    },
    listing: (id: PropertyId): CatalogueEntry | undefined => catalogue.get(id),
    hasCalendar,
    /** When the reading of its calendar on offer began, in elapsed time; null when none is. */
    readAt: readAtOf,
    listings: (): Iterable<Readonly<BrandListing>> => catalogue.values(),
    /** Of all listings, with a calendar or without. */
    get total(): BrandBudget {
      return { listings: catalogue.size, bytes };
    },
    /** Properties with a calendar. */
    get size() {
      return isClosed ? 0 : offered;
    },
    /** When the oldest calendar on offer was read, in elapsed time. */
    oldestReadAt(): number | null {
      let oldest = Number.POSITIVE_INFINITY;
      for (const { readAt } of catalogue.values()) if (readAt !== null && readAt < oldest) oldest = readAt;
      return offered > 0 && !isClosed ? oldest : null;
    },
  };
}

function* batchesOf(ids: readonly PropertyId[]): Generator<readonly PropertyId[]> {
  for (let from = 0; from < ids.length; from += REMOVED_A_TURN) yield ids.slice(from, from + REMOVED_A_TURN);
}

/** The part of a listing that stays in memory while its brand is read: its texts are in the store. */
export type CatalogueEntry = {
  readonly id: PropertyId;
  readonly reference: string;
  readonly digest: ListingDigest;
  /** Of the whole listing, as `weightOf` counts it. */
  readonly weight: number;
};

/** The digest of a listing with forty pictures takes 50 µs. */
const DIGESTS_A_TURN = 200;

export async function catalogueEntries(properties: Iterable<Property>): Promise<readonly CatalogueEntry[]> {
  const entries: CatalogueEntry[] = [];
  await inTurns(properties, DIGESTS_A_TURN, (property) => entries.push(catalogueEntry(property)));
  return entries;
}

export function catalogueEntry(property: Property): CatalogueEntry {
  const { id, reference } = property;
  return { id, reference, digest: listingDigest(property), weight: weightOf(property) };
}
