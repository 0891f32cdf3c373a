import { type Calendar, HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Day } from '../stay/day.ts';
import { MAX_AMENITIES } from './amenity-labels.ts';
import type { AvailabilityWriter, HomeVersion, IndexedHome, RefusedNights } from './availability-index.ts';
import { createCalendarRows, createLadders, createStayRules, type StayRules } from './calendar-rows.ts';
import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  BLOCK_DAYS,
  CITY_BYTES,
  CITY_FROM,
  CITY_NUMBER,
  CITY_TO,
  HEAD_AMENITY_NAMES,
  HEAD_BRAND_NAMES,
  HEAD_CHANGES,
  HEAD_FOLLOWED,
  HEAD_FOLLOWED_TILES,
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
  ROWS_A_VECTOR,
  SCOPE_BYTES,
  SCOPES_BYTES,
  TILE_AMENITIES,
  TILE_BRANDS,
  TILE_CITIES,
  TILE_GROUP,
  TILE_HORIZON,
  TILE_LEADS,
  TILE_OCCUPIED,
  TILE_PARTIES,
  TILE_PLACES,
  TILE_PLANE_BYTES,
  TILE_ROWS,
  TILE_TIME_ZONE,
  TILE_UNPUBLISHED,
  TILE_VERSIONS,
  TILE_WITHDRAWN,
  WITHDRAWN_BYTES,
  WITHDRAWN_FROM,
  WITHDRAWN_ROW,
  WITHDRAWN_TO,
} from './kernel/layout.ts';
import type { City, LocalDates } from './place-tree.ts';
import { createPriceBlocks } from './price-blocks.ts';
import type { IndexParts } from './queries.ts';
import { MAX_RULES_OF_TILE, PLANES_AT_ONCE, type RowPlace, tilesIn } from './tiles.ts';

const MAX_BYTES_A_CHARACTER = 3;
const MAX_PLANE_BYTES = MAX_TILE_ROWS / 8;
/** Calendar planes of a tile: free nights, arrivals, closed departures, and the bits of its rules; a spare one covers all smaller parts. */
const MAX_TILE_PLANES = 14;
/** Bytes of each row in the columns of a tile and in its planes that are the same every day, without its bounds. */
const MAX_COLUMN_BYTES = 64;
/** Share of the used memory that new homes leave free, for changes of other homes and for questions. */
const KEPT_FREE = 1 / 16;
/** The index has 16 bits for the brand of a home. */
const MAX_BRAND_NUMBER = 65_535;
const UNKNOWN_VERSION: HomeVersion = { listing: 0, calendar: 0 };

export type HomeWriter = Omit<AvailabilityWriter, 'followDate' | 'daysLost' | 'rewind'> & {
  /** Whether questions can find the home. */
  has(id: PropertyId): boolean;
  /** Starts the ring on a later day: drops the days before it, and adds as many days, empty until homes are put again. */
  advanceTo(day: Day): void;
  /** Hides all homes and starts the ring today: a home that is put again has every day of it. */
  rewind(): void;
  /** Lifts every refusal after a restart, because the code that lifts refusals has lost track of them. */
  forgetRefusals(): void;
};

