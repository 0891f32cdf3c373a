import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type AssistantRegistry, registryFor } from '../access/registry/assistant-registry.ts';
import {
  createRegisteredAssistants,
  type RegisteredAssistants,
  type RegistryAtStart,
} from '../access/registry/registered-assistants.ts';
import type { WellKnownAssistant } from '../access/registry/registry-file.ts';
import {
  createRegistryCopy,
  createRegistryFileSource,
  type RegistrySource,
} from '../access/registry/registry-source.ts';
import { WELL_KNOWN_ASSISTANTS } from '../access/registry/well-known-assistants.ts';
import type { BrandId } from '../catalogue/catalogue.ts';
import { type Clock, systemClock } from '../clock.ts';
import { CONNECTORS } from '../connectors/connectors.ts';
import type { SealedCredentials } from '../connectors/shared/account/account-credentials.ts';
import { readCredentialsFile } from '../connectors/shared/account/account-credentials.ts';
import { type NetworkFault, type NetworkSettings, readNetwork } from '../network/read-network.ts';
import { type OwnIdentity, readOwnIdentity } from '../outbound/signing.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { replaceFile } from '../parsing/replace-file.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import {
  type NetworkDocuments,
  openNetworkDocuments,
  openPostgresRegistry,
  prepareDirectory,
  type StoredNetwork,
} from '../storage/stores.ts';
import { type Environment, readSetting, readSettings, type Settings } from './settings.ts';

type EnvironmentWithNetwork = {
  readonly env: Environment;
  /** Warnings for the owner. */
  readonly warning: string | null;
};

const FOLDER = 'network';
const FILE_MODE = 0o600;
const MAX_TRIES = 20;

/**
 * A node that is given PostgreSQL and no network file takes the network that is stored there. It keeps a copy beside its data, so that it
 * also starts while PostgreSQL is down. Later code reads these files like any others.
 */
export async function withStoredNetwork(
  env: Environment,
  open: (options: { readonly url: string }) => Promise<NetworkDocuments> = openNetworkDocuments,
): Promise<Reading<EnvironmentWithNetwork>> {
  const url = readSetting('postgresUrl', env);
  const dataDirectory = readSetting('dataDirectory', env);
  const isNamed = readSetting('networkFile', env).kind === 'valid';
  // A wrong setting is reported together with all others.
  if (isNamed || url.kind === 'invalid' || url.value === null || dataDirectory.kind === 'invalid') {
    return valid({ env, warning: null });
  }
  const copy = copyIn(dataDirectory.value);
  let stored: StoredNetwork | undefined;
  try {
    stored = await storedIn(url.value, open);
  } catch (failure) {
    const message = messageOf(failure);
    const isUnreachable = failure instanceof StorageFailure && failure.kind === 'unreachable';
    if (!isUnreachable) return invalid(`The network cannot be read from PostgreSQL: ${message}`);
    if (!copy.exists()) {
      return invalid(
        `${message} This node has no copy of the network that is stored there. Name a network file with STAYWIRE_NETWORK, or start it once PostgreSQL answers`,
      );
    }
    const warning = `${message} The network is taken from the copy of this node, which may be an earlier one.`;
    return valid({ env: copy.namedIn(env), warning });
  }
  if (!stored) {
    return invalid(
      'No network is stored in PostgreSQL yet. Store one with staywire network store, or name a file with STAYWIRE_NETWORK',
    );
  }
  try {
    copy.write(stored);
  } catch (failure) {
    return invalid(
      `The network cannot be kept in the folder of this node, STAYWIRE_DATA_DIR: ${messageOf(failure)}`,
    );
  }
  return valid({ env: copy.namedIn(env), warning: null });
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Retries while a table that has to be migrated first is in use; each attempt takes a few seconds. */
async function storedIn(
  url: string,
  open: (options: { readonly url: string }) => Promise<NetworkDocuments>,
): Promise<StoredNetwork | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      const documents = await open({ url });
      try {
        return await documents.stored();
      } finally {
        await documents.close();
      }
    } catch (failure) {
      const isBusy = failure instanceof StorageFailure && failure.kind === 'busy';
      if (!isBusy || tries === MAX_TRIES) throw failure;
    }
  }
}

