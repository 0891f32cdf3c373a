import { type AvailabilityIndex, NO_CANDIDATES } from '../availability/availability-index.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { CompleteCriteria, RequestedStay } from '../catalogue/stay-criteria.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import { formatDay } from '../stay/day.ts';
import type { Correction } from './refusal.ts';

/** Two weeks to either side. */
const MAX_DAYS_AWAY = 14;

/** Why operators declined homes, and how many for each reason; the most frequent first. */
export type RefusedHomes = readonly { readonly reason: UnavailableReason; readonly homes: number }[];

/** For each field: other values with which a home is on offer, nearest first. */
export type Alternatives = Readonly<Partial<Record<AlternativeField, readonly Alternative[]>>>;

export type AlternativeField = 'check_in_day' | 'check_out' | 'guests';

/** The values to supply together: a new arrival comes with a departure after as many nights. */
type Alternative = readonly [Correction, ...Correction[]];

/** Homes of the brand, or of any brand, that must not be suggested for this stay. */
export type HomesInDoubt = (stay: RequestedStay, brand: BrandId | null) => readonly PropertyId[];

/** A nearby stay to try, and the values to supply for it. */
type Idea = { readonly stay: RequestedStay; readonly way: Alternative };

/** Bookable stays near the requested one, for when operators declined every match. */
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
  const alternativesAmong = (list: readonly Idea[]) =>
    list
      .filter(({ stay }) => bookable.has(stay))
      .slice(0, MAX_SUGGESTIONS)
      .map(({ way }) => way);
  return Object.fromEntries(Object.entries(ideas).map(([field, list]) => [field, alternativesAmong(list)]));
}

/** Stays to try for each field whose change may help, nearest first. */
function ideasNear(
  { checkIn, checkOut, guests }: CompleteCriteria,
  refused: RefusedHomes,
): Readonly<Partial<Record<AlternativeField, readonly Idea[]>>> {
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

/** The field to change first, by the operators' reasons. */
export function fieldToChangeFirst(refused: RefusedHomes): AlternativeField {
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

/**
 * Why operators declined matching homes a moment ago, one reason per home. The index counts matches without naming them, so the homes of
 * each reason are counted separately.
 */
export function reasonsAmongMatches({
  index,
  criteria,
  now,
  rules,
  others,
}: {
  readonly index: Pick<AvailabilityIndex, 'matches'>;
  readonly criteria: CompleteCriteria;
  readonly now: number;
  readonly rules: ReadonlyMap<PropertyId, UnavailableReason>;
  /** How many other homes match. */
  readonly others: number;
}): readonly UnavailableReason[] {
  return [...new Set(rules.values())].flatMap((reason) => {
    const without = [...rules.keys()].filter((id) => rules.get(id) !== reason);
    const { total } = index.matches(criteria, now, { ...NO_CANDIDATES, without });
    return Array.from({ length: total - others }, () => reason);
  });
}
