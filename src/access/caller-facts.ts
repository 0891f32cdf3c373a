import type { AssistantId } from '../sessions/session.ts';

/** What the gate decides by: only what the assistant's platform sends, nothing that its model writes. */
export type CallerFacts = ConnectionFacts & {
  readonly method: string;
  /** The request target as it was sent: path and query, or a whole address. */
  readonly target: string;
};

export type ConnectionFacts = {
  /** The other end of the connection. */
  readonly peerAddress: string;
  /** As Node gives them: names in lower case. */
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
      /** The one that was recognised and is suspended, or whose signature it claims to be. */
      readonly assistant: AssistantId | null;
      /** By which it was recognised; null for a claim that was not proven. */
      readonly way: WayOfRecognition | null;
      readonly address: string;
    };

export type WayOfRecognition = 'signature' | 'ranges' | 'reverse_dns' | 'network';

/** What the caller is told. */
export type AccessRefusal = 'not_approved' | 'end_user_access';

/** What the owner is told. Callers are not: it would show strangers how to come nearer. */
export type RefusalCause =
  | 'unknown_caller'
  | 'suspended'
  | 'browser'
  | 'other_host'
  | 'unknown_address'
  | 'invalid_signature'
  | 'replayed_signature';

/** Of a request that names another host, which is asked before anything else. */
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
 * A person's browser: one that opens or prefetches an address, in a window or in a frame, and any page in it that sends a request
 * or loads something. Only browsers can set these headers, not the pages in them, so their presence shows an end user;
 * their absence shows nothing. `Sec-Fetch-Mode` alone, other than for a navigation, is also sent by server-side clients.
 */
export function isBrowser(facts: ConnectionFacts): boolean {
  const { headers } = facts;
  if (headers.origin !== undefined) return true;
  return (
    isOtherThan('none', facts, 'sec-fetch-site') ||
    isOtherThan('empty', facts, 'sec-fetch-dest') ||
    (headers['sec-fetch-mode'] !== undefined && hasWord('navigate', facts, 'sec-fetch-mode')) ||
    (headers['sec-purpose'] !== undefined && hasWord('prefetch', facts, 'sec-purpose'))
  );
}

/**
 * The first of these in `Accept` tells: a page's parts are asked for by what they are. Documents are not: the fetch tools of
 * assistants ask for HTML too, and a browser that opens one sends the wish for HTTPS.
 */
const TELLING_TYPE =
  /[/+]json\b|text\/markdown\b|text\/html|application\/xhtml|image\/|audio\/|video\/|font\/|text\/css|\/(?:x-)?(?:java|ecma)script/i;
const ASKED_BY_PROGRAMS = /json|markdown|html/i;

/**
 * For callers that only their network recommends. On plain HTTP to an address that is not loopback, browsers send no `Sec-Fetch`
 * headers; what is left are the page that names itself, the wish for HTTPS, and the kind of thing that is asked for.
 */
export function looksLikeBrowser(facts: ConnectionFacts): boolean {
  const { headers } = facts;
  if (headers.referer !== undefined || headers['upgrade-insecure-requests'] !== undefined) return true;
  const accept = headerText(facts, 'accept');
  // Nearly all programs, without the search.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return false;
  const [told] = TELLING_TYPE.exec(accept) ?? [];
  return told !== undefined && !ASKED_BY_PROGRAMS.test(told);
}

function isOtherThan(word: string, facts: ConnectionFacts, name: string): boolean {
  const text = headerText(facts, name);
  return text !== undefined && text.trim().toLowerCase() !== word;
}

function hasWord(word: string, facts: ConnectionFacts, name: string): boolean {
  return (
    headerText(facts, name)
      ?.toLowerCase()
      .split(/[\s,;]+/)
      .includes(word) === true
  );
}
