/** Randomness of one input. The same seed, target and index always give the same input. */
export type InputRandom = {
  /** From 0 up to, but not including, the limit. */
  integer(limit: number): number;
  /** True once in so many times. */
  oneIn(times: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
};

export function randomForInput(seed: number, target: string, index: number): InputRandom {
  const next = smallFastCounter(`${seed}/${target}/${index}`);
  const integer = (limit: number) => Math.floor(next() * limit);
  return {
    integer,
    oneIn: (times) => integer(times) === 0,
    pick<Item>(list: readonly Item[]): Item {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[integer(list.length)] as Item;
    },
  };
}

/** The generator sfc32, started with four hashes of a text. Numbers from 0 up to 1. */
function smallFastCounter(text: string): () => number {
  let [a, b, c, counter] = [hash(text, 1), hash(text, 2), hash(text, 3), 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers still resemble the hashes.
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

function hash(text: string, salt: number): number {
  let state = 0x811c9dc5 ^ salt;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
    state ^= state >>> 15;
  }
  return state;
}
