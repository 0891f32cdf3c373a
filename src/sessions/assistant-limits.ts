import type { AssistantId } from './session.ts';

/** The owner's limits for one assistant, over all of its sessions and addresses. */
export type AssistantLimits = {
  /** Per window of the rate limit. */
  readonly requests?: number | undefined;
  /** Open at a time. `sessions` and `megabytes` (stored) replace the settings. */
  readonly sessions?: number | undefined;
  readonly megabytes?: number | undefined;
  /** Searches that may ask operators at the same time. */
  readonly searches?: number | undefined;
};

/** Call it at each use: owners change limits while the service runs. */
export type LimitsOf = (assistant: AssistantId) => AssistantLimits;

export type LimitedAssistant = { readonly id: AssistantId; readonly limits?: AssistantLimits | undefined };

const NONE: AssistantLimits = {};

/** Expects a list that is replaced as a whole when it changes. */
export function createLimitsOf(assistants: () => readonly LimitedAssistant[]): LimitsOf {
  let known: readonly LimitedAssistant[] | undefined;
  let limits = new Map<AssistantId, AssistantLimits>();
  return (assistant) => {
    const latest = assistants();
    if (latest !== known) {
      known = latest;
      limits = new Map(latest.map((one) => [one.id, one.limits ?? NONE]));
    }
    return limits.get(assistant) ?? NONE;
  };
}

/** Places for an assistant's searches that ask operators at the same time, shared by all nodes. */
export interface SearchPlaces {
  /**
   * Returns the function that gives the place back, to be called once; null when all are taken. The place of a node that dies is free
   * after `maxMs`, which is longer than any search and its calls last.
   */
  take(
    assistant: AssistantId,
    terms: { readonly limit: number; readonly maxMs: number },
  ): Promise<(() => void) | null>;
}

/** In the memory of this process: its places end with it. */
export function createSearchPlaces(): SearchPlaces {
  const taken = new Map<AssistantId, number>();
  return {
    async take(assistant, { limit }) {
      const count = taken.get(assistant) ?? 0;
      if (count >= limit) return null;
      taken.set(assistant, count + 1);
      return () => {
        const left = (taken.get(assistant) ?? 1) - 1;
        if (left > 0) taken.set(assistant, left);
        else taken.delete(assistant);
      };
    },
  };
}

/** How much of the store one assistant may use. Beyond it no session is opened; open ones go on. */
export type StorageQuota = {
  readonly sessions: number;
  readonly bytes: number;
  /** For all assistants together. Beyond it, only an assistant that stores less than its share opens sessions. */
  readonly totalBytes: number;
  readonly shareBytes: number;
};

/** What an assistant's unexpired sessions take in the store. */
export type AssistantUsage = { readonly sessions: number; readonly bytes: number };

export type QuotaOf = (assistant: AssistantId) => StorageQuota;

/** Estimates of a row, with its share of indexes and half-filled pages. */
export const SESSION_BYTES = 1_000;
export const USED_KEY_BYTES = 100;
/** With a result: 43 kB on average, and more with long policies. */
const FULL_SESSION_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;

/** Quotas are by assistant, not by address: a platform with many users may send its traffic from a few addresses. */
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
  /** The assistants that share the store. */
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
 * Reduces a quota to the capacity of the store: sessions fill at most three quarters of it, those of one assistant half of that. Open
 * sessions go on, so each counts as if it had a result.
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

export function isOverQuota(kept: AssistantUsage, totalBytes: number, quota: StorageQuota): boolean {
  return (
    kept.sessions >= quota.sessions ||
    kept.bytes >= quota.bytes ||
    (totalBytes >= quota.totalBytes && kept.bytes >= quota.shareBytes)
  );
}
