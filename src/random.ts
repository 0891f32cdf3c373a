import { randomBytes } from 'node:crypto';

/** Cryptographically secure random bytes. */
export type Random = { bytes(count: number): Buffer };

const POOL_BYTES = 4096;
let pool: Buffer = Buffer.alloc(0);
let used = 0;

/** Fills a pool with one system call, because the call costs more than the bytes. No byte is returned twice. */
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
