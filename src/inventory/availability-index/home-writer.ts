import type { Day } from '../../stay/day.ts';
import type { Calendar } from '../calendar.ts';
import type { PropertyId } from '../catalogue.ts';
import { MAX_AMENITIES } from './amenity-labels.ts';
import type { AvailabilityWriter, IndexedHome, RefusedNights } from './availability-index.ts';
import { createCalendarRows } from './calendar-rows.ts';
import { everywhere, type IndexParts } from './index-parts.ts';
import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  HEAD_AMENITY_NAMES,
  HEAD_BRAND_NAMES,
  HEAD_CHANGES,
  HEAD_HOMES,
  HEAD_LABELS,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  HEAD_TILES,
  HEAD_WITHDRAWN,
  LIST_CAPACITY,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_TILE_ROWS,
  SCOPE_BYTES,
  SCOPES_BYTES,
  TILE_AMENITIES,
  TILE_BRANDS,
  TILE_GROUP,
  TILE_LEADS,
  TILE_PARTIES,
  TILE_PLACES,
  TILE_PLANE_BYTES,
  TILE_UNPUBLISHED,
  TILE_WITHDRAWN,
  WITHDRAWN_BYTES,
  WITHDRAWN_FROM,
  WITHDRAWN_ROW,
  WITHDRAWN_TO,
} from './kernel/layout.ts';
import { createLadders } from './ladders.ts';
import type { City } from './place-tree.ts';
import { createPriceBlocks } from './price-blocks.ts';
import { createStayRules, withFewRules } from './stay-rules.ts';
import type { RowPlace } from './tiles.ts';

const MAX_BYTES_A_CHARACTER = 3;
const MAX_PLANE_BYTES = MAX_TILE_ROWS / 8;
/** Calendar planes of a tile: free nights, arrivals, closed departures, and the bits of as many rules as it has; one to spare for all that is smaller. */
const MAX_TILE_PLANES = 14;
/** Of the columns of a tile and its planes that are the same every day, for each row. */
const MAX_COLUMN_BYTES = 64;
/** The index has 16 bits for the brand of a home. */
const MAX_BRAND_NUMBER = 65_535;

export type HomeWriter = Omit<AvailabilityWriter, 'followDate'> & {
  /** Lets the ring begin on a later day: those before it are forgotten, and as many new ones are empty until homes are put again. */
  advanceTo(day: Day): void;
};

