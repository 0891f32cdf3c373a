import { dirname, join, resolve } from 'node:path';
import {
  type AssistantRegistry,
  noneApprovedWarning,
  type RegistryReading,
  readAssistantRegistry,
} from '../access/registry/assistant-registry.ts';
import type { WellKnownAssistant } from '../access/registry/registry-file.ts';
import type { RegistryDocument, RegistrySource } from '../access/registry/registry-source.ts';
import {
  createRegistryCopy,
  createRegistryFileSource,
  goneText,
  howToGoOn,
  type RegistryCopy,
} from '../access/registry/registry-source.ts';
import { type RegistryEvent, type RegistryWatch, watchRegistry } from '../access/registry/watch-registry.ts';
import { WELL_KNOWN_ASSISTANTS } from '../access/registry/well-known-assistants.ts';
import { type Clock, systemClock } from '../clock.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import { openPostgresRegistry } from '../storage/stores.ts';
import { type Environment, readSetting } from './settings.ts';

/** The registry that the settings name: of a running service, and of the commands that change it. */
export type RegisteredAssistants = {
  readonly source: RegistrySource;
  /** For people; holds no password. */
  readonly where: string;
  /** The copy to use while the registry cannot be reached; null where no copy is stored. */
  readonly copy: RegistryCopy | null;
  readonly catalogue: readonly WellKnownAssistant[];
  /** `place` is where the text is from, for its faults; where the registry is when left out. */
  read(text: string, place?: string): Reading<AssistantRegistry>;
  /** Reads the registry for a start. */
  readAtStart(): Promise<Reading<RegistryAtStart>>;
  /** Until it is closed, looks for changes of what a start has read. */
  watch(options: {
    readonly since: RegistryAtStart;
    readonly clock: Pick<Clock, 'after'>;
    readonly onChange: (registry: AssistantRegistry) => void;
    readonly observe: (event: RegistryEvent) => void;
    /** Called when the copy for starts without the registry cannot be written. */
    readonly onCopyFailed: (message: string) => void;
  }): RegistryWatch;
  close(): Promise<void>;
};

export type RegistryAtStart = {
  /** Null where there is none. */
  readonly registry: AssistantRegistry | null;
  /** Null where it is not known: there is none, or it is the copy of this node. */
  readonly version: string | null;
  /** A warning for the owner. */
  readonly warning: string | null;
};

export type RegistryOptions = {
  readonly catalogue?: readonly WellKnownAssistant[];
  readonly openPostgres?: (options: { readonly url: string }) => RegistrySource;
  readonly clock?: Pick<Clock, 'elapsed' | 'after'>;
};

