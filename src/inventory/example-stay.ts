import { formatDay } from '../stay/day.ts';
import type { Network, PlaceId } from './catalogue.ts';

/** Shown to callers, who may try it as it is. */
export type ExampleStay = {
  readonly place: PlaceId;
  readonly checkIn: string;
  readonly checkOut: string;
};

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 30;
const NIGHTS = 3;

/** In a city of the network, near enough that some home is likely to be free. */
export function exampleStay(network: Network, now: number, daysAhead = DAYS_AHEAD): ExampleStay {
  const places = [...network.places.values()];
  const place = places.find(({ kind }) => kind === 'city') ?? places[0];
  const arrival = Math.floor(now / DAY_MS) + daysAhead;
  return {
    place: place?.id ?? '',
    checkIn: formatDay(arrival),
    checkOut: formatDay(arrival + NIGHTS),
  };
}
