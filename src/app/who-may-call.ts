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
import { WELL_KNOWN_ASSISTANTS } from '../access/registry/well-known-assistants.ts';
import type { Clock } from '../clock.ts';
import { createFetchPublished } from '../outbound/fetch-published.ts';
import { createAllowedAddresses } from '../outbound/guarded-connector.ts';
import { createClientOpener } from '../outbound/operator-client.ts';
import type { Random } from '../random.ts';
import type { AssistantId } from '../sessions/session.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  createPublishedObserver,
  createRegistryObserver,
  createRiskWarnings,
} from '../telemetry/observe-access.ts';
import type { Audit } from './open-audit.ts';
import type { RegisteredAssistants, RegistryAtStart } from './registered-assistants.ts';
import type { Settings } from './settings.ts';

/** The list of approved callers, updated while the service runs. */
export type WhoMayCall = {
  list(): AccessList;
  /** After a change of the registry: resolves when this node applies it, unless it cannot. */
  look(): Promise<void>;
  close(): Promise<void>;
};

/** Follows the registry and the documents its assistants publish, and reports changes of both to the owner. */
export function keepWhoMayCall({
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
  let registry = registryFor(since.registry, settings.trustedNetworks);
  const observe = createPublishedObserver({ metrics, log, clock });
  const published = openPublished({
    settings,
    copies: copiesOf(settings, observe.copyFailed),
    clock,
    random,
    observe: audit ? withTurnedListsRecorded(observe, audit.listTurned) : observe,
  });
  metrics.watch({ published: published.status });
  const keeper = createAccessKeeper(registry, published, { isCertain: since.version !== null });
  const warnOfRisks = createRiskWarnings({ log });
  warnOf(registry);
  const watch = registered.watch({
    since,
    clock,
    observe: createRegistryObserver({ log, metrics, where: registered.where, copy: registered.copy }),
    onCopyFailed: (message) => log.warn(message),
    onChange(listed) {
      const before = registry;
      registry = registryFor(listed, settings.trustedNetworks);
      keeper.use(registry);
      audit?.registryChanged(before, registry);
      warnOf(registry);
    },
  });

  return {
    list: keeper.list,
    look: watch.look,
    async close() {
      published.stop();
      // Closing the source cancels a lookup that gets no answer.
      await Promise.all([watch.close(), registered.close()]);
    },
  };

  function warnOf(taken: AssistantRegistry): void {
    warnOfUnknownHost(taken);
    warnOfRisks(taken);
  }

  function warnOfUnknownHost(latest: AssistantRegistry): void {
    const signers = signersWithoutHost(latest, settings);
    if (!signers) return;
    log.warn(
      signers,
      'signed requests are refused until STAYWIRE_PUBLIC_URL or STAYWIRE_HOSTS says for which host they have to be signed',
    );
  }
}

/** Records in the audit log when a published list becomes too old or usable again, because its assistant is then refused or recognised. */
export function withTurnedListsRecorded(
  observe: PublishedObserver,
  listTurned: (list: string, state: 'on' | 'off') => void,
): PublishedObserver {
  const off = new Set<string>();
  return {
    ...observe,
    tooOld(address, ageMs) {
      off.add(address.url);
      listTurned(withoutQuery(address.url), 'off');
      observe.tooOld(address, ageMs);
    },
    fetched(address, facts) {
      if (off.delete(address.url)) listTurned(withoutQuery(address.url), 'on');
      observe.fetched(address, facts);
    },
  };
}

/** The query of an address may hold a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

const MAX_NAMED = 5;

/**
 * Approved assistants that sign, if no setting names the host for which they have to sign: a signature proves nothing unless it was made for
 * this service. Null if there are none.
 */
export function signersWithoutHost(
  { assistants }: AssistantRegistry,
  { publicUrl, hosts }: Pick<Settings, 'publicUrl' | 'hosts'>,
): { readonly assistants: readonly AssistantId[]; readonly others: number } | null {
  if (publicUrl !== null || hosts.length > 0) return null;
  const signers = assistants
    .filter(({ status }) => status === 'approved')
    .filter(({ recognisedBy }) => recognisedBy.some(({ kind }) => kind === 'signature'))
    .map(({ id }) => id);
  if (signers.length === 0) return null;
  const named = signers.slice(0, MAX_NAMED);
  return { assistants: named, others: signers.length - named.length };
}

export type PublishedSettings = Pick<
  Settings,
  'dataDirectory' | 'operatorNetworks' | 'publishedMaxAgeDays'
> & { readonly store: string };

const DAY_MS = 86_400_000;
/** In the folder of the data. */
const FOLDER_OF_PUBLISHED = 'published';

/** The documents that assistants publish, through the guarded client. Only followed documents are fetched. */
export function openPublished({
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
    snapshots: WELL_KNOWN_ASSISTANTS.flatMap(({ snapshots }) => snapshots),
  });
}

/** The last good copies of this node. */
export function copiesOf(
  { dataDirectory, store }: Pick<PublishedSettings, 'dataDirectory' | 'store'>,
  onFault: (error: unknown) => void,
): PublishedCopies {
  if (store === 'memory') return NO_COPIES;
  return createCopiesInFolder({ folder: join(dataDirectory, FOLDER_OF_PUBLISHED), onFault });
}
