import { isDeepStrictEqual } from 'node:util';
import { parseDay } from '../../../src/stay/day.ts';
import { toDecimal } from '../../../src/stay/money.ts';
import type { EmulatedAnswer, EmulatedRequest } from '../exchange.ts';
import { addDays, type EmulatedHome, nightsBetween } from '../homes.ts';
import type { EmulatedWorld } from '../world.ts';
import { beds24Failure, beds24Page } from './envelope.ts';
import { propertyIdOf, roomIdOf, roomsAskedFor } from './properties.ts';

/** By day, whether it is a day to check in; the last day is the last night. */
export function beds24Availability(
  request: EmulatedRequest,
  world: EmulatedWorld,
  pageSize: number,
): EmulatedAnswer {
  const days = daysAskedFor(request);
  if (!days) return beds24Failure(400, 'startDate or endDate is not valid');
  const describe = (home: EmulatedHome) => ({
    roomId: roomIdOf(home.id),
    propertyId: propertyIdOf(home.id),
    name: home.name,
    availability: Object.fromEntries(
      days.map((day) => [day, !world.isTaken(home.id, day) && !home.closedToArrival(day)]),
    ),
  });
  return beds24Page(request, {
    type: 'availability',
    homes: roomsAskedFor(request, world),
    pageSize,
    describe,
  });
}

/** Spans of days that are alike in all that was asked for; nothing comes without an include. */
export function beds24Calendar(
  request: EmulatedRequest,
  world: EmulatedWorld,
  pageSize: number,
): EmulatedAnswer {
  const days = daysAskedFor(request);
  if (!days) return beds24Failure(400, 'startDate and endDate are required');
  const describe = (home: EmulatedHome) => ({
    propertyId: propertyIdOf(home.id),
    roomId: roomIdOf(home.id),
    calendar: spansOf(days, (day) => dayOf(day, home, world, request.query)),
  });
  return beds24Page(request, { type: 'calendar', homes: roomsAskedFor(request, world), pageSize, describe });
}

function daysAskedFor({ query }: EmulatedRequest): string[] | undefined {
  const start = query.get('startDate') ?? '';
  const end = query.get('endDate') ?? '';
  if (parseDay(start) === undefined || parseDay(end) === undefined || end < start) return undefined;
  return nightsBetween(start, addDays(end, 1));
}

function dayOf(day: string, home: EmulatedHome, world: EmulatedWorld, query: URLSearchParams): object {
  const asked = (name: string) => query.get(`include${name}`) === 'true';
  return {
    ...(asked('NumAvail') ? { numAvail: world.isTaken(home.id, day) ? 0 : 1 } : {}),
    ...(asked('MinStay') ? { minStay: home.minimumStay(day) } : {}),
    ...(asked('MaxStay') && home.maximumStay !== null ? { maxStay: home.maximumStay } : {}),
    ...(asked('Multiplier') ? { multiplier: 1 } : {}),
    ...(asked('Override') ? { override: overrideOf(day, home) } : {}),
    ...(asked('Prices') ? { price1: toDecimal(home.nightlyPrice(day), home.currency) } : {}),
  };
}

function overrideOf(day: string, home: EmulatedHome): string {
  const noArrival = home.closedToArrival(day);
  const noDeparture = home.closedToDeparture(day);
  if (noArrival && noDeparture) return 'noCheckInOrCheckOut';
  if (noArrival) return 'noCheckIn';
  return noDeparture ? 'noCheckOut' : 'none';
}

function spansOf(days: readonly string[], valuesOf: (day: string) => object): object[] {
  const spans: { readonly from: string; to: string; readonly values: object }[] = [];
  for (const day of days) {
    const values = valuesOf(day);
    const last = spans.at(-1);
    if (Object.keys(values).length === 0) continue;
    if (last && isDeepStrictEqual(last.values, values)) last.to = day;
    else spans.push({ from: day, to: day, values });
  }
  return spans.map(({ from, to, values }) => ({ from, to, ...values }));
}
