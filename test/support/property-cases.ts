import fc from 'fast-check';
import { TEST_NODES } from './per-node.ts';

/**
 * Loaded before test files with properties. What is on main passes or fails the same way everywhere, so the cases of a run
 * are fixed; `STAYWIRE_TEST_SEED` explores others, and a failing property prints what repeats it. `STAYWIRE_TEST_CASES`
 * draws more cases, other ones than the usual.
 */
const FIXED_SEED = 20_261_101;
const USUAL_CASES = 50;

const cases = wholeNumber('STAYWIRE_TEST_CASES') ?? USUAL_CASES;
const isLong = cases > USUAL_CASES;
const isRandom = process.env.STAYWIRE_TEST_SEED === 'random';

fc.configureGlobal({
  numRuns: cases,
  ...(isRandom ? {} : { seed: wholeNumber('STAYWIRE_TEST_SEED') ?? FIXED_SEED + Number(isLong) }),
});

/** For a property whose cases are dear, or that needs more to see what it must: a long run scales it like the others. */
export function scaledCases(usually: number): number {
  return Math.ceil((usually * cases) / USUAL_CASES);
}

/** Over several nodes fewer, because each request asks servers several times. */
export function casesOverNodes(usually: number): number {
  return Math.ceil(scaledCases(usually) / (TEST_NODES > 1 ? 4 : 1));
}

function wholeNumber(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isInteger(number)) throw new Error(`${name} is a whole number, not "${text}"`);
  return number;
}
