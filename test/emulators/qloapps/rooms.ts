import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';

export type QloRoom = { readonly id: number; readonly number: string };

/** The rooms of each room type. A booking takes one of them, so a type is free while any room is. */
export function createRoomPlan(homes: readonly EmulatedHome[], roomsOfEach: number) {
  const rooms = new Map(
    homes.map(({ id }) => [
      id,
      Array.from({ length: roomsOfEach }, (_, index) => ({
        id: id * 100 + index + 1,
        number: `R${id}-${index + 1}`,
        taken: new Set<string>(),
      })),
    ]),
  );

  function freeRooms(id: number, from: string, to: string) {
    const nights = nightsBetween(from, to);
    return (rooms.get(id) ?? []).filter(({ taken }) => !nights.some((day) => taken.has(day)));
  }

  return {
    roomsOf: (id: number): readonly QloRoom[] => rooms.get(id) ?? [],
    freeRooms: (id: number, from: string, to: string): readonly QloRoom[] => freeRooms(id, from, to),
    /** When no room is free all the time, each night goes to a room that is free in it. */
    book(id: number, from: string, to: string): void {
      const room = freeRooms(id, from, to)[0];
      for (const day of nightsBetween(from, to)) {
        (room ?? freeRooms(id, day, addDays(day, 1))[0])?.taken.add(day);
      }
    },
  };
}

export type RoomPlan = ReturnType<typeof createRoomPlan>;
