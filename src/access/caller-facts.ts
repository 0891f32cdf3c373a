import type { AssistantId } from '../sessions/session.ts';

/** The facts by which the gate decides: only what the assistant's platform sends, nothing that its model writes. */
export type CallerFacts = ConnectionFacts & {
  readonly method: string;
  /** The request target as sent: path and query, or a whole URL. */
  readonly target: string;
};

export type ConnectionFacts = {
  /** The other end of the connection. */
  readonly peerAddress: string;
  /** As in Node: names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type AccessDecision =
  | {
      readonly kind: 'approved';
      readonly assistant: AssistantId;
      readonly way: WayOfRecognition;
      readonly address: string;
    }
  | {
      readonly kind: 'refused';
      readonly reason: AccessRefusal;
      readonly cause: RefusalCause;
      /** The recognised assistant that is suspended, or the one whose signature the request claims to have. */
      readonly assistant: AssistantId | null;
      /** The proof; null for an unproven claim. */
      readonly way: WayOfRecognition | null;
      readonly address: string;
    };

export type WayOfRecognition = 'signature' | 'ranges' | 'reverse_dns' | 'network';

/** The reason that the caller receives. */
export type AccessRefusal = 'not_approved' | 'end_user_access';

/** The cause for the owner. Callers do not receive it: it would help strangers to get in. */
export type RefusalCause =
  | 'unknown_caller'
  | 'suspended'
  | 'browser'
  | 'other_host'
  | 'unknown_address'
  | 'invalid_signature'
  | 'replayed_signature';

/** For a request that names another host, which is checked before everything else. */
export function refusedForHost(peerAddress: string): AccessDecision {
  return {
    kind: 'refused',
    reason: 'not_approved',
    cause: 'other_host',
    assistant: null,
    way: null,
    address: peerAddress,
  };
}

/** A repeated header is one list, as HTTP defines it. */
export function headerText(facts: ConnectionFacts, name: string): string | undefined {
  const value = facts.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * A person's browser: one that opens or prefetches a URL, in a window or in a frame, and any page in it that sends a request or loads a
 * resource. Only browsers can set these headers, not the pages in them, so their presence proves an end user; their absence proves nothing.
 * `Sec-Fetch-Mode` alone, other than for a navigation, is also sent by server-side clients.
 */
export function isBrowser(facts: ConnectionFacts): boolean {
  const { headers } = facts;
  if (headers.origin !== undefined) return true;
  return (
    (headers['sec-fetch-site'] !== undefined && !isWord('none', facts, 'sec-fetch-site')) ||
    (headers['sec-fetch-dest'] !== undefined && !isWord('empty', facts, 'sec-fetch-dest')) ||
    (headers['sec-fetch-mode'] !== undefined && hasWord('navigate', facts, 'sec-fetch-mode')) ||
    (headers['sec-purpose'] !== undefined && hasWord('prefetch', facts, 'sec-purpose'))
  );
}

/**
 * The first of these in `Accept` decides: browsers request the parts of a page by their type. HTML decides nothing: the fetch tools of
 * assistants request it too, and a browser that opens a page sends `Upgrade-Insecure-Requests`.
 */
const DECIDING_TYPE =
  /[/+]json\b|text\/markdown\b|text\/html|application\/xhtml|image\/|audio\/|video\/|font\/|text\/css|\/(?:x-)?(?:java|ecma)script/i;
const ASKED_BY_PROGRAMS = /json|markdown|html/i;

/**
 * For callers recognised by their network alone. On plain HTTP to an address that is not loopback, browsers send no `Sec-Fetch` headers;
 * what remains are `Referer`, `Upgrade-Insecure-Requests` and the requested types.
 */
export function looksLikeBrowser(facts: ConnectionFacts): boolean {
  const { headers } = facts;
  if (headers.referer !== undefined || headers['upgrade-insecure-requests'] !== undefined) return true;
  if (headers.accept === undefined) return false;
  const accept = String(headers.accept);
  const [type] = DECIDING_TYPE.exec(accept) ?? [];
  return type !== undefined && !ASKED_BY_PROGRAMS.test(type);
}

function isWord(word: string, facts: ConnectionFacts, name: string): boolean {
  return headerText(facts, name)?.trim().toLowerCase() === word;
}

function hasWord(word: string, facts: ConnectionFacts, name: string): boolean {
  return (
    headerText(facts, name)
      ?.toLowerCase()
      .split(/[\s,;]+/)
      .includes(word) === true
  );
}
