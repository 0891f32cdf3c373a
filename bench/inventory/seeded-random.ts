/** Numbers that depend on the seed and the name of the stream alone. */
export type SeededRandom = {
  /** From 0 up to, but not including, 1. */
  share(): number;
  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** True in so many of a hundred cases. */
  percent(chance: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
  /** Each value as often as its weight says. */
  weighted(table: WeightedValues): number;
};

export type WeightedValues = { readonly values: readonly number[]; readonly upTo: readonly number[] };

/** `[value, weight]` for each value; the weights may have any sum. */
export function weightedValues(weights: readonly (readonly [number, number])[]): WeightedValues {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  let sum = 0;
  const upTo = weights.map(([, weight]) => {
    sum += weight;
    return sum / total;
  });
  return { values: weights.map(([value]) => value), upTo };
}

/**
 * A counter that is scrambled by two multiplications: a stream costs nothing to begin, so that every home has one of its
 * own and can be made without those before it.
 */
export function createSeededRandom(seed: number, ...stream: readonly number[]): SeededRandom {
  let state = stream.reduce((mixed, part) => scramble(mixed ^ scramble(part + 0x9e3779b9)), scramble(seed));
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    return (scramble(state) >>> 0) / 2 ** 32;
  };
  return {
    share,
    below: (limit) => Math.floor(share() * limit),
    percent: (chance) => share() * 100 < chance,
    pick<Item>(list: readonly Item[]): Item {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[Math.floor(share() * list.length)] as Item;
    },
    weighted({ values, upTo }) {
      const at = share();
      let position = 0;
      while (position < values.length - 1 && (upTo[position] ?? 1) <= at) position += 1;
      return values[position] ?? 0;
    },
  };
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
