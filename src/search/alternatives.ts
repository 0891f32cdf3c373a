import type { AvailabilityIndex } from '../availability/availability-index.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { CompleteCriteria, RequestedStay } from '../catalogue/stay-criteria.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import { formatDay } from '../stay/day.ts';
import type { Correction } from './refusal.ts';

/** Two weeks to either side. */
const MAX_DAYS_AWAY = 14;

/** Why homes were refused, and how many for each reason; the most frequent first. */
export type RefusedHomes = readonly { readonly reason: UnavailableReason; readonly homes: number }[];

/** For a field of the search: other values nearby with which a home is on offer, nearest first. */
export type Alternatives = Readonly<Partial<Record<WayField, readonly Alternative[]>>>;

export type WayField = 'check_in_day' | 'check_out' | 'guests';

/** What to supply together: an arrival comes with a departure after as many nights. */
export type Alternative = readonly [Correction, ...Correction[]];

/** Homes of the brand, or of any, that nobody is to be sent to for this stay. */
export type HomesInDoubt = (stay: RequestedStay, brand: BrandId | null) => readonly PropertyId[];

/** A stay nearby that may be had, and what to supply for it. */
type Idea = { readonly stay: RequestedStay; readonly way: Alternative };

/** What else can be had when every home that matched was refused. */
export function alternativesFrom({
  criteria,
  refused,
  index,
  inDoubt,
  now,
}: {
  readonly criteria: CompleteCriteria;
  readonly refused: RefusedHomes;
  readonly index: AvailabilityIndex;
  readonly inDoubt: HomesInDoubt;
  readonly now: number;
}): Alternatives {
  const ideas = ideasNear(criteria, refused);
  const stays = Object.values(ideas).flatMap((list) =>
    list.map(({ stay }) => ({ stay, without: inDoubt(stay, criteria.brand) })),
  );
  const bookable = new Set(index.bookableStays(criteria, stays, now));
  const waysAmong = (list: readonly Idea[]) =>
    list
      .filter(({ stay }) => bookable.has(stay))
      .slice(0, MAX_SUGGESTIONS)
      .map(({ way }) => way);
  return Object.fromEntries(Object.entries(ideas).map(([field, list]) => [field, waysAmong(list)]));
}

/** Nearest first, for each field whose change may help. */
function ideasNear(
  { checkIn, checkOut, guests }: CompleteCriteria,
  refused: RefusedHomes,
): Readonly<Partial<Record<WayField, readonly Idea[]>>> {
  const isOnlyBy = isOnlyFor(refused);
  const daysAway = Array.from({ length: MAX_DAYS_AWAY }, (_, position) => position + 1);

  function arrivals(): readonly Idea[] {
    return daysAway
      .flatMap((away) => [away, -away])
      .map((days) => {
        const stay = { checkIn: checkIn + days, checkOut: checkOut + days, guests };
        return { stay, way: [supplied('check_in_day', stay.checkIn), supplied('check_out', stay.checkOut)] };
      });
  }

  function departures(): readonly Idea[] {
    const isWorthTrying = (day: number) =>
      day > checkIn &&
      !(isOnlyBy('minimum_stay') && day < checkOut) &&
      !(isOnlyBy('maximum_stay') && day > checkOut);
    return daysAway
      .flatMap((away) => [checkOut - away, checkOut + away])
      .filter(isWorthTrying)
      .map((day) => ({ stay: { checkIn, checkOut: day, guests }, way: [supplied('check_out', day)] }));
  }

  function smallerParties(): readonly Idea[] {
    return Array.from({ length: guests - 1 }, (_, fewer) => guests - 1 - fewer).map((party) => ({
      stay: { checkIn, checkOut, guests: party },
      way: [{ field: 'guests', value: String(party) }],
    }));
  }

  return {
    ...(isOnlyBy('too_many_guests') ? {} : { check_in_day: arrivals(), check_out: departures() }),
    ...(refused.some(({ reason }) => reason === 'too_many_guests') ? { guests: smallerParties() } : {}),
  };
}

/** The field to change first, by why the homes were refused. */
export function fieldInTheWay(refused: RefusedHomes): WayField {
  const isOnlyBy = isOnlyFor(refused);
  if (isOnlyBy('too_many_guests')) return 'guests';
  return isOnlyBy('minimum_stay') || isOnlyBy('maximum_stay') ? 'check_out' : 'check_in_day';
}

export function countRefused(reasons: readonly UnavailableReason[]): RefusedHomes {
  return Array.from(
    Map.groupBy(reasons, (reason) => reason),
    ([reason, homes]) => ({ reason, homes: homes.length }),
  ).sort((one, other) => other.homes - one.homes || (one.reason < other.reason ? -1 : 1));
}

function isOnlyFor(refused: RefusedHomes): (reason: UnavailableReason) => boolean {
  return (reason) => refused.length > 0 && refused.every((one) => one.reason === reason);
}

function supplied(field: 'check_in_day' | 'check_out', day: number): Correction {
  return { field, value: formatDay(day) };
}
