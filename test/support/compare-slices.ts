import assert from 'node:assert/strict';

export type Slice = { readonly durationsMs: readonly number[]; readonly errors: number };
export type Comparison = {
  readonly quietP99Ms: number;
  readonly noisyP99Ms: number;
  readonly errors: number;
};

const MAX_TRIES = 3;
/** With a neighbour, the slowest answers may take this many times as long as without. */
const MAX_RATIO = 5;
/** Below this, a ratio says more about the machine than about the service. */
const FLOOR_MS = 50;

/**
 * A quiet and a noisy slice after each other, so that both meet the same machine. The best of three tries counts: other
 * work on the machine can only make it look worse.
 */
export async function assertUnharmed(
  quiet: () => Promise<Slice>,
  noisy: () => Promise<Slice>,
): Promise<Comparison> {
  let last: Comparison | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [before, during] = [await quiet(), await noisy()];
    // Later slices may still feel what the neighbour did in the one before.
    if (tries === 0) assert.equal(before.errors, 0, 'without the neighbour there is no error');
    const found = {
      quietP99Ms: p99(before.durationsMs),
      noisyP99Ms: p99(during.durationsMs),
      errors: during.errors,
    };
    if (found.errors === 0 && found.noisyP99Ms <= MAX_RATIO * found.quietP99Ms + FLOOR_MS) return found;
    last = found;
  }
  assert.fail(`a neighbour is felt: ${JSON.stringify(last)}`);
}

/** Runs the work so many times, one after the other. */
export async function sliceOf(times: number, work: () => Promise<boolean>): Promise<Slice> {
  const durationsMs: number[] = [];
  let errors = 0;
  for (let round = 0; round < times; round += 1) {
    const startedAt = performance.now();
    const succeeded = await work().catch(() => false);
    durationsMs.push(performance.now() - startedAt);
    if (!succeeded) errors += 1;
  }
  return { durationsMs, errors };
}

function p99(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * 0.99) - 1] ?? 0;
}
