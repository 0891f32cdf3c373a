import type { RefusedNights } from '../availability/availability-index.ts';
import type { PropertyId } from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import type { Clock } from '../clock.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

/** Of one property, so that whoever tries one stay after the other does not fill the memory. The oldest is forgotten first. */
const MAX_REMEMBERED = 100;
/** Of a brand. An empty search looks through all of them for each of some 60 stays nearby: this many take about 20 ms. */
const MAX_REMEMBERED_OF_BRAND = 2000;
const NO_RULES: RulesAgainst = new Map();

/** Whether the reason says that nobody can have these nights together. The others are rules, and tell nothing of another stay or party. */
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

export type Refusals = {
  /** The operator has refused this stay, just now or so long ago. */
  remember(property: PropertyId, stay: RequestedStay, reason: UnavailableReason, ageMs?: number): void;
  /** When each home that has remembered refusals was last refused, in elapsed time. */
  lastRefusedAt(): ReadonlyMap<PropertyId, number>;
  /** The stays that were refused because they are taken. */
  takenNights(property: PropertyId): readonly RefusedNights[];
  /** By which rule homes were refused for this very stay to a party of this size. Taken nights are withdrawn from the index instead. */
  rulesAgainst(stay: RequestedStay): RulesAgainst;
  /**
   * Homes that are gone, were refused for this stay, or for one that shares a night with it and is taken. Their calendars were wrong
   * about those nights, and which of them is taken is not known: no suggestion leads there, but a search for the stay asks them.
   */
  inDoubt(stay: RequestedStay): ReadonlySet<PropertyId>;
  /** Remembers nothing any more. */
  stop(): void;
};

type Remembered = {
  readonly property: PropertyId;
  readonly stay: RequestedStay;
  readonly reason: UnavailableReason;
  readonly isTaken: boolean;
  readonly at: number;
  readonly cancelEnd: () => void;
};

/**
 * Many booking systems publish a calendar that lags behind their own quotes. For `memoryMs` a refusal outweighs the
 * calendar; otherwise travellers would be offered the same stay again. Then the calendar is believed again.
 */
export function createRefusals({
  clock,
  memoryMs,
  maxRemembered = MAX_REMEMBERED_OF_BRAND,
  onTakenChange,
}: {
  readonly clock: Clock;
  readonly memoryMs: number;
  readonly maxRemembered?: number;
  /** Called with what is remembered as taken now. */
  readonly onTakenChange: (property: PropertyId, taken: readonly RefusedNights[]) => void;
}): Refusals {
  const rememberedOf = new Map<PropertyId, readonly Remembered[]>();
  /** All of them, in the order in which they came. */
  const inOrder = new Set<Remembered>();
  const rulesByStay = new Map<string, Map<PropertyId, UnavailableReason>>();
  let isStopped = false;

  const refusalsOf = (property: PropertyId) => rememberedOf.get(property) ?? [];
  const takenNights = (property: PropertyId) =>
    refusalsOf(property)
      .filter(({ isTaken }) => isTaken)
      .map(({ stay }) => ({ from: stay.checkIn, to: stay.checkOut }));

  function replace(property: PropertyId, refusals: readonly Remembered[]): void {
    const before = takenNights(property);
    if (refusals.length > 0) rememberedOf.set(property, refusals);
    else rememberedOf.delete(property);
    const taken = takenNights(property);
    if (before.length > 0 || taken.length > 0) onTakenChange(property, taken);
  }

  function drop(refusal: Remembered): void {
    refusal.cancelEnd();
    inOrder.delete(refusal);
    if (refusal.isTaken) return;
    const rules = rulesByStay.get(keyOf(refusal.stay));
    rules?.delete(refusal.property);
    if (rules?.size === 0) rulesByStay.delete(keyOf(refusal.stay));
  }

  function forget(refusal: Remembered): void {
    drop(refusal);
    const { property } = refusal;
    replace(
      property,
      refusalsOf(property).filter((one) => one !== refusal),
    );
  }

  return {
    remember(property, stay, reason, ageMs = 0) {
      if (isStopped || ageMs >= memoryMs) return;
      const at = clock.elapsed() - ageMs;
      const isTaken = MEANS_TAKEN[reason];
      const before = refusalsOf(property);
      const same = before.filter((one) => saysTheSame(one, { stay, isTaken }));
      // Heard of late, when the same was refused again.
      if (same.some((one) => one.at > at)) return;
      const cancelEnd = clock.after(memoryMs - ageMs, () => forget(refusal));
      const refusal: Remembered = { property, stay, reason, isTaken, at, cancelEnd };
      const others = before.filter((one) => !same.includes(one));
      const kept = [...others, refusal].slice(-MAX_REMEMBERED);
      for (const one of before) {
        if (!kept.includes(one)) drop(one);
      }
      inOrder.add(refusal);
      if (!isTaken) {
        const rules = rulesByStay.get(keyOf(stay)) ?? new Map<PropertyId, UnavailableReason>();
        rulesByStay.set(keyOf(stay), rules.set(property, reason));
      }
      replace(property, kept);
      const [oldest] = inOrder.size > maxRemembered ? inOrder : [];
      if (oldest) forget(oldest);
    },
    lastRefusedAt: () =>
      new Map(
        [...rememberedOf].map(([property, refusals]) => [
          property,
          Math.max(...refusals.map(({ at }) => at)),
        ]),
      ),
    rulesAgainst: (stay) => rulesByStay.get(keyOf(stay)) ?? NO_RULES,
    inDoubt(stay) {
      const homes = new Set<PropertyId>();
      for (const refusal of inOrder) if (castsDoubtOn(stay, refusal)) homes.add(refusal.property);
      return homes;
    },
    takenNights,
    stop() {
      isStopped = true;
      for (const { cancelEnd } of inOrder) cancelEnd();
      inOrder.clear();
      rememberedOf.clear();
      rulesByStay.clear();
    },
  };
}

/** Of taken nights the party does not matter. */
function saysTheSame(one: Remembered, other: Pick<Remembered, 'stay' | 'isTaken'>): boolean {
  if (one.isTaken !== other.isTaken) return false;
  return isForStay(one, one.isTaken ? { ...other.stay, guests: one.stay.guests } : other.stay);
}

function castsDoubtOn(asked: RequestedStay, refusal: Remembered): boolean {
  const { stay, reason, isTaken } = refusal;
  if (reason === 'unknown_property') return true;
  return isTaken ? stay.checkIn < asked.checkOut && asked.checkIn < stay.checkOut : isForStay(refusal, asked);
}

function keyOf({ checkIn, checkOut, guests }: RequestedStay): string {
  return `${checkIn} ${checkOut} ${guests}`;
}

function isForStay({ stay }: Remembered, { checkIn, checkOut, guests }: RequestedStay): boolean {
  return stay.checkIn === checkIn && stay.checkOut === checkOut && stay.guests === guests;
}
