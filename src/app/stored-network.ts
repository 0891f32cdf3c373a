import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { replaceFile } from '../parsing/replace-file.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import {
  type NetworkDocuments,
  openNetworkDocuments,
  prepareDirectory,
  type StoredNetwork,
} from '../storage/stores.ts';
import { type Environment, readSetting } from './settings.ts';

export type EnvironmentWithNetwork = {
  readonly env: Environment;
  /** What the owner should know. */
  readonly warning: string | null;
};

const FOLDER = 'network';
const FILE_MODE = 0o600;
const MAX_TRIES = 20;

/**
 * A node that is given PostgreSQL and no network file takes the network that is stored there. It keeps a copy beside its data, so that it
 * also starts while PostgreSQL is down; what reads the files afterwards need not know where they came from.
 */
export async function withStoredNetwork(
  env: Environment,
  open: (options: { readonly url: string }) => Promise<NetworkDocuments> = openNetworkDocuments,
): Promise<Reading<EnvironmentWithNetwork>> {
  const url = readSetting('postgresUrl', env);
  const dataDirectory = readSetting('dataDirectory', env);
  const isNamed = readSetting('networkFile', env).kind === 'valid';
  // What is wrong with a setting is reported with all the others.
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

/** While a table is in use that has to be changed first, it is tried again; each try takes a few seconds by itself. */
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