const FILE_IN_DATA_DIRECTORY = 'assistants.json';
const COPY_IN_DATA_DIRECTORY = 'assistants-in-force.json';
/** Beside the copy of the network, for starts while PostgreSQL is down too. */
const FOLDER_OF_REGISTRY_COPY = 'network';
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
  const store = readSetting('store', env);
  // A wrong setting is reported together with all others.
  if (named.kind === 'invalid' || postgres.kind === 'invalid') return invalid();
  if (data.kind === 'invalid' || store.kind === 'invalid') return invalid();
  if (named.value === null && postgres.value !== null) {
    return valid(
      registeredAt({
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
    registeredAt({
      source: createRegistryFileSource(path, { clock }),
      where: path,
      inFaults: path,
      copy: isCopied ? createRegistryCopy(join(dirname(path), COPY_IN_DATA_DIRECTORY)) : null,
      isRequired: named.value !== null,
      reading: { folder: dirname(path), catalogue },
    }),
  );
}

type RegistryPlace = Pick<RegisteredAssistants, 'source' | 'where' | 'copy'> & {
  /** Its name in faults. */
  readonly inFaults: string;
  /** Whether a start fails without it. */
  readonly isRequired: boolean;
  readonly reading: RegistryReading;
};

function registeredAt({
  source,
  where,
  inFaults,
  copy,
  isRequired,
  reading,
}: RegistryPlace): RegisteredAssistants {
  const read = (text: string, place = inFaults) => withPlace(place, readAssistantRegistry(text, reading));
  return {
    source,
    where,
    copy,
    catalogue: reading.catalogue,
    read,
    async readAtStart() {
      let document: RegistryDocument | null;
      try {
        document = await readPatiently(source);
      } catch (failure) {
        const isUnreachable = failure instanceof StorageFailure && failure.kind === 'unreachable';
        return isUnreachable
          ? valid(startWhileAway(failure.message))
          : invalid(`${inFaults}: cannot be read: ${messageOf(failure)}`);
      }
      return document ? startWith(document) : startWithout();
    },
    watch: ({ since, onCopyFailed, ...options }) => {
      let copied = since.version;
      return watchRegistry({
        ...options,
        source,
        current: since,
        read({ text, version }) {
          const registry = read(text);
          if (registry.kind === 'valid' && version !== copied) {
            copied = version;
            const fault = keepCopy(text);
            if (fault !== null) onCopyFailed(fault);
          }
          return registry;
        },
      });
    },
    close: () => source.close(),
  };

  function startWith({ text, version }: RegistryDocument): Reading<RegistryAtStart> {
    const registry = read(text);
    if (registry.kind === 'invalid') return registry;
    const warnings = [keepCopy(text), noneApprovedWarning(registry.value, where)].filter(
      (one) => one !== null,
    );
    return valid({ registry: registry.value, version, warning: warnings.join(' ') || null });
  }

  /** Uses the copy of a lost registry, so that a suspended assistant stays suspended. */
  function startWithout(): Reading<RegistryAtStart> {
    if (isRequired) {
      return invalid(
        `${where}: there is no such file; staywire assistants approve writes it with the first assistant`,
      );
    }
    const kept = readCopy();
    if (kept.kind === 'invalid') return invalid(...kept.faults.map((fault) => `${goneText(where)} ${fault}`));
    if (copy === null || kept.value === null) return valid({ registry: null, version: null, warning: null });
    return valid({
      registry: kept.value,
      version: null,
      warning: `${goneText(where)} This service goes by a copy of the one that was in force last on this machine, ${copy.path}, which may be an earlier one. ${howToGoOn(copy)}`,
    });
  }

  /** A damaged copy does not stop a start while PostgreSQL is down: PostgreSQL has the registry. */
  function startWhileAway(message: string): RegistryAtStart {
    const kept = readCopy();
    const registry = kept.kind === 'valid' ? kept.value : null;
    const about =
      kept.kind === 'invalid'
        ? kept.faults.join(' ')
        : registry
          ? 'Assistants are approved by the copy of this node, which may be an earlier one.'
          : 'This node has no copy of the registry of assistants that is stored there.';
    return { registry, version: null, warning: `${message} ${about}` };
  }

  /** Null where there is none. */
  function readCopy(): Reading<AssistantRegistry | null> {
    if (copy === null) return valid(null);
    const unusable = (why: string) =>
      invalid(
        `The copy of the registry of assistants on this node, ${copy.path}, cannot be used: ${why}. Mend it, or delete it to begin anew.`,
      );
    try {
      const text = copy.read();
      const registry = text === null ? valid(null) : readAssistantRegistry(text, reading);
      return registry.kind === 'valid' ? registry : unusable(registry.faults.join('; '));
    } catch (failure) {
      return unusable(messageOf(failure));
    }
  }

  function keepCopy(text: string): string | null {
    try {
      copy?.keep(text);
      return null;
    } catch (failure) {
      return `The registry of assistants cannot be kept in the folder of this node, STAYWIRE_DATA_DIR: ${messageOf(failure)}`;
    }
  }
}

/** Retries while a table that has to be migrated first is in use; each attempt takes a few seconds. */
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
