import { join } from 'node:path';
import { type AccessList, createAccessKeeper } from '../access/access-list.ts';
import {
  createCopiesInFolder,
  NO_COPIES,
  type PublishedCopies,
  type PublishedObserver,
} from '../access/published/published-document.ts';
import {
  createPublishedDocuments,
  type PublishedDocuments,
} from '../access/published/published-documents.ts';
import { type AssistantRegistry, registryFor } from '../access/registry/assistant-registry.ts';
import type { RegisteredAssistants, RegistryAtStart } from '../access/registry/registered-assistants.ts';
import { keepWhoMayCall, type WhoMayCall } from '../access/who-may-call.ts';
import type { Clock } from '../clock.ts';
import { SOFTWARE_VERSION } from '../contract/vocabulary.ts';
import { createFetchPublished } from '../outbound/fetch-published.ts';
import { createAllowedAddresses } from '../outbound/guarded-connector.ts';
import { createClientOpener } from '../outbound/http-client.ts';
import type { Random } from '../random.ts';
import { auditDirectory } from '../telemetry/audit/audit-files.ts';
import { openAuditLog } from '../telemetry/audit/audit-log.ts';
import { type RecordAudit, registryEntries } from '../telemetry/audit/audit-record.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  createPublishedObserver,
  createRegistryObserver,
  observeRegistryInForce,
  withTurnedListsRecorded,
} from '../telemetry/observe-access.ts';
import { createAuditLogObserver } from '../telemetry/observers.ts';
import type { Settings } from './settings.ts';

/** The audit log of a node. */
export type Audit = {
  readonly record: RecordAudit;
  registryChanged(before: AssistantRegistry, after: AssistantRegistry): void;
  /** A published list is used again, or is not used any more because it is too old. */
  listTurned(list: string, state: 'on' | 'off'): void;
  close(): Promise<void>;
};

/** Null where the owner has turned it off, and for a store in memory. */
export function openAudit({
  settings,
  registry,
  node,
  clock,
  log,
  metrics,
}: {
  readonly settings: Pick<Settings, 'auditDays' | 'maxAuditMegabytes' | 'store' | 'dataDirectory'>;
  readonly registry: AssistantRegistry;
  readonly node: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}): Audit | null {
  const { auditDays, maxAuditMegabytes, store, dataDirectory } = settings;
  if (auditDays === null || store === 'memory') return null;
  const { record, close } = openAuditLog({
    directory: auditDirectory(dataDirectory),
    days: auditDays,
    ...(maxAuditMegabytes !== null && { maxBytes: maxAuditMegabytes * 1024 * 1024 }),
    clock,
    observe: createAuditLogObserver({ metrics, log }),
  });
  record({ kind: 'started', node, version: SOFTWARE_VERSION });
  for (const entry of registryEntries([], registry.assistants)) record({ ...entry, start: true });
  return {
    record,
    registryChanged(before, after) {
      registryEntries(before.assistants, after.assistants).forEach(record);
    },
    listTurned: (list, state) => record({ kind: 'published_list', list, state }),
    async close() {
      record({ kind: 'stopped' });
      await close();
    },
  };
}

/** Follows the registry and the documents that its assistants publish, and reports changes of both to the owner. */
export function openWhoMayCall({
  settings,
  registered,
  since,
  audit,
  clock,
  random,
  log,
  metrics,
}: {
  readonly settings: PublishedSettings & Pick<Settings, 'trustedNetworks' | 'publicUrl' | 'hosts'>;
  readonly registered: RegisteredAssistants;
  readonly since: RegistryAtStart;
  readonly audit: Audit | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}): WhoMayCall {
  const { trustedNetworks, publicUrl, hosts } = settings;
  const { where, copy } = registered;
  const observe = createPublishedObserver({ metrics, log, clock });
  const published = openPublished({
    settings,
    copies: copiesOf(settings, observe.copyFailed),
    clock,
    random,
    observe: audit ? withTurnedListsRecorded(observe, audit.listTurned) : observe,
  });
  metrics.watch({ published: published.status });
  return keepWhoMayCall({
    registered,
    since,
    published,
    trustedNetworks,
    clock,
    observe: {
      event: createRegistryObserver({ log, metrics, where, copy }),
      inForce: observeRegistryInForce({ log, audit, publicUrl, hosts }),
      copyFailed: (message) => log.warn(message),
    },
  });
}

export type PublishedSettings = Pick<
  Settings,
  'dataDirectory' | 'operatorNetworks' | 'publishedMaxAgeDays'
> & { readonly store: string };

const DAY_MS = 86_400_000;
/** In the folder of the data. */
const FOLDER_OF_PUBLISHED = 'published';

/** The documents that assistants publish, through the guarded client. Only followed documents are fetched. */
function openPublished({
  settings: { operatorNetworks, publishedMaxAgeDays },
  clock,
  ...surroundings
}: {
  readonly settings: PublishedSettings;
  readonly copies: PublishedCopies;
  readonly observe: PublishedObserver;
  readonly clock: Clock;
  readonly random: Random;
}): PublishedDocuments {
  const openClient = createClientOpener({ addresses: createAllowedAddresses(operatorNetworks), clock });
  return createPublishedDocuments({
    ...surroundings,
    clock,
    fetchDocument: createFetchPublished({ openClient, clock }),
    maxAgeMs: publishedMaxAgeDays * DAY_MS,
  });
}

/** The last good copies of this node. */
function copiesOf(
  { dataDirectory, store }: Pick<PublishedSettings, 'dataDirectory' | 'store'>,
  onFault: (error: unknown) => void,
): PublishedCopies {
  if (store === 'memory') return NO_COPIES;
  return createCopiesInFolder({ folder: join(dataDirectory, FOLDER_OF_PUBLISHED), onFault });
}

const UNWATCHED: PublishedObserver = {
  fetched: () => {},
  failed: () => {},
  tooOld: () => {},
};

/**
 * The published documents that a service with these settings would use if it started now. Until it is stopped, it fetches due
 * documents too, but does not store them: the stored copies belong to a service that may be running.
 */
export function lookAtPublished(
  {
    registry,
    settings,
  }: {
    readonly registry: AssistantRegistry;
    readonly settings: PublishedSettings & Pick<Settings, 'trustedNetworks'>;
  },
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): { readonly list: () => AccessList; readonly published: PublishedDocuments } {
  const { read } = copiesOf(settings, () => {});
  const published = openPublished({
    settings,
    copies: { read, write: () => {}, keepOnly: () => {} },
    observe: UNWATCHED,
    clock,
    random,
  });
  const { list } = createAccessKeeper(registryFor(registry, settings.trustedNetworks), published, {
    isCertain: false,
  });
  return { list, published };
}
