import type { AccessList } from '../access/access-list.ts';
import { createAccessKeeper } from '../access/keep-access-list.ts';
import type { PublishedDocuments } from '../access/published/published-documents.ts';
import type { PublishedObserver } from '../access/published/published-observer.ts';
import { type AssistantRegistry, registryFor } from '../access/registry/assistant-registry.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { copiesOf, openPublished, type PublishedSettings } from './open-published.ts';
import type { Settings } from './settings.ts';

const UNWATCHED: PublishedObserver = {
  snapshotsUsed: () => {},
  fetched: () => {},
  failed: () => {},
  tooOld: () => {},
};

/**
 * What a service with these settings would go by if it started now. Until it is stopped it also fetches what is due, for itself alone: the
 * copies belong to a service that may be running.
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
