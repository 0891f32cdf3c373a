import { join } from 'node:path';
import type { AccessList } from './access/access-list.ts';
import { createAccessKeeper } from './access/keep-access-list.ts';
import { createCopiesInFolder } from './access/published/copies-in-folder.ts';
import { NO_COPIES, type PublishedCopies } from './access/published/published-copies.ts';
import { createPublishedDocuments, type PublishedDocuments } from './access/published/published-documents.ts';
import type { PublishedObserver } from './access/published/published-observer.ts';
import { type AssistantRegistry, registryFor } from './access/registry/assistant-registry.ts';
import { WELL_KNOWN_ASSISTANTS } from './access/well-known/well-known-assistants.ts';
import type { Clock } from './clock.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { createPublishedObserver } from './observe/observe-published.ts';
import { createRegistryObserver } from './observe/observe-registry.ts';
import type { Audit } from './open-audit.ts';
import { createAllowedAddresses } from './operators/http/allowed-addresses.ts';
import { createFetchPublished } from './operators/http/fetch-published.ts';
import { createClientOpener } from './operators/http/operator-client.ts';
import type { Random } from './random.ts';
import type { RegisteredAssistants, RegistryAtStart } from './registered-assistants.ts';
import type { Settings } from './settings.ts';

/** Who may call, kept up to date for as long as the service runs. */
export type WhoMayCall = {
  list(): AccessList;
  close(): Promise<void>;
};

export type PublishedSettings = Pick<
  Settings,
  'dataDirectory' | 'operatorNetworks' | 'publishedMaxAgeDays'
> & { readonly store: string };

const DAY_MS = 86_400_000;
const FOLDER_OF_COPIES = 'published';

/** Follows the registry and what its assistants publish, and tells the owner of both. */
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
    observe: withAudit(observe, audit),
  });
  metrics.watch({ published: published.status });
  const keeper = createAccessKeeper(registry, published, { isCertain: since.version !== null });
  warnOfUnknownHost(registry);
  const watch = registered.watch({
    since,
    clock,
    observe: createRegistryObserver({ log, metrics }),
    onCopyFailed: (message) => log.warn(message),
    onChange(listed) {
      const before = registry;
      registry = registryFor(listed, settings.trustedNetworks);
      keeper.use(registry);
      audit?.registryChanged(before, registry);
      warnOfUnknownHost(registry);
    },
  });

  return {
    list: keeper.list,
    async close() {
      published.stop();
      // Closing the source breaks off a look that nobody answers.
      await Promise.all([watch.close(), registered.close()]);
    },
  };

  /** A signature is made for a host, and is worth nothing where it is not known whether that is ours. */
  function warnOfUnknownHost({ assistants }: AssistantRegistry): void {
    if (settings.publicUrl !== null || settings.hosts.length > 0) return;
    const signs = assistants.find(({ recognisedBy }) =>
      recognisedBy.some(({ kind }) => kind === 'signature'),
    );
    if (!signs) return;
    log.warn(
      { assistant: signs.id },
      'signed requests are refused until STAYWIRE_PUBLIC_URL or STAYWIRE_HOSTS says for which host they have to be signed',
    );
  }
}

/** What assistants publish, by the guarded client: only what is followed is fetched. */
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
  return createCopiesInFolder({ folder: join(dataDirectory, FOLDER_OF_COPIES), onFault });
}

/** A list that is too old is an assistant that is not recognised any more: that belongs beside what the owner has changed. */
function withAudit(observe: PublishedObserver, audit: Audit | null): PublishedObserver {
  const off = new Set<string>();
  return {
    ...observe,
    tooOld(address, ageMs) {
      off.add(address.url);
      audit?.listTurned(withoutQuery(address.url), 'off');
      observe.tooOld(address, ageMs);
    },
    fetched(address, facts) {
      if (off.delete(address.url)) audit?.listTurned(withoutQuery(address.url), 'on');
      observe.fetched(address, facts);
    },
  };
}

/** Which may hold a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
