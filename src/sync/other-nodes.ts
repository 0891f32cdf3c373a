import type { InventoryChanges } from '../availability/inventory-store.ts';
import type { BrandLeases } from './brand-leases.ts';
import type { DeclineChannel } from './decline-channel.ts';

/** What the nodes that share a store have to do with each other. */
export type OtherNodes = {
  readonly changes: InventoryChanges;
  readonly leases: BrandLeases;
  readonly declineChannel: DeclineChannel;
};
