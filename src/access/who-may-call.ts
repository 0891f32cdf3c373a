import type { Clock } from '../clock.ts';
import type { AssistantId } from '../sessions/session.ts';
import { type AccessList, createAccessKeeper } from './access-list.ts';
import type { PublishedDocuments } from './published/published-documents.ts';
import { type AssistantRegistry, registryFor } from './registry/assistant-registry.ts';
import type { RegisteredAssistants, RegistryAtStart } from './registry/registered-assistants.ts';
import type { RegistryEvent } from './registry/watch-registry.ts';

/** The list of approved callers, updated while the service runs. */
export type WhoMayCall = {
  list(): AccessList;
  /** After a change of the registry: resolves when this node applies it, unless it cannot. */
  look(): Promise<void>;
  close(): Promise<void>;
};

/** What the owner learns of the registry. */
export type RegistryObserver = {
  readonly event: (event: RegistryEvent) => void;
  /** In force from now on. Null before the registry of the start. */
  readonly inForce: (registry: AssistantRegistry, before: AssistantRegistry | null) => void;
  /** The copy for starts without the registry could not be written. */
  readonly copyFailed: (message: string) => void;
};

/** Follows the registry and the documents that its assistants publish. */
export function keepWhoMayCall({
  registered,
  since,
  published,
  trustedNetworks,
  clock,
  observe,
}: {
  readonly registered: Pick<RegisteredAssistants, 'watch' | 'close'>;
  readonly since: RegistryAtStart;
  readonly published: PublishedDocuments;
  readonly trustedNetworks: readonly string[] | null;
  readonly clock: Clock;
  readonly observe: RegistryObserver;
}): WhoMayCall {
  let registry = registryFor(since.registry, trustedNetworks);
  const keeper = createAccessKeeper(registry, published, { isCertain: since.version !== null });
  observe.inForce(registry, null);
  const watch = registered.watch({
    since,
    clock,
    observe: observe.event,
    onCopyFailed: observe.copyFailed,
    onChange(listed) {
      const before = registry;
      registry = registryFor(listed, trustedNetworks);
      keeper.use(registry);
      observe.inForce(registry, before);
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
}

const MAX_NAMED = 5;

/**
 * Approved assistants that sign, if no setting names the host for which they have to sign: a signature proves nothing unless it was made for
 * this service. Null if there are none.
 */
export function signersWithoutHost(
  { assistants }: AssistantRegistry,
  { publicUrl, hosts }: { readonly publicUrl: string | null; readonly hosts: readonly string[] },
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
