import { LRUCache } from 'lru-cache';

/**
 * Holds the entries that were used last. Its memory grows with them, whereas an `LRUCache` with `max` reserves that of all entries when it is
 * created: with the caches of a service, 25 milliseconds of each start.
 */
export function createGrowingCache<Key extends {}, Value extends {}>(
  maxEntries: number,
  options: Pick<LRUCache.Options<Key, Value, unknown>, 'ttl' | 'ttlResolution' | 'perf'> = {},
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 });
}
