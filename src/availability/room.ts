import type { Arena } from './arena.ts';

/** Memory for what is computed, by name: the same one every time, enlarged when more is needed. */
export type Room = (name: string, bytes: number) => number;

export function createRoom(arena: Arena): Room {
  const rooms = new Map<string, { readonly address: number; readonly bytes: number }>();
  return (name, bytes) => {
    const known = rooms.get(name);
    if (known && known.bytes >= bytes) return known.address;
    const larger = { address: arena.allocateScratch(bytes * 2), bytes: bytes * 2 };
    rooms.set(name, larger);
    return larger.address;
  };
}