export function createHomeWriter(parts: IndexParts, horizonOf: (city: City) => Day): HomeWriter {
  const { arena, kernel, tiles, tree, rows, brandNames, labels, places, brands } = parts;
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const ladders = createLadders(arena, kernel, tiles);
  const stayRulesOf = createStayRules(arena, kernel);
  const prices = createPriceBlocks(arena);
  const calendars = createCalendarRows({ arena, kernel, ladders, prices });

  /** A byte for each amenity, to write those of a home from. */
  const marks = arena.allocate(MAX_AMENITIES);

  function put(home: IndexedHome, given: Calendar): void {
    const city = tree.cityOf(home);
    const brand = brandNames.intern(home.brand);
    if (brand > MAX_BRAND_NUMBER) throw new RangeError(`${home.id} is of one brand too many for the index`);
    // Homes with plain rules have tiles of their own, which need fewer planes.
    const published = stayRulesOf(given);
    const calendar = withFewRules(given, published);
    const rules = calendar === given ? published : stayRulesOf(calendar);
    const group = city.group * 2 + (rules.arePlain ? 0 : 1);
    const ruleCount = rules.arePlain ? 0 : rules.rules.length;
    const known = rows.find(home.id);
    const stays =
      known !== undefined &&
      cityAt(known) === city.number &&
      brandAt(known) === brand &&
      word(known.tile + TILE_GROUP) === group &&
      tiles.hasRoomForRules(known.tile, ruleCount);
    arena.makeRoom(roomForHome(home) + (stays ? 0 : roomForRow(city)));
    if (known && !stays) remove(home.id);
    const place = known && stays ? known : takeRow(home.id, city, brand, { group, rules: ruleCount });
    // The largest party is the most lenient.
    ladders.writeRung(place, TILE_PARTIES, -home.maxGuests);
    ladders.writeRung(place, TILE_LEADS, Math.max(0, home.leadDays));
    writeAmenities(place, home);
    forgetWithdrawn(place);
    calendars.write(place, calendar, rules);
    markChanged(city, brand);
  }

  /** The most that a home takes where it has a row: what its tile may lack, its prices, and names that nobody knew before. */
  function roomForHome({ id, brand, amenities }: IndexedHome): number {
    const published = Object.entries(amenities ?? {});
    let texts = (id.length + brand.length) * MAX_BYTES_A_CHARACTER;
    for (const [amenity, label] of published)
      texts +=
        (2 * amenity.length + label.length + brand.length) * MAX_BYTES_A_CHARACTER + 2 * MAX_PLANE_BYTES;
    const lists = [HEAD_AMENITY_NAMES, HEAD_LABELS, HEAD_BRAND_NAMES].map(
      (list) => word(list + LIST_CAPACITY) * 2,
    );
    const names = lists.reduce((sum, entries) => sum + entries, published.length * 4) * 8;
    return MAX_TILE_PLANES * MAX_PLANE_BYTES * word(HEAD_RING_DAYS) + texts + names;
  }

  /** The most that a row takes: a tile, and larger tables of rows, tiles and scopes. Twice, because they double. */
  function roomForRow({ places: around }: City): number {
    const tables = 2 * (word(HEAD_TILES + LIST_COUNT) + 4) * (4 + (around.length + 2) * SCOPE_BYTES);
    const scopes = 2 * (tree.places.length + brandNames.size + 4) * SCOPES_BYTES;
    return MAX_TILE_ROWS * MAX_COLUMN_BYTES + tables + scopes + (word(HEAD_HOMES) + MAX_TILE_ROWS) * 4 * 4;
  }

  function takeRow(
    id: PropertyId,
    city: City,
    brand: number,
    needs: { readonly group: number; readonly rules: number },
  ): RowPlace {
    const place = tiles.takeRow({ ...needs, timeZone: city.timeZone, horizon: horizonOf(city) });
    rows.add(id, place);
    arena.u16[(word(place.tile + TILE_PLACES) >>> 1) + place.row] = city.number;
    arena.u16[(word(place.tile + TILE_BRANDS) >>> 1) + place.row] = brand;
    for (const number of [everywhere(tree), ...city.places]) places.include(number, place);
    brands.include(brand, place);
    arena.u32[HEAD_HOMES >>> 2] = word(HEAD_HOMES) + 1;
    return place;
  }

  function remove(id: PropertyId): void {
    const place = rows.find(id);
    const city = place && tree.cities[cityAt(place)];
    if (!place || !city) return;
    const brand = brandAt(place);
    forgetWithdrawn(place);
    rows.remove(id, place);
    prices.release(place);
    for (const number of [everywhere(tree), ...city.places]) places.exclude(number, place);
    brands.exclude(brand, place);
    tiles.freeRow(place);
    arena.u32[HEAD_HOMES >>> 2] = word(HEAD_HOMES) - 1;
    markChanged(city, brand);
  }

  function cityAt({ tile, row }: RowPlace): number {
    return arena.u16[(word(tile + TILE_PLACES) >>> 1) + row] ?? 0;
  }

  function brandAt({ tile, row }: RowPlace): number {
    return arena.u16[(word(tile + TILE_BRANDS) >>> 1) + row] ?? 0;
  }

  function markChanged({ places: around }: City, brand: number): void {
    arena.u32[HEAD_CHANGES >>> 2] = word(HEAD_CHANGES) + 1;
    for (const number of [everywhere(tree), ...around]) places.markChanged(number);
    brands.markChanged(brand);
  }

  function writeAmenities({ tile, row }: RowPlace, { brand, amenities }: IndexedHome): void {
    tiles.setBit(word(tile + TILE_UNPUBLISHED), row, amenities === null);
    const wanted: number[] = [];
    for (const [amenity, label] of Object.entries(amenities ?? {})) {
      const number = labels.publish(brand, amenity, label);
      if (number !== undefined) wanted.push(number);
    }
    for (const amenity of wanted) arena.u8[marks + amenity] = 1;
    kernel.writeAmenities(tile, row, marks);
    for (const amenity of wanted) {
      if (arena.u8[marks + amenity] === 0) continue;
      const plane = arena.allocate(word(tile + TILE_PLANE_BYTES));
      const entry = arena.append(tile + TILE_AMENITIES, AMENITY_BYTES);
      arena.u32[(entry + AMENITY_NUMBER) >>> 2] = amenity;
      arena.u32[(entry + AMENITY_PLANE) >>> 2] = plane;
      tiles.setBit(plane, row, true);
      arena.u8[marks + amenity] = 0;
    }
  }

  function withdrawnAt(number: number): number {
    return word(HEAD_WITHDRAWN + LIST_ENTRIES) + number * WITHDRAWN_BYTES;
  }

  function forgetWithdrawn(place: RowPlace): void {
    if (word(place.tile + TILE_WITHDRAWN) === 0) return;
    const row = tiles.globalRowOf(place);
    for (let number = word(HEAD_WITHDRAWN + LIST_COUNT) - 1; number >= 0; number--) {
      if (word(withdrawnAt(number) + WITHDRAWN_ROW) !== row) continue;
      const last = word(HEAD_WITHDRAWN + LIST_COUNT) - 1;
      arena.u8.copyWithin(withdrawnAt(number), withdrawnAt(last), withdrawnAt(last) + WITHDRAWN_BYTES);
      arena.u32[(HEAD_WITHDRAWN + LIST_COUNT) >>> 2] = last;
      arena.u32[(place.tile + TILE_WITHDRAWN) >>> 2] = word(place.tile + TILE_WITHDRAWN) - 1;
    }
  }

  function withdraw(id: PropertyId, refused: readonly RefusedNights[]): void {
    const place = rows.find(id);
    const city = place && tree.cities[cityAt(place)];
    if (!place || !city) return;
    arena.makeRoom(2 * WITHDRAWN_BYTES * (word(HEAD_WITHDRAWN + LIST_CAPACITY) + refused.length + 4));
    forgetWithdrawn(place);
    for (const { from, to } of refused) {
      if (from >= to) continue;
      const entry = arena.append(HEAD_WITHDRAWN, WITHDRAWN_BYTES);
      arena.u32[(entry + WITHDRAWN_ROW) >>> 2] = tiles.globalRowOf(place);
      arena.i32[(entry + WITHDRAWN_FROM) >>> 2] = from;
      arena.i32[(entry + WITHDRAWN_TO) >>> 2] = to;
      arena.u32[(place.tile + TILE_WITHDRAWN) >>> 2] = word(place.tile + TILE_WITHDRAWN) + 1;
    }
    calendars.refreshArrivals(place);
    markChanged(city, brandAt(place));
  }

  return {
    put,
    load(stored) {
      for (const { home, calendar } of stored) put(home, calendar);
    },
    remove,
    removeAll(ids) {
      for (const id of ids) remove(id);
    },
    withdraw,
    advanceTo(day) {
      const days = word(HEAD_RING_DAYS);
      for (let start = arena.i32[HEAD_RING_START >>> 2] ?? 0; start < day; start++) {
        kernel.forgetDay(start % days);
        arena.i32[HEAD_RING_START >>> 2] = start + 1;
      }
    },
    get propertyCount() {
      return word(HEAD_HOMES);
    },
  };
}
