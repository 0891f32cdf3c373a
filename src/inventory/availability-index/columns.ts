import type { Day } from '../../stay/day.ts';
import type { Property } from '../catalogue.ts';
import type { BookableDays } from './bookable-days.ts';
import { maskOfDays } from './day-set.ts';
import type { City } from './place-tree.ts';

export type Stock = {
  readonly slot: number;
  readonly property: Property;
  readonly city: City;
  readonly bookable: BookableDays;
};

/**
 * All stock by slot. What every question reads of every property stands in columns besides, because a scan that fetches
 * objects spends its time waiting for memory.
 */
export type Storeroom = {
  readonly stock: (Stock | undefined)[];
  readonly freeSlots: number[];
  readonly columns: Record<Column, Int32Array>;
  /** The days of arrival of all stock, each from its `row` on. */
  arrivals: Int32Array;
  arrivalsUsed: number;
};

type Column = (typeof COLUMNS)[number];
const COLUMNS = [
  'maxGuests',
  'leadDays',
  'cityNumber',
  'timeZoneNumber',
  'lastArrival',
  'longestShortestStay',
  'firstDay',
  'row',
  'roomInRow',
] as const;

export function createStoreroom(): Storeroom {
  const empty = () => new Int32Array(0);
  return {
    stock: [],
    freeSlots: [],
    columns: {
      maxGuests: empty(),
      leadDays: empty(),
      cityNumber: empty(),
      timeZoneNumber: empty(),
      lastArrival: empty(),
      longestShortestStay: empty(),
      firstDay: empty(),
      row: empty(),
      roomInRow: empty(),
    },
    arrivals: empty(),
    arrivalsUsed: 0,
  };
}

/** Slots are used again, together with their rows, so that the room does not grow with every change of a catalogue. */
export function takeSlot(room: Storeroom): number {
  const slot = room.freeSlots.pop() ?? room.stock.push(undefined) - 1;
  for (const column of COLUMNS) room.columns[column] = withRoomFor(room.columns[column], slot + 1);
  return slot;
}

export function releaseSlot(room: Storeroom, slot: number): void {
  room.stock[slot] = undefined;
  room.freeSlots.push(slot);
}

export function store(room: Storeroom, stock: Stock): void {
  const { slot, property, city, bookable } = stock;
  const { columns } = room;
  const { words } = bookable.arrivals;
  room.stock[slot] = stock;
  columns.maxGuests[slot] = property.maxGuests;
  columns.leadDays[slot] = Math.max(0, property.leadDays);
  columns.cityNumber[slot] = city.number;
  columns.timeZoneNumber[slot] = city.timeZoneNumber;
  columns.lastArrival[slot] = bookable.lastArrival;
  columns.longestShortestStay[slot] = bookable.longestShortestStay;
  columns.firstDay[slot] = bookable.firstDay;
  if (words.length > (columns.roomInRow[slot] ?? 0)) {
    columns.row[slot] = room.arrivalsUsed;
    columns.roomInRow[slot] = words.length;
    room.arrivalsUsed += words.length;
    room.arrivals = withRoomFor(room.arrivals, room.arrivalsUsed);
  }
  room.arrivals.set(words, columns.row[slot]);
}

/** Whether any stay can start in `[from, until)`, however far ahead it would end. */
export function hasArrivalBetween(room: Storeroom, slot: number, from: Day, until: Day): boolean {
  const { lastArrival, firstDay, row } = room.columns;
  const last = lastArrival[slot] ?? 0;
  if (!(from < until && from <= last)) return false;
  if (last < until) return true;
  const start = firstDay[slot] ?? 0;
  const earliest = Math.max(from, start);
  const offset = (row[slot] ?? 0) - (start >> 5);
  for (let word = earliest >> 5; word <= (until - 1) >> 5; word++) {
    if (((room.arrivals[offset + word] ?? 0) & maskOfDays(word, earliest, until - 1)) !== 0) return true;
  }
  return false;
}

function withRoomFor(array: Int32Array, length: number): Int32Array {
  if (array.length >= length) return array;
  const larger = new Int32Array(length * 2);
  larger.set(array);
  return larger;
}
