import { randomBytes } from 'node:crypto';

/** Unpredictable bytes as a parameter. */
export type Random = { bytes(count: number): Buffer };

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
