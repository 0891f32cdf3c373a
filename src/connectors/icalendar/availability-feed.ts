import { createHash } from 'node:crypto';

/** Where the taken nights of a home are published, and on whose clock they are nights. */
export type AvailabilityFeed = {
  /** A hash of the rest: the address is a secret, and is stored and reported nowhere. */
  readonly id: string;
  readonly url: string;
  readonly timeZone: string;
};

export function availabilityFeed(url: string, timeZone: string): AvailabilityFeed {
  const id = createHash('sha256').update(`${timeZone} ${url}`).digest('hex').slice(0, 32);
  return { id, url, timeZone };
}
