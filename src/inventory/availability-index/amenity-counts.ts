import type { AmenityCount } from './availability-index.ts';
import type { IndexParts } from './index-parts.ts';
import { KEY_BYTES, KEY_HIGH, KEY_LOW } from './kernel/layout.ts';
import { createNameRanks } from './name-ranks.ts';
import { createRoom } from './room.ts';

/** How many matches have each amenity, as the kernels count them. */
export type AmenityCounts = {
  /** Says where they are to be counted, by number; all counts are zero. */
  begin(): number;
  /** Most first, then by key. */
  end(): readonly AmenityCount[];
};

export function createAmenityCounts({ arena, kernel, amenityNames }: IndexParts): AmenityCounts {
  const room = createRoom(arena);
  const nameRanks = createNameRanks(amenityNames, arena);
  const countsRoom = () => room('counts', amenityNames.size * 4);
  const keysRoom = () => room('keys', amenityNames.size * KEY_BYTES);

  return {
    begin() {
      // All memory that is needed: once counting has begun nothing may fail, or the next answer would begin with what was counted.
      nameRanks();
      keysRoom();
      return countsRoom();
    },
    end() {
      const { ranks, sorted } = nameRanks();
      const keys = keysRoom();
      const listed = kernel.orderCounts(countsRoom(), sorted.length, ranks, keys);
      const { u32 } = arena;
      const counts: AmenityCount[] = [];
      for (let key = keys; key < keys + listed * KEY_BYTES; key += KEY_BYTES) {
        const amenity = sorted[u32[(key + KEY_LOW) >>> 2] ?? 0] ?? '';
        counts.push({ amenity, properties: ~(u32[(key + KEY_HIGH) >>> 2] ?? 0) >>> 0 });
      }
      return counts;
    },
  };
}
