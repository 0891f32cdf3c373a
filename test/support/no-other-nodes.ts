import { EVERY_BRAND, NO_CHANGES, NO_DECLINES } from '../../src/storage/memory/one-node.ts';
import type { OtherNodes } from '../../src/sync/synchroniser.ts';

/** For a synchroniser that works alone. */
export const NO_OTHER_NODES: OtherNodes = {
  changes: NO_CHANGES,
  leases: EVERY_BRAND,
  declineChannel: NO_DECLINES,
};
