import type { AssistantRegistry } from './access/registry/assistant-registry.ts';
import type { AssistantId } from './sessions/session.ts';
import type { Settings } from './settings.ts';

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
