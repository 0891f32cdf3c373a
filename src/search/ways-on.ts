import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { AvailabilityIndex, Candidate } from '../inventory/availability-index/availability-index.ts';
import type { CompleteCriteria, RequestedStay } from '../inventory/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import { formatDay } from '../stay/day.ts';
import type { Correction } from './refusal.ts';

/** Two weeks to either side. */
const MAX_DAYS_AWAY = 14;

/** Why homes were refused, and how many for each reason; the most frequent first. */
export type RefusedHomes = readonly { readonly reason: UnavailableReason; readonly homes: number }[];

/** For a field of the search: other values nearby with which a home is on offer, nearest first. */
export type WaysOn = Readonly<Partial<Record<WayField, readonly WayOn[]>>>;

export type WayField = 'check_in_day' | 'check_out' | 'guests';

/** What to supply together: an arrival comes with a departure after as many nights. */
export type WayOn = readonly [Correction, ...Correction[]];

export type RuleAgainst = (candidate: Candidate, stay: RequestedStay) => UnavailableReason | undefined;

/** What else can be had when every home that matched was refused. */
export function waysOnFrom({
  criteria,
  refused,
  index,
  ruleAgainst,
  now,
}: {
  readonly criteria: CompleteCriteria;
  readonly refused: RefusedHomes;
  readonly index: AvailabilityIndex;
  readonly ruleAgainst: RuleAgainst;
  readonly now: number;
}): WaysOn {
  const { checkIn, checkOut, guests } = criteria;
  const isOnlyBy = isOnlyFor(refused);

  function canBeHad(stay: Partial<RequestedStay>): boolean {
    const other = { ...criteria, checkInMonth: null, ...stay };
    const isFree = (candidate: Candidate) => ruleAgainst(candidate, other) === undefined;
    // Listing all candidates takes longer than finding out that there is none.
    return index.hasMatch(other, now) && index.candidates(other, now).some(isFree);
  }

  function stays(): readonly WayOn[] {
    const found: WayOn[] = [];
    for (let away = 1; away <= MAX_DAYS_AWAY && found.length < MAX_SUGGESTIONS; away += 1) {
      for (const days of [away, -away]) {
        const moved = { checkIn: checkIn + days, checkOut: checkOut + days };
        if (found.length < MAX_SUGGESTIONS && canBeHad(moved)) {
          found.push([supplied('check_in_day', moved.checkIn), supplied('check_out', moved.checkOut)]);
        }
      }
    }
    return found;
  }

  function departures(): readonly WayOn[] {
    const isWorthTrying = (day: number) =>
      day !== checkOut &&
      !(isOnlyBy('minimum_stay') && day < checkOut) &&
      !(isOnlyBy('maximum_stay') && day > checkOut);
    return index
      .checkOutDays({ ...criteria, checkOut: null }, now)
      .filter((day) => Math.abs(day - checkOut) <= MAX_DAYS_AWAY && isWorthTrying(day))
      .toSorted((one, other) => Math.abs(one - checkOut) - Math.abs(other - checkOut))
      .filter((day) => canBeHad({ checkOut: day }))
      .slice(0, MAX_SUGGESTIONS)
      .map((day) => [supplied('check_out', day)]);
  }

  function smallerParties(): readonly WayOn[] {
    return Array.from({ length: guests - 1 }, (_, fewer) => guests - 1 - fewer)
      .filter((party) => canBeHad({ guests: party }))
      .slice(0, MAX_SUGGESTIONS)
      .map((party) => [{ field: 'guests', value: String(party) }]);
  }

  return {
    ...(isOnlyBy('too_many_guests') ? {} : { check_in_day: stays(), check_out: departures() }),
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
