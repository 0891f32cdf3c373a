import type { DocumentStatus } from '../../access/published/followed-document.ts';
import type { Recognition } from '../../access/registry/assistant-registry.ts';
import { counted } from '../counted.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The document that a way of recognition goes by, if it goes by one. */
export function publishedFor(
  way: Recognition | undefined,
  published: readonly DocumentStatus[],
): DocumentStatus | undefined {
  if (way?.kind === 'signature') return named(published, 'keys', way.keysUrl);
  return way?.kind === 'published_ranges' ? named(published, 'ranges', way.url) : undefined;
}

function named(
  published: readonly DocumentStatus[],
  kind: DocumentStatus['kind'],
  url: string,
): DocumentStatus | undefined {
  return published.find((one) => one.kind === kind && one.url === url);
}

/** `fetched 5 minutes ago`, `never fetched`. */
export function lastFetchText({ source, ageMs, isTooOld }: DocumentStatus): string {
  if (source === null || ageMs === null) return 'never fetched';
  const age = ageText(ageMs);
  const when = source === 'snapshot' ? `never fetched, as shipped ${age} ago` : `fetched ${age} ago`;
  return isTooOld ? `${when}, too old to be used` : when;
}

/** `keys at https://…`. */
export function documentText({ kind, url }: Pick<DocumentStatus, 'kind' | 'url'>): string {
  return `${kind === 'keys' ? 'keys' : 'networks'} at ${url}`;
}

/** As data, for `--json`. */
export function publishedData(published: readonly DocumentStatus[]) {
  return published.map(({ kind, url, source, confirmedAt, isTooOld, lastFailure }) => ({
    kind,
    url,
    source,
    confirmed_at: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
    usable: !isTooOld,
    last_failure: lastFailure?.detail ?? null,
  }));
}

function ageText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return 'less than a minute';
  if (ageMs < 2 * HOUR_MS) return counted(Math.floor(ageMs / MINUTE_MS), 'minute');
  if (ageMs < 2 * DAY_MS) return counted(Math.floor(ageMs / HOUR_MS), 'hour');
  return counted(Math.floor(ageMs / DAY_MS), 'day');
}
