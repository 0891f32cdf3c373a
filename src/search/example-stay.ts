import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { Network, PlaceId } from '../catalogue/catalogue.ts';
import { ANY_STAY, type StayCriteria } from '../catalogue/stay-criteria.ts';
import { EXAMPLE_GUESTS, type ExampleStay } from '../contract/whole-stay.ts';
import { type Day, formatDay } from '../stay/day.ts';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 30;
const NIGHTS = 3;

/** In a city of the network, soon enough that some home is probably free. */
export function exampleStay(network: Network, now: number, daysAhead = DAYS_AHEAD): ExampleStay {
  return stayIn(usualPlace(network), arrivalDay(now, daysAhead));
}

/** Finds a stay on offer now; `onlyPlace` for a session that asks for no destination. */
export type FindExampleStay = (now: number, onlyPlace: PlaceId | null) => ExampleStay;

/** The usual example while some home is free for it, so that it rarely changes; else the first stay on offer. */
export function createFindExampleStay(network: Network, index: AvailabilityIndex): FindExampleStay {
  return (now, onlyPlace) => {
    const place = onlyPlace ?? usualPlace(network);
    const checkIn = arrivalDay(now, DAYS_AHEAD);
    const usual: StayCriteria = {
      ...ANY_STAY,
      place,
      checkIn,
      checkOut: checkIn + NIGHTS,
      guests: EXAMPLE_GUESTS,
    };
    const isFree = index.hasMatch(usual, now);
    return (isFree ? undefined : firstStay(network, index, onlyPlace, now)) ?? stayIn(place, checkIn);
  };
}

/** Undefined while nothing is on offer. */
function firstStay(
  { places }: Network,
  index: AvailabilityIndex,
  onlyPlace: PlaceId | null,
  now: number,
): ExampleStay | undefined {
  const anywhere: StayCriteria = { ...ANY_STAY, guests: EXAMPLE_GUESTS };
  const offered = index.destinations(anywhere, now).map(({ place }) => place);
  const place = onlyPlace ?? offered.find((one) => places.get(one)?.kind === 'city') ?? offered[0];
  if (place === undefined) return undefined;
  const [checkInMonth] = index.checkInMonths({ ...anywhere, place }, now);
  if (checkInMonth === undefined) return undefined;
  const [checkIn] = index.checkInDays({ ...anywhere, place, checkInMonth }, now);
  if (checkIn === undefined) return undefined;
  const [checkOut] = index.checkOutDays({ ...anywhere, place, checkInMonth, checkIn }, now);
  return checkOut === undefined ? undefined : stayIn(place, checkIn, checkOut);
}

function usualPlace({ places }: Network): PlaceId {
  const all = [...places.values()];
  return (all.find(({ kind }) => kind === 'city') ?? all[0])?.id ?? '';
}

function arrivalDay(now: number, daysAhead: number): Day {
  return Math.floor(now / DAY_MS) + daysAhead;
}

function stayIn(place: PlaceId, checkIn: Day, checkOut: Day = checkIn + NIGHTS): ExampleStay {
  return { place, checkIn: formatDay(checkIn), checkOut: formatDay(checkOut) };
}
