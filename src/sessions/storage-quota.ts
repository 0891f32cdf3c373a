import type { LimitsOf } from './assistant-limits.ts';
import type { AssistantId } from './session.ts';

/** How much one assistant may keep in the store at a time. Beyond it no session is opened; open ones go on. */
export type StorageQuota = {
  readonly sessions: number;
  readonly bytes: number;
  /** For all assistants together. Beyond it, only an assistant that keeps less than its share opens sessions. */
  readonly totalBytes: number;
  readonly shareBytes: number;
};

/** What the sessions of one assistant that have not expired keep. */
export type KeptByAssistant = { readonly sessions: number; readonly bytes: number };

export type QuotaOf = (assistant: AssistantId) => StorageQuota;

/** Estimates: what a row takes, with its share of indexes and half-filled pages. */
export const SESSION_BYTES = 1_000;
export const USED_KEY_BYTES = 100;

/** With a result: 43 kB on average, and more with long policies. */
const FULL_SESSION_BYTES = 64 * 1024;

const MEGABYTE = 1024 * 1024;

/** By assistant, not by address: the traffic of a platform with many users may come from a few addresses. */
export function createQuotas({
  sessions,
  megabytes,
  totalMegabytes,
  limitsOf,
  countAssistants,
}: {
  readonly sessions: number;
  readonly megabytes: number;
  readonly totalMegabytes: number;
  readonly limitsOf: LimitsOf;
  /** Who share what the store may keep. */
  readonly countAssistants: () => number;
}): QuotaOf {
  const totalBytes = totalMegabytes * MEGABYTE;
  return (assistant) => {
    const own = limitsOf(assistant);
    return {
      sessions: own.sessions ?? sessions,
      bytes: (own.megabytes ?? megabytes) * MEGABYTE,
      totalBytes,
      shareBytes: Math.floor(totalBytes / Math.max(1, countAssistants())),
    };
  };
}

/**
 * Within what the store can hold, however large the owner's limits are: sessions fill three quarters of it, those of one assistant half of
 * that. Open ones go on, so they are counted as if each had a result.
 */
export function quotaWithin(quota: StorageQuota, maxBytes: number): StorageQuota {
  const totalBytes = maxBytes * 0.75;
  if (totalBytes >= quota.totalBytes) return quota;
  const bytes = Math.min(quota.bytes, totalBytes / 2);
  return {
    sessions: Math.min(quota.sessions, Math.ceil(bytes / FULL_SESSION_BYTES)),
    bytes,
    totalBytes,
    shareBytes: (quota.shareBytes * totalBytes) / quota.totalBytes,
  };
}

export function isOverQuota(kept: KeptByAssistant, totalBytes: number, quota: StorageQuota): boolean {
  return (
    kept.sessions >= quota.sessions ||
    kept.bytes >= quota.bytes ||
    (totalBytes >= quota.totalBytes && kept.bytes >= quota.shareBytes)
  );
}
