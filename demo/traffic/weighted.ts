import type { Seeded } from '../seeded.ts';

/** One of the choices, each as often as its weight says. */
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
