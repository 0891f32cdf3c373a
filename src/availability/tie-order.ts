import type { PropertyId } from '../catalogue/catalogue.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export const MAX_ASCII = 127;

const encoder = new TextEncoder();

/**
 * Where a home stands among others with the same total: FNV-1a over the UTF-8 of its id. The same everywhere and for ever, and no
 * operator gets ahead of the others by how it numbers its homes.
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

/** Nearly all ids are plain letters, which need no encoding: it takes longer than the rest. */
function tieOrderOfText(id: PropertyId): number {
  let hash = FNV_OFFSET;
  for (const byte of encoder.encode(id)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/** By `tieOrder`, and by id where two homes share it. */
export function compareTied(one: PropertyId, other: PropertyId): number {
  return tieOrder(one) - tieOrder(other) || (one < other ? -1 : one > other ? 1 : 0);
}
