import { WITHDRAWN_BYTES, WITHDRAWN_ROW } from '../layout';

/** The number of the first stay withdrawn of this row, or of a later one: they are listed by row. */
export function firstWithdrawn(entries: u32, count: u32, row: u32): u32 {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(entries + middle * WITHDRAWN_BYTES + WITHDRAWN_ROW) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