function copyIn(dataDirectory: string) {
  const folder = join(dataDirectory, FOLDER);
  const network = join(folder, 'network.jsonc');
  const credentials = join(folder, 'credentials.sealed');
  return {
    exists: () => existsSync(network),
    write(stored: StoredNetwork): void {
      prepareDirectory(folder);
      // First, because a network without its credentials is refused, and credentials without their network are not.
      if (stored.credentials) replaceFile(credentials, textOf(stored.credentials), FILE_MODE);
      replaceFile(network, textOf(stored.network), FILE_MODE);
      if (!stored.credentials) rmSync(credentials, { force: true });
    },
    namedIn: (env: Environment): Environment => ({
      ...env,
      STAYWIRE_NETWORK: network,
      ...(existsSync(credentials) && { STAYWIRE_CREDENTIALS: credentials }),
    }),
  };
}

function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

/** The settings, the registry of assistants, and the contents of the files that the settings name. */
type Configuration = {
  readonly settings: Settings;
  readonly networkSettings: NetworkSettings;
  /** With the callers of trusted networks. */
  readonly registry: AssistantRegistry;
  readonly registryAtStart: RegistryAtStart;
  readonly identity: OwnIdentity | null;
  /** Warnings for the owner, which do not keep the service from starting. */
  readonly warnings: readonly string[];
};

/** Reports the faults of all of them together: a wrong setting does not stop the others from being checked. */
export async function readConfiguration(
  env: Environment,
  registryOptions?: RegistryOptions,
): Promise<Reading<Configuration>> {
  const settings = readSettings(env);
  const network = withMessages(readNetworkSettings(env));
  const listed = await readRegistry(env, registryOptions);
  const servers = readServers(env);
  const own = readIdentity(env);
  const isValid = settings.kind === 'valid' && network.kind === 'valid' && listed.kind === 'valid';
  if (isValid && own.kind === 'valid' && servers.kind === 'valid') {
    return valid({
      settings: settings.value,
      networkSettings: network.value,
      registry: registryFor(listed.value.registry, settings.value.trustedNetworks),
      registryAtStart: listed.value,
      ...own.value,
    });
  }
  const faults = [settings, network, listed, servers, own].flatMap((reading) =>
    reading.kind === 'invalid' ? reading.faults : [],
  );
  return invalid(...faults);
}

type RegistryOptions = {
  readonly catalogue?: readonly WellKnownAssistant[];
  readonly openPostgres?: (options: { readonly url: string }) => RegistrySource;
  readonly clock?: Pick<Clock, 'elapsed' | 'after'>;
};

const FILE_IN_DATA_DIRECTORY = 'assistants.json';
const COPY_IN_DATA_DIRECTORY = 'assistants-in-force.json';
/** Beside the copy of the network, for starts while PostgreSQL is down too. */
const FOLDER_OF_REGISTRY_COPY = 'network';

/** The file of STAYWIRE_ASSISTANTS, else PostgreSQL where it is named, else a file in the folder of the data. */
export function openRegisteredAssistants(
  env: Environment,
  {
    catalogue = WELL_KNOWN_ASSISTANTS,
    openPostgres = openPostgresRegistry,
    clock = systemClock,
  }: RegistryOptions = {},
): Reading<RegisteredAssistants> {
  const named = readSetting('assistantsFile', env);
  const postgres = readSetting('postgresUrl', env);
  const data = readSetting('dataDirectory', env);
  const store = readSetting('store', env);
  // A wrong setting is reported together with all others.
  if (named.kind === 'invalid' || postgres.kind === 'invalid') return invalid();
  if (data.kind === 'invalid' || store.kind === 'invalid') return invalid();
  if (named.value === null && postgres.value !== null) {
    return valid(
      createRegisteredAssistants({
        source: openPostgres({ url: postgres.value }),
        where: 'PostgreSQL',
        inFaults: 'the registry in PostgreSQL',
        copy: createRegistryCopy(join(data.value, FOLDER_OF_REGISTRY_COPY, FILE_IN_DATA_DIRECTORY)),
        isRequired: false,
        reading: { folder: null, catalogue },
      }),
    );
  }
  const path = resolve(named.value ?? join(data.value, FILE_IN_DATA_DIRECTORY));
  // Beside the registry, because it names lists of ranges from there.
  const isCopied = named.value === null && store.value !== 'memory';
  return valid(
    createRegisteredAssistants({
      source: createRegistryFileSource(path, { clock }),
      where: path,
      inFaults: path,
      copy: isCopied ? createRegistryCopy(join(dirname(path), COPY_IN_DATA_DIRECTORY)) : null,
      isRequired: named.value !== null,
      reading: { folder: dirname(path), catalogue },
    }),
  );
}

/**
 * There is no default: a reverse proxy on the same machine that adds no header looks like a program on it, so trusting loopback
 * unasked would open such a service to the world.
 */
