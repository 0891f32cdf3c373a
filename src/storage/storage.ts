import type { SnapshotFile } from '../inventory/availability-index/snapshot/snapshot-file.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { RateRule, RateWindows } from '../sessions/rate-windows.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { StorageFailureKind } from '../sessions/storage-failure.ts';

/** Everything that the service keeps between requests. */
export type Storage = {
  readonly sessions: SessionStore & QuoteLedger;
  readonly inventory: InventoryStore;
  readonly rateWindows: RateWindows;
  /** Null where nothing outlives the process. */
  readonly snapshot: SnapshotFile | null;
  /** How many changes are not durable yet. */
  waiting(): number;
  /** Why sessions cannot be stored just now, null while they can. Recovers by itself, except from damage (`corrupt`). */
  writeFault(): StorageFailureKind | null;
  /** The size of its files. */
  bytes(): number;
  /** Waits for changes under way, then refuses all others. */
  close(): Promise<void>;
};

export type StorageOptions = {
  /** Where a store that writes files puts them. */
  readonly directory: string;
  readonly rateRule: RateRule;
  /** Told what the owner should know, such as a damaged file that was replaced. */
  readonly report?: (warning: string) => void;
};

export type OpenStorage = (options: StorageOptions) => Promise<Storage>;
