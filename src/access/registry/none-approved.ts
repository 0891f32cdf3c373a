import type { AssistantRegistry } from './assistant-registry.ts';

/** For an owner who may have stored an empty list by mistake; null where somebody listed is approved. */
export function nobodyApproved({ assistants }: AssistantRegistry, where: string): string | null {
  return assistants.some(({ status }) => status === 'approved')
    ? null
    : `The registry of assistants in ${where} approves nobody: only callers of STAYWIRE_TRUSTED_NETWORKS are answered, where these are set.`;
}
