import { randomBytes } from 'node:crypto';

/** Unpredictable bytes as a parameter. */
export type Random = { bytes(count: number): Buffer };

const POOL_BYTES = 4096;
let pool: Buffer = Buffer.alloc(0);
let used = 0;

/** Small requests share one call to the system, which costs more than the bytes; no byte is handed out twice. */
export const systemRandom: Random = {
  bytes(count) {
    if (count > POOL_BYTES) return randomBytes(count);
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  },
};
