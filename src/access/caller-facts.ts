import type { AssistantId } from '../sessions/session.ts';

/** What the gate looks at: nothing that the assistant's model supplies, only what its platform sends. */
export type CallerFacts = {
  /** The other end of the connection. */
  readonly peerAddress: string;
  /** As Node gives them: names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type AccessDecision =
  | { readonly approved: true; readonly assistant: AssistantId; readonly address: string }
  | { readonly approved: false; readonly reason: RefusalReason; readonly address: string };

export type RefusalReason = 'not_approved' | 'end_user_access';

/** A header that came several times is one list, as HTTP reads it. */
export function headerText(facts: CallerFacts, name: string): string | undefined {
  const value = facts.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
