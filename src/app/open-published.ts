import { join } from 'node:path';
import type { AccessList } from '../access/access-list.ts';
import { createAccessKeeper } from '../access/keep-access-list.ts';
import { createCopiesInFolder } from '../access/published/copies-in-folder.ts';
import { NO_COPIES, type PublishedCopies } from '../access/published/published-copies.ts';
import {
  createPublishedDocuments,
  type PublishedDocuments,
} from '../access/published/published-documents.ts';
import type { PublishedObserver } from '../access/published/published-observer.ts';
import { type AssistantRegistry, registryFor } from '../access/registry/assistant-registry.ts';
import { WELL_KNOWN_ASSISTANTS } from '../access/well-known/well-known-assistants.ts';
import type { Clock } from '../clock.ts';
import { createFetchPublished } from '../outbound/fetch-published.ts';
import { createAllowedAddresses } from '../outbound/guarded-connector.ts';
import { createClientOpener } from '../outbound/operator-client.ts';
import type { Random } from '../random.ts';
import type { Settings } from './settings.ts';

const UNWATCHED: PublishedObserver = {
  snapshotsUsed: () => {},
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
