import type { RefusedNights } from '../availability/availability-index.ts';
import type { PropertyId } from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import type { Clock } from '../clock.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

/** Per property, so that a client that tries stay after stay cannot fill the memory. The oldest is dropped first. */
const MAX_PER_HOME = 100;
/** Per brand. An empty search scans all of them for each of some 60 nearby stays: this many take about 20 ms. */
const MAX_PER_BRAND = 2000;
const NO_RULES: RulesAgainst = new Map();

/** Whether the reason means that these nights are taken for every party. The other reasons are rules of one stay and party. */
const MEANS_TAKEN = {
  booked: true,
  unknown_property: true,
  minimum_stay: false,
  maximum_stay: false,
  closed_to_arrival: false,
  closed_to_departure: false,
  lead_time: false,
  too_many_guests: false,
  not_offered: false,
} as const satisfies Record<UnavailableReason, boolean>;

export type RulesAgainst = ReadonlyMap<PropertyId, UnavailableReason>;

export type Refusals = ReturnType<typeof createRefusals>;

type StoredRefusal = {
  readonly property: PropertyId;
  readonly stay: RequestedStay;
  readonly reason: UnavailableReason;
  readonly isTaken: boolean;
  readonly at: number;
  readonly cancelEnd: () => void;
};

/**
 * Many booking systems publish a calendar that lags behind their own quotes. For `memoryMs` a refusal outweighs the calendar; otherwise
 * travellers would be offered the same stay again. After that the calendar counts again.
 */
export function createRefusals({
  clock,
  memoryMs,
  maxRefusals = MAX_PER_BRAND,
  onTakenChange,
}: {
  readonly clock: Clock;
  readonly memoryMs: number;
  readonly maxRefusals?: number;
  /** Called with the nights that are taken now. */
  readonly onTakenChange: (property: PropertyId, taken: readonly RefusedNights[]) => void;
}) {
  const refusalsByHome = new Map<PropertyId, readonly StoredRefusal[]>();
  /** All of them, in order of arrival. */
  const inOrder = new Set<StoredRefusal>();
  const rulesByStay = new Map<string, Map<PropertyId, UnavailableReason>>();
  let isStopped = false;

  const refusalsOf = (property: PropertyId) => refusalsByHome.get(property) ?? [];
  /** The stays that were refused because they are taken. */
  const takenNights = (property: PropertyId): readonly RefusedNights[] =>
    refusalsOf(property)
      .filter(({ isTaken }) => isTaken)
      .map(({ stay }) => ({ from: stay.checkIn, to: stay.checkOut }));

  function replace(property: PropertyId, refusals: readonly StoredRefusal[]): void {
    const before = takenNights(property);
    if (refusals.length > 0) refusalsByHome.set(property, refusals);
    else refusalsByHome.delete(property);
    const taken = takenNights(property);
    if (before.length > 0 || taken.length > 0) onTakenChange(property, taken);
  }

  function drop(refusal: StoredRefusal): void {
    refusal.cancelEnd();
    inOrder.delete(refusal);
    if (refusal.isTaken) return;
    const rules = rulesByStay.get(keyOf(refusal.stay));
    rules?.delete(refusal.property);
    if (rules?.size === 0) rulesByStay.delete(keyOf(refusal.stay));
  }

  function forget(refusal: StoredRefusal): void {
    drop(refusal);
    const { property } = refusal;
    replace(
      property,
      refusalsOf(property).filter((one) => one !== refusal),
    );
  }

  return {
    /** The operator refused this stay, `ageMs` ago. */
    add(property: PropertyId, stay: RequestedStay, reason: UnavailableReason, ageMs = 0): void {
      if (isStopped || ageMs >= memoryMs) return;
      const at = clock.elapsed() - ageMs;
      const isTaken = MEANS_TAKEN[reason];
      const before = refusalsOf(property);
      const same = before.filter((one) => isEquivalent(one, { stay, isTaken }));
      // A late report: the same stay was refused again since.
      if (same.some((one) => one.at > at)) return;
      const cancelEnd = clock.after(memoryMs - ageMs, () => forget(refusal));
      const refusal: StoredRefusal = { property, stay, reason, isTaken, at, cancelEnd };
      const others = before.filter((one) => !same.includes(one));
      const remaining = [...others, refusal].slice(-MAX_PER_HOME);
      for (const one of before) {
        if (!remaining.includes(one)) drop(one);
      }
      inOrder.add(refusal);
      if (!isTaken) {
        const rules = rulesByStay.get(keyOf(stay)) ?? new Map<PropertyId, UnavailableReason>();
        rulesByStay.set(keyOf(stay), rules.set(property, reason));
      }
      replace(property, remaining);
      const [oldest] = inOrder.size > maxRefusals ? inOrder : [];
      if (oldest) forget(oldest);
    },
    /** When each home with a stored refusal was last refused, in elapsed time. */
    lastRefusedAt: (): ReadonlyMap<PropertyId, number> =>
      new Map(
        [...refusalsByHome].map(([property, refusals]) => [
          property,
          Math.max(...refusals.map(({ at }) => at)),
        ]),
      ),
    /** The rule by which homes were refused for exactly this stay and party. Taken nights are withdrawn from the index instead. */
    rulesAgainst: (stay: RequestedStay): RulesAgainst => rulesByStay.get(keyOf(stay)) ?? NO_RULES,
    /**
     * Homes that are gone, or were refused for this stay or as taken for one that shares a night with it. Their calendars were wrong about
     * those nights, and it is unknown which one is taken: suggestions leave these homes out, but a search for the stay asks them.
     */
    inDoubt(stay: RequestedStay): ReadonlySet<PropertyId> {
      const homes = new Set<PropertyId>();
      for (const refusal of inOrder) if (castsDoubtOn(stay, refusal)) homes.add(refusal.property);
      return homes;
    },
    takenNights,
    /** Drops all refusals and accepts no more. */
    stop(): void {
      isStopped = true;
      for (const { cancelEnd } of inOrder) cancelEnd();
      inOrder.clear();
      refusalsByHome.clear();
      rulesByStay.clear();
    },
  };
}

/** For taken nights the party does not matter. */
function isEquivalent(one: StoredRefusal, other: Pick<StoredRefusal, 'stay' | 'isTaken'>): boolean {
  if (one.isTaken !== other.isTaken) return false;
  return isForStay(one, one.isTaken ? { ...other.stay, guests: one.stay.guests } : other.stay);
}

function castsDoubtOn(asked: RequestedStay, refusal: StoredRefusal): boolean {
  const { stay, reason, isTaken } = refusal;
  if (reason === 'unknown_property') return true;
  return isTaken ? stay.checkIn < asked.checkOut && asked.checkIn < stay.checkOut : isForStay(refusal, asked);
}

function keyOf({ checkIn, checkOut, guests, ...forgotten }: RequestedStay): string {
  // A new member does not compile until it is part of the key, here and in `isForStay`.
  forgotten satisfies Record<string, never>;
  return `${checkIn} ${checkOut} ${guests}`;
}

function isForStay({ stay }: StoredRefusal, { checkIn, checkOut, guests }: RequestedStay): boolean {
  return stay.checkIn === checkIn && stay.checkOut === checkOut && stay.guests === guests;
}
