import { parseDay } from '../../../src/stay/day.ts';
import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { type GuestyShape, wrongParameters } from './refusals.ts';

/** A bare list of days, both ends included. */
export function calendarOf(
  { query }: EmulatedRequest,
  home: EmulatedHome,
  world: EmulatedWorld,
  shape: GuestyShape,
): EmulatedAnswer {
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '';
  if (parseDay(from) === undefined) return wrongParameters(shape, '"from" must be a date');
  if (parseDay(to) === undefined) return wrongParameters(shape, '"to" must be a date');
  const base = home.minimumStay(world.today());
  const statusOf = (day: string) => {
    if (world.isTaken(home.id, day)) return 'booked';
    return day < world.today() ? 'unavailable' : 'available';
  };
  return jsonAnswer(
    200,
    nightsBetween(from, addDays(to, 1)).map((day) => ({
      date: day,
      minNights: home.minimumStay(day),
      isBaseMinNights: home.minimumStay(day) === base,
      status: statusOf(day),
      cta: home.closedToArrival(day),
      ctd: home.closedToDeparture(day),
    })),
  );
}
