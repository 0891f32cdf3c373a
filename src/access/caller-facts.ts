import type { AssistantId } from '../sessions/session.ts';

/** What the gate decides by: only what the assistant's platform sends, nothing that its model writes. */
export type CallerFacts = {
  /** The other end of the connection. */
  readonly peerAddress: string;
  /** As Node gives them: names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type AccessDecision =
  | { readonly kind: 'approved'; readonly assistant: AssistantId; readonly address: string }
  | { readonly kind: 'refused'; readonly reason: AccessRefusal; readonly address: string };

export type AccessRefusal = 'not_approved' | 'end_user_access';

/** A repeated header is one list, as HTTP defines it. */
export function headerText(facts: CallerFacts, name: string): string | undefined {
  const value = facts.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * A person's browser that opens or prefetches an address, in a window or in a frame. Only browsers can set these headers, not the pages in them, so
 * their presence shows an end user; their absence shows nothing.
 */
export function isBrowserNavigation(facts: CallerFacts): boolean {
  const { headers } = facts;
  if (headers['sec-purpose'] === undefined && headers['sec-fetch-mode'] === undefined) return false;
  return (
    words(headerText(facts, 'sec-purpose')).includes('prefetch') ||
    words(headerText(facts, 'sec-fetch-mode')).includes('navigate')
  );
}

function words(header: string | undefined): readonly string[] {
  return header?.toLowerCase().split(/[\s,;]+/) ?? [];
}
