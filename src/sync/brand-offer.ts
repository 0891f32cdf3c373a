import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AvailabilityWriter,
  type HomeWithCalendar,
  IndexFull,
} from '../availability/availability-index.ts';
import type { Listings, LoadedHome } from '../availability/inventory-store.ts';
import type { Calendar } from '../catalogue/calendar.ts';
import { calendarDigest } from '../catalogue/calendar.ts';
import type { BrandBudget, BrandId, ListingDigest, PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import type { Refusals } from './refusals.ts';

const LISTINGS_A_TURN = 2000;
/** Removing one takes nearly as long as removing all of these. */
const REMOVED_A_TURN = 500;

/** Calendars are checked for their age this often, and withdrawn before the check after which they would be too old. */
export const AGE_CHECK_MS = 60_000;

/** As many as the store hands out at a time. */
const PUT_A_TURN = 16;
/** Before so many the index may be copied. */
const PUT_AT_A_TIME = 512;

/** Most homes have a dozen rules. */
export const MANY_STAY_RULES = 64;
/** Several times what the listings of a large city have. */
export const MAX_HOMES_WITH_MANY_RULES = 1000;

/** One object for each listing: there may be a million, which are all made before the first search. */
type BrandListing = Pick<CatalogueEntry, 'id' | 'reference'> & {
  digest: ListingDigest;
  weight: number;
  /** When the reading of its calendar on offer began; null when none is. */
  readAt: number | null;
};

/** The properties of one brand that the index offers. */
export type BrandOffer = {
  /**
   * Properties that are not in the new catalogue are removed from the index, in several turns of the event loop. One that is in
   * both is offered all the time. Resolves with those that are now described otherwise: the index knows it with their next calendar.
   */
  replaceCatalogue(listings: readonly CatalogueEntry[]): Promise<readonly PropertyId[]>;
  /**
   * `readAt` is when the read began, in elapsed time. A calendar is ignored when a newer read has already been put, when its property is
   * no longer in the catalogue or in the store, when it is too old, or when the index is full; says whether it was put.
   */
  putCalendar(property: PropertyId, calendar: Calendar, readAt: number): boolean;
  /**
   * Whether the calendar of a property may have so many stay rules. Where nearly every night has one of its own, and no two homes the
   * same, a home takes a hundred times the memory of others: a brand has a limited number of them.
   */
  admitsStayRules(property: PropertyId, rules: number): boolean;
  /**
   * Adds a stored home, each once, of which the index has what has no content. False for one with a calendar that is too old: it is known, but
   * not offered. Ignored once the catalogue has been read from the operator. `readAt` is in elapsed time.
   */
  restore(stored: LoadedHome, readAt: number): boolean;
  /** What was restored is found as quickly as all else from now on. Happens by itself before anything is done with all of it. */
  settle(): Promise<void>;
  /**
   * Takes homes as another node has stored them, in several turns of the event loop, and lets go of those that are in no catalogue any more. The
   * store decides which reading is the latest, not `readAt`, which comes from the clocks of several nodes.
   */
  follow(change: StoredHomes): Promise<void>;
  /**
   * No question finds any of it from the moment of this call, and nothing is put until it is opened again. Lets go of everything when
   * `clear` is called.
   */
  close(): void;
  clear(): Promise<void>;
  open(): void;
  /** Takes a home as it is stored, one that is not lined up. */
  takeStored(home: LoadedHome, readAt: number): void;
  /** Lets go of all others. */
  keepOnly(properties: ReadonlySet<PropertyId>): Promise<void>;
  /** Takes what has become too old out of the index, in several turns of the event loop, and names it. A new reading brings it back. */
  withdrawTooOld(): Promise<readonly PropertyId[]>;
  /** For how many calendars the index had no memory since this was last asked. */
  takeWithoutRoom(): number;
  /** From the operator or from the store. */
  readonly catalogueIsKnown: boolean;
  listing(id: PropertyId): CatalogueEntry | undefined;
  hasCalendar(id: PropertyId): boolean;
  /** When the reading of its calendar on offer began, in elapsed time; null when none is. */
  readAt(id: PropertyId): number | null;
  /** Everything that is known, after `settle`. */
  listings(): Iterable<Readonly<BrandListing>>;
  /** Properties with a calendar. */
  readonly size: number;
  /** Of all listings, with a calendar or without. */
  readonly total: BrandBudget;
  /** When the oldest calendar on offer was read, in elapsed time. */
  oldestReadAt(): number | null;
};

export type StoredHomes = {
  readonly homes: readonly LoadedHome[];
  /** What a stored instant is in elapsed time. */
  readonly elapsedAt: (instant: number) => number;
  readonly removed: readonly PropertyId[];
};

export function createBrandOffer({
  brand,
  index,
  listings,
  refusals,
  untilWritable = async () => {},
  clock,
  maxAgeMs,
}: {
  readonly brand: BrandId;
  readonly index: AvailabilityWriter;
  readonly listings: Pick<Listings, 'home'>;
  readonly refusals: Pick<Refusals, 'takenNights'>;
  /** Resolves when the index may be changed without hurry. */
  readonly untilWritable?: () => Promise<void>;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Of the calendars on offer. */
  readonly maxAgeMs: number;
}): BrandOffer {
  // One map for all that is known of a listing: when a large one grows, all of it is moved at once.
  let catalogue = new Map<PropertyId, BrandListing>();
  /** Restored, and not in the catalogue yet: a million places in a map take a start longer than all else that is done here. */
  const linedUp: BrandListing[] = [];
  let offered = 0;
  let bytes = 0;
  let catalogueWasRead = false;
  let withoutRoom = 0;
  let isClosed = false;
  const withManyRules = new Set<PropertyId>();

  function admitsStayRules(id: PropertyId, rules: number): boolean {
    withManyRules.delete(id);
    if (rules <= MANY_STAY_RULES) return true;
    if (withManyRules.size >= MAX_HOMES_WITH_MANY_RULES)
      for (const other of withManyRules) if (!hasCalendar(other)) withManyRules.delete(other);
    if (withManyRules.size >= MAX_HOMES_WITH_MANY_RULES) return false;
    withManyRules.add(id);
    return true;
  }

  function putCalendar(id: PropertyId, calendar: Calendar, readAt: number): boolean {
    const known = find(id);
    const isOvertaken = readAt < (known?.readAt ?? Number.NEGATIVE_INFINITY);
    if (!known || isClosed || isOvertaken || isTooOld(readAt)) return false;
    const listed = listings.home(id);
    // Without its listing it could be found and not shown.
    if (!listed) return false;
    const version = { listing: listed.digest, calendar: calendarDigest(calendar) };
    if (!putWhereThereIsRoom({ home: listed.home, calendar, version })) return false;
    withdrawRefused(id);
    setReadAt(known, readAt);
    return true;
  }

  /** What the index has no memory for stays as it is: one home too many must not end the reading of the others. */
  function putWhereThereIsRoom({ home, calendar, version }: HomeWithCalendar): boolean {
    try {
      index.put(home, calendar, version);
      return true;
    } catch (error) {
      if (!(error instanceof IndexFull)) throw error;
      withoutRoom += 1;
      return false;
    }
  }

  function isTooOld(readAt: number): boolean {
    return clock.elapsed() - readAt + AGE_CHECK_MS > maxAgeMs;
  }

  function setReadAt(known: BrandListing, readAt: number | null): void {
    offered += Number(readAt !== null) - Number(known.readAt !== null);
    known.readAt = readAt;
  }

  /** What is lined up is looked for one by one, and seldom: after a start, until the catalogue or the age of calendars is of interest. */
  function find(id: PropertyId): BrandListing | undefined {
    return catalogue.get(id) ?? linedUp.find((known) => known.id === id);
  }

  async function settle(): Promise<void> {
    while (linedUp.length > 0) {
      for (const known of linedUp.splice(-LISTINGS_A_TURN)) catalogue.set(known.id, known);
      await nextTurn();
    }
  }

  const readAtOf = (id: PropertyId) => (isClosed ? null : (find(id)?.readAt ?? null));
  const hasCalendar = (id: PropertyId) => readAtOf(id) !== null;

  function setWeight(known: BrandListing, weight: number): void {
    bytes += weight - known.weight;
    known.weight = weight;
  }

  async function clear(): Promise<void> {
    if (linedUp.length > 0) await settle();
    await letGo([...catalogue.keys()]);
  }

  function newListing({ id, reference }: Pick<LoadedHome, 'id' | 'reference'>): BrandListing {
    return { id, reference, digest: 0, weight: 0, readAt: null };
  }

  function putStored({ id, reference, version, weight, content }: LoadedHome, readAt: number): void {
    const known = catalogue.get(id) ?? newListing({ id, reference });
    catalogue.set(id, known);
    known.digest = version.listing;
    setWeight(known, weight);
    if (isClosed) return;
    if (isTooOld(readAt)) {
      if (known.readAt !== null) index.remove(id);
      setReadAt(known, null);
      return;
    }
    if (content) {
      if (!putWhereThereIsRoom(content)) return;
      withdrawRefused(id);
    }
    setReadAt(known, readAt);
  }

  async function letGo(ids: readonly PropertyId[]): Promise<void> {
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

  /** A calendar that was put may not know yet what was refused. */
  function withdrawRefused(id: PropertyId): void {
    const taken = refusals.takenNights(id);
    if (taken.length > 0) index.withdraw(id, taken);
  }

  return {
    settle,
    async replaceCatalogue(entries) {
      if (linedUp.length > 0) await settle();
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
    restore({ id, reference, version, weight, content }, readAt) {
      if (catalogueWasRead) return true;
      const known: BrandListing = { id, reference, digest: version.listing, weight, readAt: null };
      bytes += weight;
      linedUp.push(known);
      if (isTooOld(readAt)) return false;
      if (content && !putWhereThereIsRoom(content)) return true;
      setReadAt(known, readAt);
      if (content) withdrawRefused(id);
      return true;
    },
    async follow({ homes, elapsedAt, removed }) {
      if (linedUp.length > 0) await settle();
      await untilWritable();
      await letGo(removed);
      for (let from = 0; from < homes.length; from += PUT_AT_A_TIME) {
        await untilWritable();
        await inTurns(homes.slice(from, from + PUT_AT_A_TIME), PUT_A_TURN, (home) =>
          putStored(home, elapsedAt(home.readAt)),
        );
      }
    },
    close() {
      isClosed = true;
      index.hideBrand(brand);
    },
    clear,
    open() {
      isClosed = false;
    },
    takeStored: putStored,
    async keepOnly(properties) {
      if (linedUp.length > 0) await settle();
      const others: PropertyId[] = [];
      await inTurns(catalogue.keys(), LISTINGS_A_TURN, (id) => {
        if (!properties.has(id)) others.push(id);
      });
      await letGo(others);
    },
    async withdrawTooOld() {
      if (linedUp.length > 0) await settle();
      const tooOld: PropertyId[] = [];
      await inTurns(catalogue.values(), LISTINGS_A_TURN, (known) => {
        if (known.readAt === null || !isTooOld(known.readAt)) return;
        setReadAt(known, null);
        tooOld.push(known.id);
      });
      // One that was read again since then is on offer again.
      await inTurns(batchesOf(tooOld), 1, (batch) => index.removeAll(batch.filter((id) => !hasCalendar(id))));
      return tooOld;
    },
    takeWithoutRoom() {
      const calendars = withoutRoom;
      withoutRoom = 0;
      return calendars;
    },
    get catalogueIsKnown() {
      return catalogueWasRead || catalogue.size > 0 || linedUp.length > 0;
    },
    listing: find,
    hasCalendar,
    readAt: readAtOf,
    listings: () => catalogue.values(),
    get total() {
      return { listings: catalogue.size + linedUp.length, bytes };
    },
    get size() {
      return isClosed ? 0 : offered;
    },
    oldestReadAt() {
      let oldest = Number.POSITIVE_INFINITY;
      for (const listings of [catalogue.values(), linedUp]) {
        for (const { readAt } of listings) if (readAt !== null && readAt < oldest) oldest = readAt;
      }
      return offered > 0 && !isClosed ? oldest : null;
    },
  };
}

function* batchesOf(ids: readonly PropertyId[]): Generator<readonly PropertyId[]> {
  for (let from = 0; from < ids.length; from += REMOVED_A_TURN) yield ids.slice(from, from + REMOVED_A_TURN);
}
