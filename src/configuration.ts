import { type AssistantRegistry, readAssistantRegistry, registryFor } from './access/assistant-registry.ts';
import type { SealedCredentials } from './credentials/account-credentials.ts';
import { readCredentialsFile } from './credentials/credentials-file.ts';
import type { BrandId } from './inventory/catalogue.ts';
import { type NetworkFault, type NetworkSettings, readNetwork } from './network/read-network.ts';
import { CONNECTORS } from './operators/connectors.ts';
import { invalid, type Reading, valid } from './reading/reading.ts';
import { type Environment, readSetting, readSettings, type Settings } from './settings.ts';

/** The settings and the contents of the two files that they name. */
export type Configuration = {
  readonly settings: Settings;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
};

/** Reports the faults of the settings and of both files together: a wrong setting does not stop the files from being checked. */
export function readConfiguration(env: Environment): Reading<Configuration> {
  const settings = readSettings(env);
  const network = withMessages(readNetworkSettings(env));
  const listed = readRegistryFile(env);
  const callers = readCallers(env);
  const servers = readServers(env);
  const isValid = settings.kind === 'valid' && network.kind === 'valid' && listed.kind === 'valid';
  if (isValid && callers.kind === 'valid' && servers.kind === 'valid') {
    return valid({
      settings: settings.value,
      networkSettings: network.value,
      registry: registryFor(listed.value, settings.value.trustedNetworks),
    });
  }
  const faults = [settings, network, listed, callers, servers].flatMap((reading) =>
    reading.kind === 'invalid' ? reading.faults : [],
  );
  return invalid(...faults);
}

/**
 * There is no default: a reverse proxy on the same machine that adds no header looks like a program on it, so trusting loopback
 * unasked would open such a service to the world.
 */
function readCallers(env: Environment): Reading<true> {
  const ways = [readSetting('assistantsFile', env), readSetting('trustedNetworks', env)];
  // What is wrong with one of them is reported with the settings.
  if (ways.some((way) => way.kind === 'invalid' || way.value !== null)) return valid(true);
  return invalid(
    'Nobody may call yet. Approve assistants in a registry: STAYWIRE_ASSISTANTS=/etc/staywire/assistants.json (docs/assistant-registry.md). ' +
      'Or trust the callers of networks: STAYWIRE_TRUSTED_NETWORKS=127.0.0.0/8,::1 for this machine, which also lets in all that a proxy on it forwards unmarked',
  );
}

/** One alone would leave it open where the rest is kept. */
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
 * The network alone, for whoever serves nobody. Where only some brands are connected, only what they need has to be right: the encrypted file
 * may stay closed when none of them has a secret in it.
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
  // What seems to be missing may be in the file that does not open.
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

/** Null when no file is named. */
function readRegistryFile(env: Environment): Reading<AssistantRegistry | null> {
  const path = readSetting('assistantsFile', env);
  if (path.kind === 'invalid') return invalid();
  if (path.value === null) return valid(null);
  const reading = readAssistantRegistry(path.value);
  return reading.kind === 'valid'
    ? reading
    : invalid(...reading.faults.map((fault) => `${path.value}: ${fault}`));
}
