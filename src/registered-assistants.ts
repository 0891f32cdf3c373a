import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type AssistantRegistry, readAssistantRegistry } from './access/registry/assistant-registry.ts';
import { createRegistryFileSource } from './access/registry/registry-file-source.ts';
import type { RegistryDocument, RegistrySource } from './access/registry/registry-source.ts';
import { type RegistryEvent, type RegistryWatch, watchRegistry } from './access/registry/watch-registry.ts';
import type { WellKnownAssistant } from './access/registry/well-known-assistant.ts';
import { WELL_KNOWN_ASSISTANTS } from './access/well-known/well-known-assistants.ts';
import { type Clock, systemClock } from './clock.ts';
import { replaceFile } from './files/replace-file.ts';
import { invalid, type Reading, valid } from './reading/reading.ts';
import { StorageFailure } from './sessions/storage-failure.ts';
import { type Environment, readSetting } from './settings.ts';
import { openPostgresRegistry, prepareDirectory } from './storage/stores.ts';

/** The registry that the settings name: of a running service, and of the commands that change it. */
export type RegisteredAssistants = {
  readonly source: RegistrySource;
  /** For people; holds no password. */
  readonly where: string;
  readonly catalogue: readonly WellKnownAssistant[];
  /** `place` is where the text is from, for its faults; where the registry is when left out. */
  read(text: string, place?: string): Reading<AssistantRegistry>;
  /** What a start goes by. */
  readAtStart(): Promise<Reading<RegistryAtStart>>;
  /** Until it is closed, looks for changes of what a start has read. */
  watch(options: {
    readonly since: RegistryAtStart;
    readonly clock: Pick<Clock, 'after'>;
    readonly onChange: (registry: AssistantRegistry) => void;
    readonly observe: (event: RegistryEvent) => void;
    /** Called when the copy for starts without PostgreSQL cannot be written. */
    readonly onCopyFailed: (message: string) => void;
  }): RegistryWatch;
  close(): Promise<void>;
};

export type RegistryAtStart = {
  /** Null where there is none. */
  readonly registry: AssistantRegistry | null;
  /** Null where it is not known: there is none, or it is the copy of this node. */
  readonly version: string | null;
  /** What the owner should know. */
  readonly warning: string | null;
};

export type RegistryOptions = {
  readonly catalogue?: readonly WellKnownAssistant[];
  readonly openPostgres?: (options: { readonly url: string }) => RegistrySource;
  readonly clock?: Pick<Clock, 'elapsed' | 'after'>;
};

const FILE_IN_DATA_DIRECTORY = 'assistants.json';
/** Beside the copy of the network, for starts while PostgreSQL is down. */
const FOLDER_OF_REGISTRY_COPY = 'network';
const COPY_MODE = 0o600;
const MAX_TRIES = 20;

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
  // What is wrong with a setting is reported with all the others.
  if (named.kind === 'invalid' || postgres.kind === 'invalid' || data.kind === 'invalid') return invalid();
  if (named.value === null && postgres.value !== null) {
    const copy = join(data.value, FOLDER_OF_REGISTRY_COPY, FILE_IN_DATA_DIRECTORY);
    return valid(inPostgres(openPostgres({ url: postgres.value }), copy, catalogue));
  }
  const path = named.value ?? join(data.value, FILE_IN_DATA_DIRECTORY);
  return valid(inFile(resolve(path), { isNamed: named.value !== null, catalogue, clock }));
}

function inFile(
  path: string,
  {
    isNamed,
    catalogue,
    clock,
  }: Required<Pick<RegistryOptions, 'catalogue' | 'clock'>> & { readonly isNamed: boolean },
): RegisteredAssistants {
  const source = createRegistryFileSource(path, { clock });
  const read = (text: string, place = path) =>
    withPlace(place, readAssistantRegistry(text, { folder: dirname(path), catalogue }));
  return {
    source,
    where: path,
    catalogue,
    read,
    async readAtStart() {
      let document: RegistryDocument | null;
      try {
        document = await source.read();
      } catch (failure) {
        return invalid(`${path}: cannot be read: ${messageOf(failure)}`);
      }
      if (!document && isNamed) {
        return invalid(
          `${path}: there is no such file; staywire assistants approve writes it with the first assistant`,
        );
      }
      return startWith(document, read);
    },
    watch: ({ since, ...options }) =>
      watchRegistry({ ...options, source, read: ({ text }) => read(text), current: since }),
    close: () => source.close(),
  };
}

