import type { Clock } from '../../clock.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import {
  type AssistantRegistry,
  noneApprovedWarning,
  type RegistryReading,
  readAssistantRegistry,
} from './assistant-registry.ts';
import type { WellKnownAssistant } from './registry-file.ts';
import {
  goneText,
  howToGoOn,
  type RegistryCopy,
  type RegistryDocument,
  type RegistrySource,
} from './registry-source.ts';
import { type RegistryEvent, type RegistryWatch, watchRegistry } from './watch-registry.ts';

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

const MAX_TRIES = 20;

export type RegistryPlace = Pick<RegisteredAssistants, 'source' | 'where' | 'copy'> & {
  /** Its name in faults. */
  readonly inFaults: string;
  /** Whether a start fails without it. */
  readonly isRequired: boolean;
  readonly reading: RegistryReading;
};

export function createRegisteredAssistants({
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
