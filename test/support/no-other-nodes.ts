import { EVERY_BRAND } from '../../src/storage/memory/brand-leases.ts';
import { NO_NEWS } from '../../src/storage/memory/decline-channel.ts';
import { NO_CHANGES } from '../../src/storage/memory/inventory-changes.ts';
import type { OtherNodes } from '../../src/sync/other-nodes.ts';

/** For a synchroniser that works alone. */
export const NO_OTHER_NODES: OtherNodes = {
  changes: NO_CHANGES,
  leases: EVERY_BRAND,
  declineChannel: NO_NEWS,
};