async function readRegistry(env: Environment, options?: RegistryOptions): Promise<Reading<RegistryAtStart>> {
  const trusted = readSetting('trustedNetworks', env);
  const opened = openRegisteredAssistants(env, options);
  if (opened.kind === 'invalid') return opened;
  const start = await opened.value.readAtStart().finally(() => opened.value.close());
  const isAnswered = start.kind === 'invalid' || start.value.registry !== null;
  // Faults of the networks are reported together with those of the settings.
  if (isAnswered || trusted.kind === 'invalid' || trusted.value !== null) return start;
  if (start.value.warning !== null) {
    return invalid(`${start.value.warning} Start it once PostgreSQL answers`);
  }
  return invalid(
    'Nobody may call yet. Approve an assistant: staywire assistants approve chatgpt (staywire assistants list names those that are known). ' +
      'Or trust the callers of networks: STAYWIRE_TRUSTED_NETWORKS=127.0.0.0/8,::1 for this machine, which also lets in all that a proxy on it forwards unmarked',
  );
}

/** One setting alone would leave open where the other part is stored. */
function readServers(env: Environment): Reading<true> {
  const postgres = readSetting('postgresUrl', env);
  const redis = readSetting('redisUrl', env);
  // Already reported with the settings.
  if (postgres.kind === 'invalid' || redis.kind === 'invalid') return valid(true);
  if ((postgres.value === null) === (redis.value === null)) return valid(true);
  const [given, missing] =
    redis.value === null
      ? (['STAYWIRE_POSTGRES_URL', 'STAYWIRE_REDIS_URL'] as const)
      : (['STAYWIRE_REDIS_URL', 'STAYWIRE_POSTGRES_URL'] as const);
  return invalid(
    `${missing} must be set as well: nodes that share ${given} need both. Without either, everything is kept in STAYWIRE_DATA_DIR`,
  );
}

function withMessages(reading: Reading<NetworkSettings, NetworkFault>): Reading<NetworkSettings> {
  return reading.kind === 'valid' ? reading : invalid(...reading.faults.map(({ message }) => message));
}

/**
 * Only the network, for commands that serve no callers. If only some brands are connected, only their entries must be right:
 * the encrypted file may stay closed when it holds no secret of theirs.
 */
export function readNetworkSettings(
  env: Environment,
  connected?: readonly BrandId[],
): Reading<NetworkSettings, NetworkFault> {
  const path = readSetting('networkFile', env);
  // Already reported with the settings.
  if (path.kind === 'invalid') return invalid();
  const sealed = readSealedCredentials(env);
  const closed = sealed.kind === 'invalid' ? sealed.faults : [];
  const isOpen = sealed.kind === 'valid';
  const closedFile = () =>
    invalid(...closed.map((message) => ({ about: 'credentials_file', message }) as const));
  if (!isOpen && !connected) return closedFile();
  const sealedCredentials: SealedCredentials = isOpen ? sealed.value : new Map();
  const reading = readNetwork(path.value, { env, sealedCredentials }, CONNECTORS, connected);
  if (reading.kind === 'valid') return reading;
  // Secrets that seem to be missing may be in the file that does not open.
  if (!isOpen && reading.faults.some(({ isSecret }) => isSecret)) return closedFile();
  return invalid(
    ...reading.faults.map(({ pointer, message, isSecret }) => ({
      about: isSecret ? ('secret' as const) : ('network_file' as const),
      message: `${path.value}${pointer}: ${message}`,
    })),
  );
}

/** Empty when no file is named. */
function readSealedCredentials(env: Environment): Reading<SealedCredentials> {
  const path = readSetting('credentialsFile', env);
  const key = readSetting('credentialsKey', env);
  // Already reported with the settings.
  if (path.kind === 'invalid' || key.kind === 'invalid') return invalid();
  if (path.value === null) return valid(new Map());
  if (key.value === null)
    return invalid('STAYWIRE_CREDENTIALS_KEY must be set: it opens the file of STAYWIRE_CREDENTIALS');
  const reading = readCredentialsFile(path.value, key.value);
  return reading.kind === 'valid'
    ? reading
    : invalid(...reading.faults.map((fault) => `${path.value}: ${fault}`));
}

function readIdentity(env: Environment): ReturnType<typeof readOwnIdentity> {
  const file = readSetting('signingKeysFile', env);
  const publicUrl = readSetting('publicUrl', env);
  // Already reported with the settings.
  if (file.kind === 'invalid' || publicUrl.kind === 'invalid') return invalid();
  return readOwnIdentity({ signingKeysFile: file.value, publicUrl: publicUrl.value });
}
