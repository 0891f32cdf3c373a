import type { OwnerSettings } from '../access/owner-settings.ts';
import type { UsedNonces } from '../access/web-bot-auth/used-nonces.ts';
import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import type { InventoryChanges, InventoryStore } from '../availability/inventory-store.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import type { OperatorLimits } from '../limits/shared-limits.ts';
import type { SearchPlaces } from '../sessions/assistant-limits.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { RateRule, RateWindows } from '../sessions/rate-windows.ts';
import type { NewOpenings } from '../sessions/recent-openings.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { StorageFailureKind, StoreServer } from '../sessions/storage-failure.ts';
import type { BrandControls } from '../sync/brand-controls.ts';
import type { DeclineChannel } from '../sync/decline-channel.ts';
import type { BrandLeases } from '../sync/leadership.ts';

/** Everything that the service stores between requests. */
export type Storage = OwnerStore & {
  readonly sessions: SessionStore & QuoteLedger;
  readonly inventory: InventoryStore;
  readonly rateWindows: RateWindows;
  /** These, for all nodes. Left out where a single process tracks them itself. */
  readonly openings?: NewOpenings | undefined;
  readonly operatorLimits?: OperatorLimits | undefined;
  readonly searchPlaces?: SearchPlaces | undefined;
  /** These three coordinate the nodes that share the store. */
  readonly changes: InventoryChanges;
  readonly leases: BrandLeases;
  readonly declineChannel: DeclineChannel;
  /** Nonces of signatures, for all nodes and across restarts. Left out, like the snapshot, where nothing outlives the process. */
  readonly usedNonces?: UsedNonces | undefined;
  readonly snapshot?: SnapshotFile | undefined;
  /** The number of changes that are not durable yet. */
  waiting(): number;
  /** Why sessions cannot be stored now; null while they can. Recovers by itself, except from damage (`corrupt`). */
  writeFault(): StorageFailureKind | null;
  /** The same before storing something: if the last change failed, tries another one first. */
  checkWrites(): Promise<StorageFailureKind | null>;
  /** The size of its files. */
  bytes(): number;
  /** Metrics of a cluster; empty where there is no server. */
  readonly readings: ServerReadings;
  /** Waits for changes under way, then refuses all others. */
  close(): Promise<void>;
};

type ServerReadings = {
  readonly storeServers?: () => Readonly<Record<StoreServer, boolean>>;
  /** Quotes that wait on this node for the ledger. */
  readonly ledgerQueue?: () => number;
  readonly ledgerQueueBytes?: () => number;
  readonly liveNodes?: () => number;
};

/** Addresses with passwords: never log them. */
export type ServerAddresses = { readonly postgresUrl: string; readonly redisUrl: string };

export type StorageOptions = {
  /** Where a store that writes files puts them. */
  readonly directory: string;
  readonly rateRule: RateRule;
  /** Called with warnings for the owner, such as about a damaged file that was replaced. */
  readonly report?: (warning: string) => void;
  /** Only for a store that several nodes share. */
  readonly servers?: ServerAddresses | null;
  /** Called with the duration of each answered command to a server. */
  readonly onCommand?: (server: StoreServer, seconds: number) => void;
};

export type OpenStorage = (options: StorageOptions) => Promise<Storage>;

/** The data that the owner of the network sees and decides, apart from the data of assistants' requests. */
export type OwnerStore = {
  readonly activity: ActivityStore;
  readonly controls: BrandControls;
  readonly outcomes: BookingOutcomes;
  readonly owner: OwnerSettings;
};

/** The owner's data for a command, beside a service that may be running. */
export type OpenedOwnerStore = OwnerStore & {
  readonly ledger: Pick<QuoteLedger, 'findQuotes'>;
  close(): Promise<void>;
};
