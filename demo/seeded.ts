/** Seeded random numbers: the same words always give the same sequence, so the demo network is the same on every machine. */
export type Seeded = {
  /** At least 0, less than 1. */
  fraction(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** The same members in another order. */
  shuffled<T>(members: readonly T[]): T[];
};

export function seededBy(words: string): Seeded {
  let state = hashOf(words);
  // mulberry32: short, and good enough for a demo.
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1));
  return Object.freeze({
    fraction,
    integer,
    chance: (probability: number) => fraction() < probability,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[integer(0, choices.length - 1)];
      if (choice === undefined) throw new RangeError('nothing to pick from');
      return choice;
    },
    shuffled<T>(members: readonly T[]): T[] {
      return members
        .map((member) => ({ member, order: fraction() }))
        .sort((one, other) => one.order - other.order)
        .map(({ member }) => member);
    },
  });
}

/** FNV-1a over the characters. */
function hashOf(words: string): number {
  let hash = 0x811c9dc5;
  for (const character of words) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}

/** One of the choices, each in proportion to its weight. */
export function weighted<Choice>(seeded: Seeded, choices: readonly (readonly [Choice, number])[]): Choice {
  const sum = choices.reduce((total, [, weight]) => total + weight, 0);
  let rest = seeded.fraction() * sum;
  for (const [choice, weight] of choices) {
    rest -= weight;
    if (rest < 0) return choice;
  }
  const last = choices.at(-1);
  if (!last) throw new RangeError('nothing to choose from');
  return last[0];
}
