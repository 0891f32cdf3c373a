import { type Day, formatDay } from '../../src/stay/day.ts';
import { BRANDS } from '../brands.ts';
import { CITIES } from '../cities.ts';
import { otherNamesOf } from '../places.ts';
import { type Seeded, seededBy, weighted } from '../seeded.ts';
import { BEHAVIOURS, type Behaviour, type Field } from './behaviour.ts';

/** The stay that one traveller wants, and the assistant that searches for it. */
export type TravellerDemand = {
  readonly behaviour: Behaviour;
  /** The brand that opens the session, and whether the search is locked to it; null for a direct session. */
  readonly entry: { readonly source: string; readonly isLocked: boolean } | null;
  /** The wanted city, also where its name is misspelt; null where it is not on the network. */
  readonly city: string | null;
  readonly values: Readonly<Record<Field, string>>;
  /** Wanted amenities, the most wanted first. */
  readonly amenities: readonly string[];
};

/** How often travellers ask for a city; others are asked for rarely. */
const POPULARITY: Readonly<Record<string, number>> = {
  'lisbon-pt': 18,
  'barcelona-es': 12,
  'paris-fr': 11,
  'london-gb': 10,
  'rome-it': 8,
  'tokyo-jp': 7,
  'new-york-us': 7,
  'copenhagen-dk': 6,
  'porto-pt': 6,
  'florence-it': 5,
  'kyoto-jp': 5,
  'edinburgh-gb': 5,
  'nice-fr': 4,
  'sydney-au': 4,
};
const AREAS_ASKED_FOR = ['Portugal', 'Tuscany', 'Italy', 'French Riviera', 'Catalonia', 'Scotland', 'Japan'];
const NOT_ON_THE_NETWORK: readonly (readonly [string, number])[] = [
  ['Amsterdam', 9],
  ['Madeira', 8],
  ['Reykjavik', 7],
  ['Prague', 6],
  ['Bali', 6],
  ['Santorini', 5],
  ['Dubrovnik', 4],
  ['Berlin', 4],
  ['Venice', 4],
  ['Marrakesh', 3],
  ['Vienna', 3],
  ['Lake Como', 3],
  ['Cape Town', 2],
  ['Madrid', 2],
  ['Krakow', 1],
  ['Valletta', 1],
];
const CITY_WEIGHTS = CITIES.map((city) => [city, POPULARITY[city.id] ?? 2] as const);
const BEHAVIOUR_WEIGHTS = BEHAVIOURS.map((behaviour) => [behaviour, behaviour.share] as const);
const ENTERS_THROUGH_A_BRAND = 0.15;

/** Days from today to the arrival, as ranges: mostly some weeks or months. The last is too far ahead to book. */
const LEAD_DAYS: readonly (readonly [readonly [number, number], number])[] = [
  [[0, 3], 6],
  [[4, 14], 16],
  [[15, 45], 27],
  [[46, 120], 30],
  [[121, 270], 16],
  [[271, 500], 4],
  [[560, 700], 1],
];
/** January to December. */
const SEASON = [0.45, 0.5, 0.6, 0.75, 0.85, 0.95, 1, 1, 0.85, 0.7, 0.45, 0.75];
const NIGHTS: readonly (readonly [number, number])[] = [
  [1, 7],
  [2, 21],
  [3, 20],
  [4, 14],
  [5, 9],
  [6, 4],
  [7, 16],
  [10, 4],
  [14, 4],
  [28, 1],
];
const PARTIES: readonly (readonly [number, number])[] = [
  [1, 13],
  [2, 52],
  [3, 13],
  [4, 17],
  [5, 5],
];
const GROUPS: readonly (readonly [number, number])[] = [
  [5, 26],
  [6, 26],
  [7, 12],
  [8, 16],
  [10, 8],
  [12, 5],
  [16, 4],
  [24, 3],
];
const AMENITIES: readonly (readonly [string, number])[] = [
  ['wifi', 14],
  ['kitchen', 12],
  ['air_conditioning', 11],
  ['washing_machine', 9],
  ['parking', 9],
  ['pool', 8],
  ['terrace', 7],
  ['pets_allowed', 7],
  ['balcony', 6],
  ['workspace', 6],
  ['sea_view', 5],
  ['step_free', 3],
  ['cot', 3],
];
const FRIDAY = 5;

/** The same for the same seed, number and day. */
export function demandOf(seed: string, number: number, today: Day): TravellerDemand {
  const seeded = seededBy(`${seed} wish ${number}`);
  const behaviour = weighted(seeded, BEHAVIOUR_WEIGHTS);
  const { destination, city } = placeOf(seeded, behaviour);
  const nights = weighted(seeded, NIGHTS);
  const checkIn = arrivalOf(seeded, today, nights);
  const isGroup = seeded.chance(behaviour.comesAsGroup);
  return {
    behaviour,
    entry: entryOf(seeded, city),
    city,
    values: {
      destination,
      check_in_month: formatDay(checkIn).slice(0, 7),
      check_in_day: formatDay(checkIn),
      check_out: formatDay(checkIn + nights),
      guests: String(weighted(seeded, isGroup ? GROUPS : PARTIES)),
    },
    amenities: [weighted(seeded, AMENITIES), weighted(seeded, AMENITIES)],
  };
}

/** The city is null where it is not on the network. */
function placeOf(seeded: Seeded, behaviour: Behaviour): { destination: string; city: string | null } {
  if (seeded.chance(behaviour.asksElsewhere)) {
    return { destination: weighted(seeded, NOT_ON_THE_NETWORK), city: null };
  }
  if (seeded.chance(0.06)) return { destination: seeded.pick(AREAS_ASKED_FOR), city: null };
  const { id, name } = weighted(seeded, CITY_WEIGHTS);
  if (seeded.chance(behaviour.misspells)) return { destination: misspelt(name, seeded), city: id };
  const names = [name, name, name, id, ...otherNamesOf(id).slice(0, 2)];
  return { destination: seeded.pick(names), city: id };
}

/** Drops a letter or swaps two, but never the first. */
function misspelt(name: string, seeded: Seeded): string {
  const at = seeded.integer(1, name.length - 2);
  const [before, first, second, after] = [
    name.slice(0, at),
    name[at] ?? '',
    name[at + 1] ?? '',
    name.slice(at + 2),
  ];
  return seeded.chance(0.5) ? `${before}${second}${after}` : `${before}${second}${first}${after}`;
}

/** More often in season, and for a short stay mostly on a Friday. */
function arrivalOf(seeded: Seeded, today: Day, nights: number): Day {
  for (;;) {
    const [from, to] = weighted(seeded, LEAD_DAYS);
    const day = today + seeded.integer(from, to);
    if (!seeded.chance(SEASON[new Date(day * 86_400_000).getUTCMonth()] ?? 1)) continue;
    if (nights > 3 || !seeded.chance(0.7)) return day;
    return day + ((FRIDAY - weekday(day) + 7) % 7);
  }
}

/** 0 for Sunday. */
function weekday(day: Day): number {
  return new Date(day * 86_400_000).getUTCDay();
}

function entryOf(seeded: Seeded, city: string | null): TravellerDemand['entry'] {
  if (!seeded.chance(ENTERS_THROUGH_A_BRAND)) return null;
  const there = BRANDS.filter(({ propertyCounts }) => city === null || city in propertyCounts);
  const { source } = seeded.pick(there.length > 0 ? there : BRANDS);
  return { source, isLocked: seeded.chance(0.7) };
}
