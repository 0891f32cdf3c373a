import { type AgentMember, keysAddress, type SignatureAgent } from '../../signatures/signature-agent.ts';
import type { SignatureMember } from '../../signatures/signature-headers.ts';
import type { UnverifiedSignature } from '../signature-verifier.ts';

/** Where a signature says that its key is, and whether it covers the words that say so. */
export type ClaimedAgent =
  | { readonly kind: 'claimed'; readonly keysUrl: string; readonly isCovered: boolean }
  | { readonly kind: 'none'; readonly why: UnverifiedSignature };

/**
 * A signature is attributed to a member of `Signature-Agent` that it covers and to no other. Where it covers those of several signatures,
 * as that of an intermediary does, its own is the one with its label. Without any, what it seems to claim is given too: somebody may
 * have added the header to it.
 */
export function claimedAgent(signature: SignatureMember, agent: SignatureAgent | null): ClaimedAgent {
  if (!agent) return { kind: 'none', why: 'no_agent' };
  if (agent.form === 'string') return claimed(agent.member, coversWholeHeader(signature));

  const covered = coveredMembers(signature);
  if (covered.length > 1 && !covered.includes(signature.label))
    return { kind: 'none', why: 'agent_ambiguous' };
  if (covered.length > 0) {
    const key = covered.includes(signature.label) ? signature.label : covered[0];
    return claimed(agent.members.get(key ?? ''), true);
  }
  const [only] = agent.members.size === 1 ? agent.members.values() : [];
  return claimed(agent.members.get(signature.label) ?? only, false);
}

function claimed(member: AgentMember | undefined, isCovered: boolean): ClaimedAgent {
  const keysUrl = member ? keysAddress(member) : null;
  return keysUrl === null
    ? { kind: 'none', why: 'agent_unreadable' }
    : { kind: 'claimed', keysUrl, isCovered };
}

function coversWholeHeader({ components }: SignatureMember): boolean {
  return components.some(([name, { size }]) => name === 'signature-agent' && size === 0);
}

function coveredMembers({ components }: SignatureMember): readonly string[] {
  return components.flatMap(([name, parameters]) => {
    const key = parameters.get('key');
    return name === 'signature-agent' && typeof key === 'string' ? [key] : [];
  });
}
