import type { PropertyId } from '../inventory/catalogue.ts';
import type { RequestedStay } from '../inventory/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

export type RecentRefusal = {
  readonly stay: RequestedStay;
  readonly reason: UnavailableReason;
  /** Whether nobody can have these nights together; else it is a rule, which says nothing of another stay or party. */
  readonly isTaken: boolean;
};

export type RulesAgainst = ReadonlyMap<PropertyId, UnavailableReason>;

/** Which homes were refused for a stay, without a look at all the others. */
export type HomesByRefusal = {
  add(property: PropertyId, refusal: RecentRefusal): void;
  remove(property: PropertyId, refusal: RecentRefusal): void;
  /** By which rule homes were refused for this very stay to a party of this size. Taken nights are withdrawn from the index instead. */
  rulesAgainst(stay: RequestedStay): RulesAgainst;
  /**
   * Homes that are gone, were refused for this stay, or for one that shares a night with it and is taken. Their calendars were wrong
   * about those nights, and which of them is taken is not known: so nobody is sent there, though whoever asks for it is served.
   */
  inDoubt(stay: RequestedStay): ReadonlySet<PropertyId>;
  clear(): void;
};

type Night = RequestedStay['checkIn'];

const NO_RULES: RulesAgainst = new Map();

export function createHomesByRefusal(): HomesByRefusal {
  const rulesByStay = new Map<string, Map<PropertyId, UnavailableReason>>();
  const takenByNight = createHomeCounts<Night>();
  const gone = createHomeCounts<'anytime'>();

  return {
    add(property, { stay, reason, isTaken }) {
      if (isTaken) for (const night of nightsOf(stay)) takenByNight.add(night, property);
      else {
        const rules = rulesByStay.get(keyOf(stay)) ?? new Map<PropertyId, UnavailableReason>();
        rulesByStay.set(keyOf(stay), rules.set(property, reason));
      }
      if (reason === 'unknown_property') gone.add('anytime', property);
    },
    remove(property, { stay, reason, isTaken }) {
      if (isTaken) for (const night of nightsOf(stay)) takenByNight.remove(night, property);
      else {
        const rules = rulesByStay.get(keyOf(stay));
        rules?.delete(property);
        if (rules?.size === 0) rulesByStay.delete(keyOf(stay));
      }
      if (reason === 'unknown_property') gone.remove('anytime', property);
    },
    rulesAgainst: (stay) => rulesByStay.get(keyOf(stay)) ?? NO_RULES,
    inDoubt(stay) {
      const homes = new Set(rulesByStay.get(keyOf(stay))?.keys());
      for (const property of gone.of('anytime')) homes.add(property);
      for (const night of nightsOf(stay)) for (const property of takenByNight.of(night)) homes.add(property);
      return homes;
    },
    clear() {
      rulesByStay.clear();
      takenByNight.clear();
      gone.clear();
    },
  };
}

/** Homes under a key, each for as long as it was added more often than removed. */
function createHomeCounts<Key>() {
  const countsByKey = new Map<Key, Map<PropertyId, number>>();
  return {
    add(key: Key, property: PropertyId): void {
      const counts = countsByKey.get(key) ?? new Map<PropertyId, number>();
      countsByKey.set(key, counts.set(property, (counts.get(property) ?? 0) + 1));
    },
    remove(key: Key, property: PropertyId): void {
      const counts = countsByKey.get(key);
      const count = counts?.get(property) ?? 0;
      if (count > 1) counts?.set(property, count - 1);
      else counts?.delete(property);
      if (counts?.size === 0) countsByKey.delete(key);
    },
    of: (key: Key): Iterable<PropertyId> => countsByKey.get(key)?.keys() ?? [],
    clear: () => countsByKey.clear(),
  };
}

function keyOf({ checkIn, checkOut, guests }: RequestedStay): string {
  return `${checkIn} ${checkOut} ${guests}`;
}

function* nightsOf({ checkIn, checkOut }: RequestedStay): Generator<Night> {
  for (let night = checkIn; night < checkOut; night += 1) yield night;
}
