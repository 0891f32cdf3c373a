import type { MessagePort } from 'node:worker_threads';
import type { UsedNonces } from '../access/web-bot-auth/used-nonces.ts';
import type { InventoryChanges, InventoryStore } from '../availability/inventory-store.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import type { OperatorLimits } from '../quotes/call-entrance.ts';
import type { SearchPlaces } from '../sessions/assistant-limits.ts';
import type { QuoteLedger } from '../sessions/quote-ledger.ts';
import type { RateRule, RateWindows } from '../sessions/rate-windows.ts';
import type { NewOpenings } from '../sessions/recent-openings.ts';
import type { SessionId } from '../sessions/session.ts';
import type { SessionStore, SessionVersions } from '../sessions/session-store.ts';
import type { StorageFailureKind, StoreServer } from '../sessions/storage-failure.ts';
import type { BrandLeases } from '../sync/brand-leases.ts';
import type { DeclineChannel } from '../sync/decline-channel.ts';
import type { OwnerStore } from './owner-store.ts';

/** Everything that the service keeps between requests. */
export type Storage = OwnerStore & {
  readonly sessions: SessionStore & QuoteLedger;
  readonly inventory: InventoryStore;
  readonly rateWindows: RateWindows;
  /** Sessions that were opened a moment ago, for all nodes. Null where one process serves them all, and remembers them itself. */
  readonly openings: NewOpenings | null;
  /** What the nodes that share the store have to do with each other. */
  readonly changes: InventoryChanges;
  readonly leases: BrandLeases;
  readonly declineChannel: DeclineChannel;
  /** Null where no other process asks the operators. */
  readonly operatorLimits: OperatorLimits | null;
  /** Null where no other process searches for the same assistants. */
  readonly searchPlaces: SearchPlaces | null;
  /** Of signatures, for all nodes and beyond a restart. Null where nothing outlives the process, which remembers them itself. */
  readonly usedNonces: UsedNonces | null;
  /** Null where other threads cannot share the sessions. */
  readonly sharing: SessionSharing | null;
  /** Null where nothing outlives the process. */
  readonly snapshot: SnapshotFile | null;
  /** How many changes are not durable yet. */
  waiting(): number;
  /** Why sessions cannot be stored just now, null while they can. Recovers by itself, except from damage (`corrupt`). */
  writeFault(): StorageFailureKind | null;
  /** The same for whoever is about to store something: where the last change failed, it is tried whether one succeeds now. */
  checkWrites(): Promise<StorageFailureKind | null>;
  /** The size of its files. */
  bytes(): number;
  /** What the owner of several nodes watches; empty where there is no server. */
  readonly readings: ServerReadings;
  /** Waits for changes under way, then refuses all others. */
  close(): Promise<void>;
};

export type ServerReadings = {
  readonly storeServers?: () => Readonly<Record<StoreServer, boolean>>;
  /** Quotes that are kept on this node until the ledger has them. */
  readonly ledgerQueue?: () => number;
  readonly ledgerQueueBytes?: () => number;
  readonly liveNodes?: () => number;
};

/** For the thread that opened the store. */
export type SessionSharing = {
  /** The way of one other thread to the store. */
  connect(): MessagePort;
};

/** Sessions as a thread shares them that did not open the store. */
export type SharedSessions = Pick<
  Storage,
  'sessions' | 'waiting' | 'writeFault' | 'checkWrites' | 'close'
> & {
  /** These were deleted by another thread. */
  forget(ids: readonly SessionId[]): void;
};

export type OpenSharedSessions = (options: {
  readonly directory: string;
  readonly marks: SessionVersions;
  /** Asks the thread that opened the store for a way to it. */
  readonly connect: () => Promise<MessagePort>;
  readonly maxCachedSessions?: number;
}) => SharedSessions;

/** Addresses with their passwords: for nobody's eyes. */
export type ServerAddresses = { readonly postgresUrl: string; readonly redisUrl: string };

export type StorageOptions = {
  /** Where a store that writes files puts them. */
  readonly directory: string;
  readonly rateRule: RateRule;
  /** Told which sessions were deleted, or lost what they hold. */
  readonly onDeleted?: (ids: readonly SessionId[]) => void;
  /** Told what the owner should know, such as a damaged file that was replaced. */
  readonly report?: (warning: string) => void;
  /** For a store that several nodes share; the others need none. */
  readonly servers?: ServerAddresses | null;
  /** Told how long each command to a server took that was answered. */
  readonly onCommand?: (server: StoreServer, seconds: number) => void;
};

export type OpenStorage = (options: StorageOptions) => Promise<Storage>;