export function createHomeWriter(parts: IndexParts, latestDates: () => LocalDates): HomeWriter {
  const { arena, kernel, tiles, tree, rows, brandNames, labels, places, brands } = parts;
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const ladders = createLadders(arena, kernel, tiles);
  const stayRulesOf = createStayRules(arena, kernel);
  const prices = createPriceBlocks(arena);
  const calendars = createCalendarRows({ arena, kernel, ladders, prices });

  /** A byte for each amenity, from which those of a home are written. */
  const marks = arena.allocateScratch(MAX_AMENITIES);

  function put(home: IndexedHome, calendar: Calendar, version: HomeVersion = UNKNOWN_VERSION): void {
    const city = tree.cityOf(home);
    const brand = brandNames.intern(home.brand);
    if (brand > MAX_BRAND_NUMBER) throw new RangeError(`${home.id} is of one brand too many for the index`);
    // Homes with plain rules have separate tiles, which need fewer planes.
    const rules = stayRulesOf(calendar);
    if (rules.rules.length >= MAX_RULES_OF_TILE) throw new RangeError(`${home.id} has too many stay rules`);
    const group = city.group * 2 + (rules.arePlain ? 0 : 1);
    const known = rows.find(home.id);
    const stays =
      known !== undefined &&
      isShown(known) &&
      cityAt(known) === city.number &&
      brandAt(known) === brand &&
      word(known.tile + TILE_GROUP) === group &&
      calendars.hasCapacity(known.tile, rules);
    arena.ensureCapacity(bytesForHome(home) + (stays ? 0 : bytesForRow(city)));
    if (known && !stays) remove(home.id);
    const place = known && stays ? known : takeRow(home.id, city, brand, group, rules);
    // The largest party is the most lenient.
    ladders.writeRung(place, TILE_PARTIES, -home.maxGuests);
    ladders.writeRung(place, TILE_LEADS, Math.max(0, home.leadDays));
    writeAmenities(place, home);
    forgetWithdrawn(place);
    calendars.write(place, calendar, rules);
    arena.u32.set([version.listing, version.calendar], versionAt(place));
    markChanged(city, brand);
  }

  /** The most bytes that a home with a row needs: missing parts of its tile, its prices, and new names. */
  function bytesForHome({ id, brand, amenities }: IndexedHome): number {
    const published = Object.entries(amenities ?? {});
    let texts = (id.length + brand.length) * MAX_BYTES_A_CHARACTER;
    for (const [amenity, label] of published)
      texts +=
        (2 * amenity.length + label.length + brand.length) * MAX_BYTES_A_CHARACTER + 2 * MAX_PLANE_BYTES;
    const lists = [HEAD_AMENITY_NAMES, HEAD_LABELS, HEAD_BRAND_NAMES].map(
      (list) => word(list + LIST_CAPACITY) * 2,
    );
    const names = lists.reduce((sum, entries) => sum + entries, published.length * 4) * 8;
    const planes = MAX_TILE_PLANES * word(HEAD_RING_DAYS) + PLANES_AT_ONCE;
    return planes * MAX_PLANE_BYTES + texts + names;
  }

  /** The most bytes that a row needs: a tile; larger tables of rows, tiles and scopes, twice, because they double; and the free share. */
  function bytesForRow({ places: around }: City): number {
    const tables = 2 * (word(HEAD_TILES + LIST_COUNT) + 4) * (4 + (around.length + 2) * SCOPE_BYTES);
    const scopes = 2 * (tree.places.length + brandNames.size + 4) * SCOPES_BYTES;
    const columns = MAX_COLUMN_BYTES + 2 * Math.ceil(word(HEAD_RING_DAYS) / BLOCK_DAYS);
    const rowTable = (word(HEAD_HOMES) + MAX_TILE_ROWS) * 4 * 4;
    return MAX_TILE_ROWS * columns + tables + scopes + rowTable + arena.usedBytes() * KEPT_FREE;
  }

  function takeRow(id: PropertyId, city: City, brand: number, group: number, rules: StayRules): RowPlace {
    const { todays, edition } = latestDates();
    const doAllFollow =
      word(HEAD_FOLLOWED) === edition && word(HEAD_FOLLOWED_TILES) === word(HEAD_TILES + LIST_COUNT);
    const horizon = (todays[city.timeZone] ?? 0) + HORIZON_NIGHTS;
    const hasCapacity = (tile: number) => calendars.hasCapacity(tile, rules);
    const place = tiles.takeRow({ group, timeZone: city.timeZone, horizon, hasCapacity });
    // A new tile starts with the latest dates.
    if (doAllFollow) arena.u32[HEAD_FOLLOWED_TILES >>> 2] = word(HEAD_TILES + LIST_COUNT);
    rows.add(id, place);
    arena.u16[(word(place.tile + TILE_PLACES) >>> 1) + place.row] = city.number;
    arena.u16[(word(place.tile + TILE_BRANDS) >>> 1) + place.row] = brand;
    for (const number of [tree.everywhere, ...city.places]) {
      const plane = places.include(number, place);
      if (number === city.number) listCity(place, number, plane);
    }
    brands.include(brand, place);
    arena.u32[HEAD_HOMES >>> 2] = word(HEAD_HOMES) + 1;
    return place;
  }

  /** Homes of a city mostly arrive together, so its rows are in a small part of its plane. */
  function listCity({ tile, row }: RowPlace, city: number, plane: number): void {
    const from = (row - (row % ROWS_A_VECTOR)) / 8;
    const to = from + ROWS_A_VECTOR / 8;
    const list = tile + TILE_CITIES;
    let entry = word(list + LIST_ENTRIES);
    const end = entry + word(list + LIST_COUNT) * CITY_BYTES;
    while (entry < end && word(entry + CITY_NUMBER) !== city) entry += CITY_BYTES;
    const isListed = entry < end;
    if (!isListed) entry = arena.append(list, CITY_BYTES);
    const first = isListed ? Math.min(from, word(entry + CITY_FROM)) : from;
    const last = isListed ? Math.max(to, word(entry + CITY_TO)) : to;
    arena.u32.set([city, plane, first, last], entry >>> 2);
  }

  function remove(id: PropertyId): void {
    const place = rows.find(id);
    const city = place && tree.cities[cityAt(place)];
    if (!place || !city) return;
    const brand = brandAt(place);
    forgetWithdrawn(place);
    rows.remove(id, place);
    prices.release(place);
    for (const number of [tree.everywhere, ...city.places]) places.exclude(number, place);
    brands.exclude(brand, place);
    tiles.freeRow(place);
    arena.u32[HEAD_HOMES >>> 2] = word(HEAD_HOMES) - 1;
    markChanged(city, brand);
  }

  /** Removes the rows of the brand from the planes of places. The rows stay occupied. */
  function hideBrand(id: BrandId): void {
    const brand = brandNames.numberOf(id);
    const hidden = brand === undefined ? new Map() : brands.planesOf(brand);
    if (brand === undefined || hidden.size === 0) return;
    countChange();
    places.excludeRows(hidden);
    for (const [tile, plane] of hidden) arena.u8.fill(0, plane, plane + word(tile + TILE_PLANE_BYTES));
    brands.markChanged(brand);
  }

  function isShown(place: RowPlace): boolean {
    return brands.includes(brandAt(place), place);
  }

  function cityAt({ tile, row }: RowPlace): number {
    return arena.u16[(word(tile + TILE_PLACES) >>> 1) + row] ?? 0;
  }

  function brandAt({ tile, row }: RowPlace): number {
    return arena.u16[(word(tile + TILE_BRANDS) >>> 1) + row] ?? 0;
  }

  function versionAt({ tile, row }: RowPlace): number {
    return (word(tile + TILE_VERSIONS) >>> 2) + row * 2;
  }

  function holds(id: PropertyId, { listing, calendar }: HomeVersion): boolean {
    const place = rows.find(id);
    if (!place || calendar === 0 || !isShown(place)) return false;
    const at = versionAt(place);
    return arena.u32[at] === listing % 2 ** 32 && arena.u32[at + 1] === calendar;
  }

  function* homes(): Generator<Pick<IndexedHome, 'id' | 'brand'>> {
    for (const tile of tilesIn(arena)) {
      for (let row = 0; row < word(tile + TILE_ROWS); row++) {
        const place = { tile, row };
        if (!tiles.hasBit(word(tile + TILE_OCCUPIED), row)) continue;
        yield { id: rows.idAt(place), brand: brandNames.nameOf(brandAt(place)) };
      }
    }
  }

  /** Counts changes, so that a snapshot, which is copied in parts, detects one meanwhile. */
  function countChange(): void {
    arena.u32[HEAD_CHANGES >>> 2] = word(HEAD_CHANGES) + 1;
  }

  function markChanged({ places: around }: City, brand: number): void {
    countChange();
    for (const number of [tree.everywhere, ...around]) places.markChanged(number);
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
      tiles.setBit(insertAmenity(tile, amenity), row, true);
      arena.u8[marks + amenity] = 0;
    }
  }

  /** Amenities are listed by number. Returns the address of the plane of a new one. */
  function insertAmenity(tile: number, amenity: number): number {
    const plane = tiles.takePlane(tile);
    let entry = arena.append(tile + TILE_AMENITIES, AMENITY_BYTES);
    const first = word(tile + TILE_AMENITIES + LIST_ENTRIES);
    for (; entry > first && word(entry - AMENITY_BYTES + AMENITY_NUMBER) > amenity; entry -= AMENITY_BYTES)
      arena.u8.copyWithin(entry, entry - AMENITY_BYTES, entry);
    arena.u32[(entry + AMENITY_NUMBER) >>> 2] = amenity;
    arena.u32[(entry + AMENITY_PLANE) >>> 2] = plane;
    return plane;
  }

  function withdrawnAt(number: number): number {
    return word(HEAD_WITHDRAWN + LIST_ENTRIES) + number * WITHDRAWN_BYTES;
  }

  /** The number of the first refusal of this row or a later one, by binary search: one operator may refuse thousands of stays. */
  function firstWithdrawn(row: number): number {
    let low = 0;
    let high = word(HEAD_WITHDRAWN + LIST_COUNT);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (word(withdrawnAt(middle) + WITHDRAWN_ROW) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function forgetWithdrawn(place: RowPlace): void {
    if (word(place.tile + TILE_WITHDRAWN) === 0) return;
    const row = tiles.globalRowOf(place);
    const [from, to] = [firstWithdrawn(row), firstWithdrawn(row + 1)];
    const count = word(HEAD_WITHDRAWN + LIST_COUNT);
    arena.u8.copyWithin(withdrawnAt(from), withdrawnAt(to), withdrawnAt(count));
    arena.u32[(HEAD_WITHDRAWN + LIST_COUNT) >>> 2] = count - (to - from);
    arena.u32[(place.tile + TILE_WITHDRAWN) >>> 2] = word(place.tile + TILE_WITHDRAWN) - (to - from);
  }

  /** Expects that no refusal of the row is listed. */
  function listWithdrawn(place: RowPlace, refused: readonly RefusedNights[]): void {
    const row = tiles.globalRowOf(place);
    const number = firstWithdrawn(row);
    const count = word(HEAD_WITHDRAWN + LIST_COUNT);
    for (const _ of refused) arena.append(HEAD_WITHDRAWN, WITHDRAWN_BYTES);
    arena.u8.copyWithin(withdrawnAt(number + refused.length), withdrawnAt(number), withdrawnAt(count));
    for (const [position, { from, to }] of refused.entries()) {
      const entry = withdrawnAt(number + position);
      arena.u32[(entry + WITHDRAWN_ROW) >>> 2] = row;
      arena.i32[(entry + WITHDRAWN_FROM) >>> 2] = from;
      arena.i32[(entry + WITHDRAWN_TO) >>> 2] = to;
    }
    arena.u32[(place.tile + TILE_WITHDRAWN) >>> 2] = word(place.tile + TILE_WITHDRAWN) + refused.length;
  }

  function withdraw(id: PropertyId, refused: readonly RefusedNights[]): void {
    const place = rows.find(id);
    const city = place && tree.cities[cityAt(place)];
    if (!place || !city) return;
    arena.ensureCapacity(2 * WITHDRAWN_BYTES * (word(HEAD_WITHDRAWN + LIST_CAPACITY) + refused.length + 4));
    forgetWithdrawn(place);
    listWithdrawn(
      place,
      refused.filter(({ from, to }) => from < to),
    );
    calendars.refreshArrivals(place);
    markChanged(city, brandAt(place));
  }

  return {
    put,
    holds,
    homes,
    remove,
    removeAll(ids) {
      for (const id of ids) remove(id);
    },
    hideBrand,
    has(id) {
      const place = rows.find(id);
      return place !== undefined && isShown(place);
    },
    withdraw,
    advanceTo(day) {
      countChange();
      const days = word(HEAD_RING_DAYS);
      const start = arena.i32[HEAD_RING_START >>> 2] ?? 0;
      for (let past = Math.max(start, day - days); past < day; past++) kernel.forgetDay(past % days);
      arena.i32[HEAD_RING_START >>> 2] = day;
    },
    rewind() {
      const { start, todays } = latestDates();
      for (let brand = 0; brand < brandNames.size; brand++) hideBrand(brandNames.nameOf(brand));
      for (const tile of tilesIn(arena))
        arena.i32[(tile + TILE_HORIZON) >>> 2] = (todays[word(tile + TILE_TIME_ZONE)] ?? 0) + HORIZON_NIGHTS;
      arena.i32[HEAD_RING_START >>> 2] = start;
      countChange();
    },
    forgetRefusals() {
      const refused = Array.from({ length: word(HEAD_WITHDRAWN + LIST_COUNT) }, (_, number) =>
        rows.idAt(tiles.placeOf(word(withdrawnAt(number) + WITHDRAWN_ROW))),
      );
      for (const id of new Set(refused)) withdraw(id, []);
    },
    get propertyCount() {
      return word(HEAD_HOMES);
    },
  };
}
