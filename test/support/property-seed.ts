import fc from 'fast-check';

/**
 * Loaded before test files with properties. What is on main passes or fails the same way everywhere, so the cases of a run
 * are fixed; `STAYWIRE_TEST_SEED` explores others, and a failing property prints what repeats it.
 */
const FIXED_SEED = 20_261_101;

const chosen = process.env.STAYWIRE_TEST_SEED;
if (chosen === undefined) fc.configureGlobal({ seed: FIXED_SEED });
else if (chosen !== 'random') fc.configureGlobal({ seed: wholeNumber(chosen) });

function wholeNumber(text: string): number {
  const seed = Number(text);
  if (!Number.isInteger(seed))
    throw new Error(`STAYWIRE_TEST_SEED is a whole number or "random", not "${text}"`);
  return seed;
}
