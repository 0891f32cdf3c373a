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

/** An assistant's own limits in the registry, in place of the settings. */
export type AssistantLimits = {
  /** In a window of the rate limit, over all of its sessions and addresses. */
  readonly requests?: number | undefined;
  readonly sessions?: number | undefined;
  readonly megabytes?: number | undefined;
  /** At a time, that ask operators. */
  readonly searches?: number | undefined;
};

export type QuotaOf = (assistant: AssistantId) => StorageQuota;

/** Estimates: what a row takes, with its share of indexes and half-filled pages. */
export const SESSION_BYTES = 1_000;
export const USED_KEY_BYTES = 100;
export const ISSUED_QUOTE_BYTES = 250;

const MEGABYTE = 1024 * 1024;

/** By assistant, not by address: the traffic of a platform with many users may come from a few addresses. */
export function createQuotas({
  sessions,
  megabytes,
  totalMegabytes,
  assistants,
}: {
  readonly sessions: number;
  readonly megabytes: number;
  readonly totalMegabytes: number;
  readonly assistants: readonly { readonly id: AssistantId; readonly limits?: AssistantLimits | undefined }[];
}): QuotaOf {
  const totalBytes = totalMegabytes * MEGABYTE;
  const shareBytes = Math.floor(totalBytes / Math.max(1, assistants.length));
  const quotaWith = (limits: AssistantLimits = {}): StorageQuota => ({
    sessions: limits.sessions ?? sessions,
    bytes: (limits.megabytes ?? megabytes) * MEGABYTE,
    totalBytes,
    shareBytes,
  });
  const usual = quotaWith();
  const own = new Map(assistants.map(({ id, limits }) => [id, quotaWith(limits)]));
  return (assistant) => own.get(assistant) ?? usual;
}

export function isOverQuota(kept: KeptByAssistant, totalBytes: number, quota: StorageQuota): boolean {
  return (
    kept.sessions >= quota.sessions ||
    kept.bytes >= quota.bytes ||
    (totalBytes >= quota.totalBytes && kept.bytes >= quota.shareBytes)
  );
}