/** A node keeps a copy, so that it knows whom to answer when it starts while PostgreSQL is down. */
function inPostgres(
  source: RegistrySource,
  copy: string,
  catalogue: readonly WellKnownAssistant[],
): RegisteredAssistants {
  const readText = (text: string) => readAssistantRegistry(text, { folder: null, catalogue });
  const read = (text: string, place = 'the registry in PostgreSQL') => withPlace(place, readText(text));
  return {
    source,
    where: 'PostgreSQL',
    catalogue,
    read,
    async readAtStart() {
      let document: RegistryDocument | null;
      try {
        document = await readPatiently(source);
      } catch (failure) {
        const isUnreachable = failure instanceof StorageFailure && failure.kind === 'unreachable';
        if (!isUnreachable) {
          return invalid(`The registry of assistants cannot be read from PostgreSQL: ${messageOf(failure)}`);
        }
        return startWithout(messageOf(failure));
      }
      const start = startWith(document, read);
      if (start.kind === 'invalid' || document === null) return start;
      const fault = keepCopy(document.text);
      return fault === null ? start : valid({ ...start.value, warning: fault });
    },
    watch: ({ since, onCopyFailed, observe, ...options }) => {
      let taken = '';
      return watchRegistry({
        ...options,
        source,
        current: since,
        read({ text }) {
          taken = text;
          return read(text);
        },
        observe(event) {
          const fault = event.kind === 'taken' ? keepCopy(taken) : null;
          if (fault !== null) onCopyFailed(fault);
          observe(event);
        },
      });
    },
    close: () => source.close(),
  };

  function startWithout(message: string): Reading<RegistryAtStart> {
    const kept = readCopy();
    const registry = kept.kind === 'valid' ? kept.value : null;
    const about =
      kept.kind === 'invalid'
        ? `The copy of the registry of assistants on this node, ${copy}, cannot be used: ${kept.faults.join('; ')}`
        : registry
          ? 'Assistants are approved by the copy of this node, which may be an earlier one.'
          : 'This node has no copy of the registry of assistants that is stored there.';
    return valid({ registry, version: null, warning: `${message} ${about}` });
  }

  /** Null where there is none. One that is damaged stops no start: PostgreSQL, which has the registry, will be back. */
  function readCopy(): Reading<AssistantRegistry | null> {
    try {
      return readText(readFileSync(copy, 'utf8'));
    } catch (failure) {
      const isMissing = failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';
      return isMissing ? valid(null) : invalid(messageOf(failure));
    }
  }

  function keepCopy(text: string): string | null {
    try {
      prepareDirectory(dirname(copy));
      replaceFile(copy, text, COPY_MODE);
      return null;
    } catch (failure) {
      return `The registry of assistants cannot be kept in the folder of this node, STAYWIRE_DATA_DIR: ${messageOf(failure)}`;
    }
  }
}

function startWith(
  document: RegistryDocument | null,
  read: RegisteredAssistants['read'],
): Reading<RegistryAtStart> {
  if (!document) return valid({ registry: null, version: null, warning: null });
  const reading = read(document.text);
  return reading.kind === 'invalid'
    ? reading
    : valid({ registry: reading.value, version: document.version, warning: null });
}

/** While a table is in use that has to be changed first, it is tried again; each try takes a few seconds by itself. */
async function readPatiently(source: RegistrySource): Promise<RegistryDocument | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await source.read();
    } catch (failure) {
      const isBusy = failure instanceof StorageFailure && failure.kind === 'busy';
      if (!isBusy || tries === MAX_TRIES) throw failure;
    }
  }
}

function withPlace(place: string, reading: Reading<AssistantRegistry>): Reading<AssistantRegistry> {
  return reading.kind === 'valid' ? reading : invalid(...reading.faults.map((fault) => `${place}: ${fault}`));
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
