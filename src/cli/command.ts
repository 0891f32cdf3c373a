import type { CallerFacts } from '../access/caller-facts.ts';
import type { AccessExplanation } from '../access/explain-access.ts';
import type { DocumentStatus } from '../access/published/published-documents.ts';
import type { AssistantRegistry } from '../access/registry/assistant-registry.ts';
import type { ChangeableRegistry } from '../access/registry/change-registry.ts';
import type { WellKnownAssistant } from '../access/registry/registry-file.ts';
import type { InventoryStore } from '../availability/inventory-store.ts';
import type { BrandId, Network } from '../catalogue/catalogue.ts';
import type { SendHttp } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Connection } from '../connectors/connect.ts';
import type { Intake } from '../connectors/shared/intake/intake.ts';
import type { NetworkFault, NetworkSettings } from '../network/read-network.ts';
import type { OpenClient } from '../outbound/http-client.ts';
import type { Reading } from '../parsing/reading.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import type { OpenedOwnerStore } from '../storage/storage.ts';
import type { MigratedStore, NetworkDocuments, StoreMigrationOptions } from '../storage/stores.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes, for scripts. */
export const EXIT = {
  done: 0,
  /** The command ran and found faults. */
  faults: 1,
  /** The command could not run: an option, a file or a setting is wrong. */
  usage: 2,
  /** Ctrl-C, or the end of the terminal: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The result of a command, as data and as text. */
export type CommandResult = {
  readonly exit: ExitCode;
  /** For `--json`. Never holds a secret. */
  readonly json: unknown;
  /** For people, at most 80 columns wide. */
  readonly text: string;
};

export type CliEnvironment = Readonly<Record<string, string | undefined>>;

/** The dependencies of commands. `app/cli-tools.ts` makes them; tests pass their own. */
export type CliTools = {
  readonly env: CliEnvironment;
  /** Relative paths on the command line are relative to this. */
  readonly directory: string;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Reads the whole input stream. */
  readonly readInput: () => Promise<string>;
  readonly readSettings: (env: CliEnvironment) => Reading<CliSettings>;
  readonly readNetworkSettings: (
    env: CliEnvironment,
    /** Only these brands need to be complete, with their secrets; all brands when left out. */
    connected?: readonly BrandId[],
  ) => Reading<NetworkSettings, NetworkFault>;
  /** Everything that the service reads before it starts. */
  readonly readConfiguration: (env: CliEnvironment) => Promise<Reading<unknown>>;
  readonly connectNetwork: (options: ConnectOptions) => ReadonlyMap<BrandId, BookingSystem>;
  readonly openClient: (operatorNetworks: readonly string[]) => OpenClient;
  readonly createIntake: (network: Pick<Network, 'places'>) => Intake;
  readonly openInventory: (settings: CliSettings) => Promise<OpenedInventory>;
  /** Reads the stored documents, also while a service uses the store. */
  readonly openDocuments: (
    settings: CliSettings,
  ) => Promise<Pick<InventoryStore, 'document'> & { close(): Promise<void> }>;
  /** Opens the counts and settings of the owner, also while the service runs. Reading makes no file. */
  readonly openOwnerStore: (
    settings: Pick<CliSettings, 'store' | 'dataDirectory' | 'postgresUrl'>,
  ) => Promise<OpenedOwnerStore>;
  /** Opens the network that nodes share, in the PostgreSQL at this address. */
  readonly openNetworkDocuments: (postgresUrl: string) => Promise<NetworkDocuments>;
  /** Adds the stored network to the environment of a node that names no network file. */
  readonly withStoredNetwork: (
    env: CliEnvironment,
  ) => Promise<Reading<{ readonly env: CliEnvironment; readonly warning: string | null }>>;
  /** Opens the registry of assistants that a service with this environment uses. */
  readonly openRegistry: (env: CliEnvironment) => Reading<OpenedRegistry>;
  /** Judges a request as a service would. */
  readonly judgeCaller: (question: CallerQuestion) => Promise<CallerJudgement>;
  /** The stored copies of the documents that the assistants of a registry publish. Fetches nothing. */
  readonly publishedSoFar: (
    question: Pick<CallerQuestion, 'registry' | 'settings'>,
  ) => readonly DocumentStatus[];
  readonly migrateStore: (options: Omit<StoreMigrationOptions, 'report'>) => Promise<MigratedStore>;
  /** Whether a service uses the store. */
  readonly isServing: (settings: Pick<CliSettings, 'dataDirectory'>) => boolean;
  /** Sends to a service that the person names; operators are asked through `openClient`. */
  readonly sendHttp: SendHttp;
  /** Runs the service until a signal stops it. */
  readonly serve: (env: CliEnvironment) => Promise<void>;
  /** Speaks MCP on the process's input and output for a service elsewhere, until the assistant ends it. */
  readonly serveMcp: (serviceUrl: URL) => Promise<void>;
};

export type CliSettings = {
  readonly networkFile: string;
  readonly dataDirectory: string;
  readonly operatorNetworks: readonly string[];
  readonly credentialsFile: string | null;
  readonly credentialsKey: Uint8Array | null;
  readonly rateCardMaxAgeSeconds: number;
  readonly postgresUrl: string | null;
  readonly trustedNetworks: readonly string[] | null;
  readonly trustedProxies: readonly string[];
  readonly signingKeysFile: string | null;
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
  readonly store: string;
  readonly publishedMaxAgeDays: number;
  readonly sessionMinutes: number;
};

export type OpenedRegistry = ChangeableRegistry & {
  readonly catalogue: readonly WellKnownAssistant[];
  close(): Promise<void>;
};

export type CallerQuestion = {
  readonly registry: AssistantRegistry;
  readonly settings: Omit<CliSettings, 'networkFile'>;
  readonly facts: CallerFacts;
  readonly rawHeaders: readonly string[];
};

export type CallerJudgement = AccessExplanation & { readonly published: readonly DocumentStatus[] };

export type ConnectOptions = {
  readonly network: Network;
  readonly connections: ReadonlyMap<BrandId, Connection>;
  readonly store: Pick<InventoryStore, 'document' | 'saveDocument'>;
  readonly intake: Intake;
  readonly settings: CliSettings;
  /** How long an account may wait for its turn at its vendor; a minute when left out, because a person waits at the terminal. */
  readonly maxAccountWaitMs?: number;
};

export type OpenedInventory = { readonly inventory: InventoryStore; close(): Promise<void> };
