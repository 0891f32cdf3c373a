import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createArena } from './arena.ts';
import { HEAD_RING_DAYS } from './kernel/layout.ts';
import { createTiles } from './tiles.ts';

test('a home with rules of its own tries few tiles, others than the home before, and one that is empty again first', () => {
  const arena = createArena();
  arena.u32[HEAD_RING_DAYS >>> 2] = 8;
  const tiles = createTiles(arena);
  const full = new Set<number>();
  const tried: number[] = [];
  const take = () => {
    tried.length = 0;
    arena.ensureCapacity(1_000_000);
    const hasCapacity = (tile: number) => {
      tried.push(tile);
      return !full.has(tile);
    };
    const place = tiles.takeRow({ group: 1, timeZone: 0, horizon: 0, hasCapacity });
    full.add(place.tile);
    return { place, tried: [...tried] };
  };
  const places = Array.from({ length: 50 }, () => take().place);
  assert.equal(new Set(places.map(({ tile }) => tile)).size, 50);
  const [one, other] = [take().tried, take().tried];
  assert.deepEqual([one.length, other.length], [4, 4]);
  assert.equal(new Set([...one, ...other]).size, 8);

  const [emptied] = places;
  assert.ok(emptied);
  tiles.freeRow(emptied);
  full.delete(emptied.tile);
  assert.deepEqual(take(), { place: emptied, tried: [emptied.tile] });
});
