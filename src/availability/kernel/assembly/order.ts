import { KEY_BYTES } from '../layout';

/**
 * Lists the counted numbers as keys: highest count first, then by rank. Returns how many there are, and resets all counts for the next
 * question. A key is the complement of the count, followed by the rank.
 */
export function orderCounts(counts: u32, size: u32, ranks: u32, keys: u32): u32 {
  let listed: u32 = 0;
  for (let at: u32 = 0; at < size << 2; at += 4) {
    const count = load<u32>(counts + at);
    if (count === 0) continue;
    store<u64>(keys + listed * KEY_BYTES, ((<u64>~count) << 32) | load<u32>(ranks + at));
    store<u32>(counts + at, 0);
    listed++;
  }
  sortKeys(keys, listed);
  return listed;
}

/** Sorts ascending by Shell's method: there are dozens of keys, and thousands are still quick. */
export function sortKeys(keys: u32, count: u32): void {
  let gap: u32 = 1;
  while (gap < count / 3) gap = gap * 3 + 1;
  for (; gap > 0; gap /= 3) {
    const gapBytes = gap * KEY_BYTES;
    for (let at = keys + gapBytes; at < keys + count * KEY_BYTES; at += KEY_BYTES) {
      const key = load<u64>(at);
      let place = at;
      for (; place >= keys + gapBytes && load<u64>(place - gapBytes) > key; place -= gapBytes)
        store<u64>(place, load<u64>(place - gapBytes));
      store<u64>(place, key);
    }
  }
}
