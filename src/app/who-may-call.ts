import type { AccessList } from '../access/access-list.ts';
import { createAccessKeeper } from '../access/keep-access-list.ts';
import type { PublishedObserver } from '../access/published/published-observer.ts';
import { type AssistantRegistry, registryFor } from '../access/registry/assistant-registry.ts';
import type { Clock } from '../clock.ts';
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
import { copiesOf, openPublished, type PublishedSettings } from './open-published.ts';
import type { RegisteredAssistants, RegistryAtStart } from './registered-assistants.ts';
import type { Settings } from './settings.ts';

/** The list of approved callers, kept current while the service runs. */
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

/** A list that is too old is an assistant that is not recognised any more: that belongs beside what the owner has changed. */
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

/** Which may hold a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

const MAX_NAMED = 5;

/**
 * Approved assistants that sign, where no setting says for which host: a signature is worth nothing where it is not known whether it was made
 * for us. Null where there are none.
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
