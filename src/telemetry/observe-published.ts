import type { PublishedAddress } from '../access/published/published-document.ts';
import type { PublishedObserver } from '../access/published/published-observer.ts';
import type { Clock } from '../clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A server that is down is asked every few minutes, and says the same each time. */
const LOG_PAUSE_MS = 3_600_000;

/** What callers are judged by meanwhile. */
const STAND_IN = {
  fetch: 'the last good copy stays',
  copy: 'the last good copy stays',
  snapshot: 'the list that was shipped stays',
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
      metrics.publishedFetched(address, hasChanged ? 'changed' : 'same');
      const hadFailed = failing.delete(keyOf(address));
      if (hasChanged || hadFailed) {
        log.info(
          { ...shown(address), count, dropped },
          hasChanged ? 'published document is new' : 'published document is fetched again',
        );
      }
    },
    failed(address, { failure, detail, used }) {
      metrics.publishedFetched(address, failure);
      const before = failing.get(keyOf(address));
      const now = clock.elapsed();
      if (before?.failure === failure && now - before.loggedAt < LOG_PAUSE_MS) return;
      failing.set(keyOf(address), { failure, loggedAt: now });
      log.warn(
        { ...shown(address), failure, detail, ...(used && { days: daysIn(used.ageMs) }) },
        `published document could not be fetched; ${STAND_IN[used?.source ?? 'none']}`,
      );
    },
    snapshotsUsed: (snapshots) =>
      log.warn(
        { lists: snapshots.map(({ address, ageMs }) => ({ ...shown(address), days: daysIn(ageMs) })) },
        'lists of networks are used as they were shipped, so many days old, until they have been fetched',
      ),
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

/** Without the query, which may hold a secret. */
function shown({ kind, url }: PublishedAddress) {
  return { kind, address: url.replace(/[?#].*/s, '') };
}
