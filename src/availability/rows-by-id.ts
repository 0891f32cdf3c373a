import type { PropertyId } from '../catalogue/catalogue.ts';
import type { Arena } from './arena.ts';
import {
  HEAD_HOMES,
  HEAD_ROW_SLOTS,
  HEAD_ROW_SLOTS_USED,
  HEAD_ROW_TABLE,
  TILE_IDS,
  TILE_TIES,
} from './kernel/layout.ts';
import { textAt } from './names.ts';
import type { RowPlace, Tiles } from './tiles.ts';

/** Finds rows by the ids of their homes: a hash table in the arena, whose slots hold a row number plus one, or a marker. */
export type RowsById = {
  find(id: PropertyId): RowPlace | undefined;
  add(id: PropertyId, place: RowPlace): void;
  remove(id: PropertyId, place: RowPlace): void;
  idAt(place: RowPlace): PropertyId;
};

const FIRST_SLOTS = 256;
const MAX_LOAD = 0.7;
const EMPTY = 0;
const REMOVED = 0xffff_ffff;
export const ID_LENGTH_BYTES = 2;

export function createRowsById(arena: Arena, tiles: Tiles): RowsById {
  const head = (offset: number) => arena.u32[offset >>> 2] ?? 0;
  const word = (tile: number, offset: number) => arena.u32[(tile + offset) >>> 2] ?? 0;

  function addressOf({ tile, row }: RowPlace): number {
    return arena.u32[(word(tile, TILE_IDS) >>> 2) + row] ?? 0;
  }

  function idAt(place: RowPlace): PropertyId {
    const address = addressOf(place);
    return textAt(arena, address + ID_LENGTH_BYTES, arena.u16[address >>> 1] ?? 0);
  }

  /** Compares ASCII ids in place: decoding one takes longer than finding the row. */
  function isIdAt(place: RowPlace, id: PropertyId): boolean {
    const address = addressOf(place);
    const isPlain = arena.u16[address >>> 1] === id.length;
    if (!isPlain) return idAt(place) === id;
    const { u8 } = arena;
    for (let at = 0; at < id.length; at++) {
      const code = id.charCodeAt(at);
      if (code > MAX_ASCII || u8[address + ID_LENGTH_BYTES + at] !== code) return false;
    }
    return true;
  }

  function tieAt({ tile, row }: RowPlace): number {
    return arena.u32[(word(tile, TILE_TIES) >>> 2) + row] ?? 0;
  }

  function slotOf(id: PropertyId): number | undefined {
    const tie = tieOrder(id);
    const slots = head(HEAD_ROW_SLOTS);
    if (slots === 0) return undefined;
    for (let slot = tie & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = (head(HEAD_ROW_TABLE) >>> 2) + slot;
      const entry = arena.u32[at] ?? EMPTY;
      if (entry === EMPTY) return undefined;
      if (entry === REMOVED) continue;
      const place = tiles.placeOf(entry - 1);
      if (tieAt(place) === tie && isIdAt(place, id)) return at;
    }
  }

  function insert(tie: number, globalRow: number): void {
    const slots = head(HEAD_ROW_SLOTS);
    let slot = tie & (slots - 1);
    while ((arena.u32[(head(HEAD_ROW_TABLE) >>> 2) + slot] ?? EMPTY) !== EMPTY)
      slot = (slot + 1) & (slots - 1);
    arena.u32[(head(HEAD_ROW_TABLE) >>> 2) + slot] = globalRow + 1;
    arena.u32[HEAD_ROW_SLOTS_USED >>> 2] = head(HEAD_ROW_SLOTS_USED) + 1;
  }

  /** Rebuilds the table without the markers of removed rows, and larger if there are many homes. */
  function renew(): void {
    const [table, slots] = [head(HEAD_ROW_TABLE), head(HEAD_ROW_SLOTS)];
    let wanted = FIRST_SLOTS;
    while (wanted < head(HEAD_HOMES) * 2) wanted *= 2;
    const address = arena.allocate(wanted * 4);
    arena.u32[HEAD_ROW_TABLE >>> 2] = address;
    arena.u32[HEAD_ROW_SLOTS >>> 2] = wanted;
    arena.u32[HEAD_ROW_SLOTS_USED >>> 2] = 0;
    for (let slot = 0; slot < slots; slot++) {
      const entry = arena.u32[(table >>> 2) + slot] ?? EMPTY;
      if (entry !== EMPTY && entry !== REMOVED) insert(tieAt(tiles.placeOf(entry - 1)), entry - 1);
    }
    if (slots > 0) arena.release(table, slots * 4);
  }

  return {
    find(id) {
      const at = slotOf(id);
      return at === undefined ? undefined : tiles.placeOf((arena.u32[at] ?? 1) - 1);
    },
    add(id, place) {
      if (head(HEAD_ROW_SLOTS_USED) + 1 > head(HEAD_ROW_SLOTS) * MAX_LOAD) renew();
      const text = Buffer.from(id);
      const address = arena.allocate(ID_LENGTH_BYTES + text.length);
      arena.u16[address >>> 1] = text.length;
      arena.u8.set(text, address + ID_LENGTH_BYTES);
      arena.u32[(word(place.tile, TILE_IDS) >>> 2) + place.row] = address;
      const tie = tieOrder(id);
      arena.u32[(word(place.tile, TILE_TIES) >>> 2) + place.row] = tie;
      insert(tie, tiles.globalRowOf(place));
    },
    remove(id, place) {
      const at = slotOf(id);
      if (at === undefined) return;
      arena.u32[at] = REMOVED;
      const address = addressOf(place);
      arena.release(address, ID_LENGTH_BYTES + (arena.u16[address >>> 1] ?? 0));
    },
    idAt,
  };
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const MAX_ASCII = 127;

const encoder = new TextEncoder();

/**
 * The order of homes with the same total: FNV-1a over the UTF-8 of the id. It is the same everywhere and for good, and no operator
 * gets ahead by the way it numbers its homes.
 */
export function tieOrder(id: PropertyId): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code > MAX_ASCII) return tieOrderOfText(id);
    hash = Math.imul(hash ^ code, FNV_PRIME);
  }
  return hash >>> 0;
}

/** For ids beyond ASCII. Nearly all ids are ASCII and skip the encoding, which takes longer than the rest. */
function tieOrderOfText(id: PropertyId): number {
  let hash = FNV_OFFSET;
  for (const byte of encoder.encode(id)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/** By `tieOrder`, then by id. */
export function compareTied(one: PropertyId, other: PropertyId): number {
  return tieOrder(one) - tieOrder(other) || (one < other ? -1 : one > other ? 1 : 0);
}
