import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { ListedHome, Listings } from '../../availability/inventory-store.ts';
import type { ListingDigest, Property, PropertyId } from '../../catalogue/catalogue.ts';
import { numberIn, textIn } from './columns.ts';
import { homeIn } from './home-columns.ts';
import { withStorageFailures } from './sqlite-failure.ts';

/** Of listings as JSON, which are parsed about three times as large. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** No listing has it. */
const NO_DIGEST = -1;

type ParsedListing = {
  readonly digest: ListingDigest;
  readonly property: Property;
  /** The version of the data in which its row was last seen. */
  seenIn: number;
};

/**
 * Reads are short and synchronous: the rows of a search are mostly in memory. A listing that was parsed before is used again while nothing
 * was written, or its row has the same digest, so that it is never older than the store, whoever wrote to it.
 */
export function storedListingsIn(database: DatabaseSync, report: (warning: string) => void): Listings {
  const listing = database.prepare(
    `SELECT digest, CASE WHEN digest = ? THEN NULL ELSE state END AS state
     FROM property JOIN listing ON listing.property = property.number WHERE id = ?`,
  );
  const home = database.prepare(
    'SELECT id, brand, place, max_guests, lead_days, currency, amenities, digest FROM property WHERE id = ?',
  );
  const version = dataVersionOf(database);
  const parsed = new LRUCache<PropertyId, ParsedListing>({ maxSize: MAX_CACHED_BYTES });

  function read(id: PropertyId): Property | undefined {
    const known = parsed.get(id);
    const seenIn = version();
    if (known?.seenIn === seenIn) return known.property;
    const row = listing.get(known?.digest ?? NO_DIGEST, id);
    if (!row) return undefined;
    if (known && row.state === null) {
      known.seenIn = seenIn;
      return known.property;
    }
    const state = textIn(row, 'state');
    const property: Property = JSON.parse(state);
    parsed.set(id, { digest: numberIn(row, 'digest'), property, seenIn }, { size: state.length });
    return property;
  }

  function readHome(id: PropertyId): ListedHome | undefined {
    const row = home.get(id);
    return row && { home: homeIn(row), digest: numberIn(row, 'digest') };
  }

  /** A row that cannot be read is a home that cannot be offered; its operator is read again anyway. */
  function orUndefined<Value>(work: () => Value | undefined): Value | undefined {
    try {
      return withStorageFailures(work);
    } catch (failure) {
      report(`A stored listing could not be read: ${String(failure)}`);
      return undefined;
    }
  }

  return { get: (id) => orUndefined(() => read(id)), home: (id) => orUndefined(() => readHome(id)) };
}

/**
 * A number that another connection changes whenever it commits. It is asked for once in a task: a search reads some sixty listings at
 * once, and asking costs half as much as reading a row.
 */
function dataVersionOf(database: DatabaseSync): () => number {
  const statement = database.prepare('PRAGMA data_version');
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return () => {
    if (known === undefined) {
      known = numberIn(statement.get() ?? {}, 'data_version');
      queueMicrotask(forget);
    }
    return known;
  };
}
