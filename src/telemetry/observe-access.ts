import type { PublishedAddress, PublishedObserver } from '../access/published/published-document.ts';
import { type AssistantRegistry, noneApprovedWarning } from '../access/registry/assistant-registry.ts';
import { risksBeyondTrusted } from '../access/registry/recognition-ways.ts';
import { goneText, howToGoOn, type RegistryCopy } from '../access/registry/registry-source.ts';
import type { RegistryEvent } from '../access/registry/watch-registry.ts';
import { type RegistryObserver, signersWithoutHost } from '../access/who-may-call.ts';
import type { Clock } from '../clock.ts';
import type { Log } from './log.ts';
import { type Metrics, publishedLabels as shown } from './metrics.ts';

/** Logs whether a changed registry has come into force. */
export function createRegistryObserver({
  log,
  metrics,
  where,
  copy,
}: {
  readonly log: Log;
  /** Describes the source for people, without a password. */
  readonly where: string;
  readonly copy: Pick<RegistryCopy, 'path'> | null;
  readonly metrics: Pick<Metrics, 'set'>;
}): (event: RegistryEvent) => void {
  return (event) => {
    const isInForce = event.kind === 'taken' || event.kind === 'none';
    metrics.set('registryInForce', {}, isInForce ? 1 : 0);
    switch (event.kind) {
      case 'taken': {
        log.info({ assistants: event.registry.assistants.length }, 'the registry of assistants is in force');
        const warning = noneApprovedWarning(event.registry, where);
        if (warning !== null) log.warn({ registry: where }, warning);
        return;
      }
      case 'none':
        log.info('there is no registry of assistants, as before');
        return;
      case 'faulty':
        log.error(
          { registry: where, faults: event.faults },
          'the registry of assistants has faults; the last good one stays in force, and a restart will fail until they are mended',
        );
        return;
      case 'missing':
        log.error(
          { registry: where, copy: copy?.path },
          `${goneText(where)} The last one stays in force. ${copy ? howToGoOn(copy) : 'Put it back, or store {"assistants": []} to answer nobody: no copy is kept of it, and a restart will not know whom it listed.'}`,
        );
        return;
      case 'unreachable':
        log.warn(
          { registry: where, cause: event.message },
          'the registry of assistants cannot be read; the last one stays in force',
        );
    }
  };
}

/** For one assistant: a list has as many risks as entries, and the first ones are enough to act. */
const MAX_WARNINGS = 20;

/**
 * Warns of the risks in each accepted registry: `staywire assistants approve` asks before it approves an entry by which others
 * could call too, but a registry can also be edited by hand. Each risk is logged once, until it has gone.
 */
export function createRiskWarnings({
  log,
}: {
  readonly log: Pick<Log, 'warn'>;
}): (registry: AssistantRegistry) => void {
  let reported = new Set<string>();
  return (registry) => {
    const found = new Set<string>();
    for (const assistant of registry.assistants) {
      const { id } = assistant;
      for (const risk of risksBeyondTrusted(assistant, registry).slice(0, MAX_WARNINGS)) {
        const key = `${id} ${risk}`;
        found.add(key);
        if (reported.has(key)) continue;
        log.warn(
          { assistant: id, risk },
          `others than this assistant can call in its name; name it more narrowly in the registry, or stop it with staywire assistants suspend ${id}`,
        );
      }
    }
    reported = found;
  };
}

/** Records changes of the registry in the audit log and warns of what the owner should mend. */
export function observeRegistryInForce({
  log,
  audit,
  publicUrl,
  hosts,
}: {
  readonly log: Pick<Log, 'warn'>;
  readonly audit: { registryChanged(before: AssistantRegistry, after: AssistantRegistry): void } | null;
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
}): RegistryObserver['inForce'] {
  const warnOfRisks = createRiskWarnings({ log });
  return (registry, before) => {
    if (before) audit?.registryChanged(before, registry);
    const signers = signersWithoutHost(registry, { publicUrl, hosts });
    if (signers) {
      log.warn(
        signers,
        'signed requests are refused until STAYWIRE_PUBLIC_URL or STAYWIRE_HOSTS says for which host they have to be signed',
      );
    }
    warnOfRisks(registry);
  };
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
      listTurned(shown(address).address, 'off');
      observe.tooOld(address, ageMs);
    },
    fetched(address, facts) {
      if (off.delete(address.url)) listTurned(shown(address).address, 'on');
      observe.fetched(address, facts);
    },
  };
}

/** A server that is down fails every few minutes in the same way. */
const LOG_PAUSE_MS = 3_600_000;

/** What identifies callers in the meantime. */
const STAND_IN = {
  fetch: 'the last good copy stays',
  copy: 'the last good copy stays',
  none: 'there is no copy that may be used, so nobody is recognised by it',
} as const;

export function createPublishedObserver({
  metrics,
  log,
  clock,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly clock: Pick<Clock, 'elapsed'>;
}): PublishedObserver & {
  /** A copy on disk that could not be read or written. */
  copyFailed(error: unknown): void;
} {
  const failing = new Map<string, { readonly failure: string; readonly loggedAt: number }>();

  return {
    fetched(address, { hasChanged, count, dropped }) {
      metrics.count('publishedFetches', { ...shown(address), outcome: hasChanged ? 'changed' : 'same' });
      const hadFailed = failing.delete(keyOf(address));
      if (hasChanged || hadFailed) {
        log.info(
          { ...shown(address), count, dropped },
          hasChanged ? 'published document is new' : 'published document is fetched again',
        );
      }
    },
    failed(address, { failure, detail, used }) {
      metrics.count('publishedFetches', { ...shown(address), outcome: failure });
      const before = failing.get(keyOf(address));
      const now = clock.elapsed();
      if (before?.failure === failure && now - before.loggedAt < LOG_PAUSE_MS) return;
      failing.set(keyOf(address), { failure, loggedAt: now });
      log.warn(
        { ...shown(address), failure, detail, ...(used && { days: daysIn(used.ageMs) }) },
        `published document could not be fetched; ${STAND_IN[used?.source ?? 'none']}`,
      );
    },
    tooOld(address, ageMs) {
      log.error(
        { ...shown(address), days: daysIn(ageMs) },
        'published document is too old: nobody is recognised by it until it can be fetched',
      );
    },
    copyFailed: (error) =>
      log.warn({ err: error }, 'copy of a published document could not be read or written'),
  };
}

function daysIn(milliseconds: number): number {
  return Math.floor(milliseconds / 86_400_000);
}

function keyOf({ kind, url }: PublishedAddress): string {
  return `${kind} ${url}`;
}
