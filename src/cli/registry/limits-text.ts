import type { LimitsInDocument } from '../../access/registry/registry-file.ts';

/** What one is, and what several are. */
const NOUNS = {
  requests: ['request in a window', 'requests in a window'],
  sessions: ['open session', 'open sessions'],
  megabytes: ['megabyte kept', 'megabytes kept'],
  searches: ['search at a time', 'searches at a time'],
} as const satisfies Record<keyof LimitsInDocument, readonly [string, string]>;

/** `6000 requests in a window, 1 search at a time`. */
export function limitsText(limits: LimitsInDocument): string {
  const texts = Object.entries(limits).map(
    ([member, value]) => `${value} ${NOUNS[member as keyof LimitsInDocument][value === 1 ? 0 : 1]}`,
  );
  return texts.length > 0 ? texts.join(', ') : 'those of the settings';
}
