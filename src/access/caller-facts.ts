import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Address, type AddressSet, isAmong, parseAddress } from '../parsing/ip-address.ts';
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

export type ClientAddress = {
  /** The nearest certain address; rate limits count by it. */
  readonly text: string;
  /** Undefined when the chain of proxies does not reveal the origin of the request. */
  readonly address: Address | undefined;
  /**
   * Whether the address can prove membership of a network. It cannot when the request came through an unlisted proxy, or
   * through a listed one that does not name its client: either may forward for anyone.
   */
  readonly provesNetwork: boolean;
};

const UNKNOWN: ClientAddress = { text: 'unknown', address: undefined, provesNetwork: false };
const MAX_HOPS = 32;
const MAX_CACHED_PEERS = 2000;

type Peer = { readonly direct: ClientAddress; readonly relayed: ClientAddress; readonly isProxy: boolean };

export function createClientAddress(trustedProxies: AddressSet): (facts: ConnectionFacts) => ClientAddress {
  const peers = new LRUCache<string, Peer>({ max: MAX_CACHED_PEERS });

  return (facts) => {
    const peer = peers.get(facts.peerAddress) ?? describePeer(facts.peerAddress);
    if (!peer) return UNKNOWN;
    if (peer.isProxy) return behindProxy(facts, peer.relayed, trustedProxies);
    return showsProxy(facts.headers) ? peer.relayed : peer.direct;
  };

  function describePeer(peerAddress: string): Peer | undefined {
    const address = parseAddress(peerAddress);
    if (!address) return undefined;
    const text = address.toString();
    const peer: Peer = {
      direct: { text, address, provesNetwork: true },
      relayed: { text, address, provesNetwork: false },
      isProxy: isAmong(trustedProxies, address),
    };
    peers.set(peerAddress, peer);
    return peer;
  }
}

function behindProxy(
  facts: ConnectionFacts,
  proxy: ClientAddress,
  trustedProxies: AddressSet,
): ClientAddress {
  const forwardedFor = headerText(facts, 'x-forwarded-for');
  const forwarded = headerText(facts, 'forwarded');
  if (forwardedFor === undefined && forwarded === undefined) return proxy;
  const callers: ClientAddress[] = [];
  if (forwardedFor !== undefined)
    callers.push(callerInChain(forwardedFor.split(',').map(addressOfHop), proxy, trustedProxies));
  if (forwarded !== undefined) {
    callers.push(
      callerInChain(forwardedHops(forwarded)?.map(addressOfHop) ?? [undefined], proxy, trustedProxies),
    );
  }
  const [first = proxy, second = first] = callers;
  // A proxy writes one of the two headers and may pass on the other as the caller wrote it, so both must
  // agree.
  return first.text === second.text && first.address && second.address
    ? first
    : { text: proxy.text, address: undefined, provesNetwork: false };
}

/** Read from the right: each listed proxy names its client, and the first address that is not a listed proxy is the caller. */
function callerInChain(
  hops: readonly (Address | undefined)[],
  proxy: ClientAddress,
  trustedProxies: AddressSet,
): ClientAddress {
  const unknownCaller = { text: proxy.text, address: undefined, provesNetwork: false };
  if (hops.length > MAX_HOPS) return unknownCaller;
  let caller: Address | undefined;
  for (const hop of hops.toReversed()) {
    if (!hop) return unknownCaller;
    caller = hop;
    if (!isAmong(trustedProxies, hop)) break;
  }
  return caller ? { text: caller.toString(), address: caller, provesNetwork: true } : unknownCaller;
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function addressOfHop(hop: string | undefined): Address | undefined {
  if (hop === undefined) return undefined;
  const text = hop.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed.includes(':') ? parseAddress(bracketed) : undefined;
  return parseAddress(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? text);
}

const PAIR =
  /[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z:[\]-]+)|"((?:[^"\\]|\\.)*)")[ \t]*/y;

/**
 * The `for` of each element of a `Forwarded` header (RFC 7239), leftmost first; undefined for an element without one. A header that is
 * malformed anywhere is ignored as a whole: otherwise a caller could open a quote on the left that swallows what our own proxy added on the
 * right.
 */
function forwardedHops(header: string): readonly (string | undefined)[] | undefined {
  const hops: (string | undefined)[] = [];
  let hop: string | undefined;
  let at = 0;
  while (true) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(header);
    if (!pair) return undefined;
    const [whole, name = '', token, quoted] = pair;
    if (name.toLowerCase() === 'for') {
      // Two in one element are ambiguous.
      if (hop !== undefined) return undefined;
      hop = token ?? quoted?.replace(/\\(.)/g, '$1');
    }
    at += whole.length;
    const next = header[at];
    at += 1;
    if (next === ';') continue;
    hops.push(hop);
    hop = undefined;
    if (next === undefined) return hops;
    if (next !== ',') return undefined;
  }
}

/**
 * Headers that reveal a proxy; a name that ends in `*` stands for all with this beginning. Headers that clients send themselves are left
 * out: `traceparent` and `X-Request-Id` reveal tracing, not a proxy.
 */
const PROXY_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'the standards': ['forwarded', 'via', 'max-forwards', 'cdn-loop', 'surrogate-capability', 'proxy-*'],
  'nginx, HAProxy, Apache, Traefik, Caddy, Squid and most load balancers': [
    'x-forwarded',
    'x-forwarded-*',
    'x-forward-for',
    'x-real-*',
    'x-client-ip',
    'client-ip',
    'x-cluster-client-ip',
    'x-remote-ip',
    'x-remote-addr',
    'x-original-*',
    'x-originating-*',
    'x-proxyuser-ip',
    'x-proxy-user-ip',
    'x-http-forwarded-for',
    'x-ssl-client-*',
    'ssl-client-*',
    'front-end-https',
    'x-scheme',
    'x-url-scheme',
  ],
  'Envoy and Istio': ['x-envoy-*'],
  'Kong and Pomerium': ['x-kong-*', 'x-consumer-*', 'x-pomerium-*'],
  'IIS and WebLogic': ['x-arr-*', 'wl-proxy-*'],
  Varnish: ['x-varnish'],
  Cloudflare: ['cf-*'],
  Akamai: ['true-client-ip', 'x-akamai-*', 'akamai-*'],
  Fastly: ['fastly-*'],
  'Amazon CloudFront, load balancers and API Gateway': ['x-amzn-*', 'x-amz-cf-id', 'cloudfront-*'],
  'Azure Front Door and App Service': [
    'x-azure-*',
    'x-fd-*',
    'x-ms-client-ip',
    'disguised-host',
    'x-waws-*',
    'was-default-*',
  ],
  'Google Cloud and App Engine': [
    'x-cloud-trace-context',
    'x-appengine-*',
    'x-google-*',
    'x-goog-iap-*',
    'x-goog-authenticated-*',
  ],
  Imperva: ['incap-*'],
  Sucuri: ['x-sucuri-*'],
  'Alibaba Cloud and Tencent EdgeOne': ['ali-*', 'eagleeye-*', 'eo-*'],
  'Fly, Vercel, Netlify, Railway, Render, DigitalOcean': [
    'fly-*',
    'x-vercel-*',
    'x-nf-*',
    'x-railway-*',
    'x-render-*',
    'render-*',
    'rndr-*',
    'do-connecting-ip',
  ],
  Heroku: ['x-request-start', 'x-heroku-*', 'connect-time', 'total-route-time'],
  'tunnels to a machine at home': ['tailscale-*', 'ngrok-*'],
};

const MAX_CACHED_NAMES = 1000;
const listed = Object.values(PROXY_HEADERS).flat();
const wholeNames = new Set(listed.filter((name) => !name.endsWith('*')));
const beginnings = listed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
/** Every header of every request is checked, and nearly all requests have the same few names. */
const verdicts = new Map<string, boolean>();

export function showsProxy(headers: CallerFacts['headers']): boolean {
  for (const name in headers) {
    if ((verdicts.get(name) ?? judge(name)) && headers[name] !== undefined) return true;
  }
  return false;
}

function judge(name: string): boolean {
  const verdict = wholeNames.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  if (verdicts.size < MAX_CACHED_NAMES) verdicts.set(name, verdict);
  return verdict;
}

/** Whether a request names this service as its host. */
export type AddressedToUs = (
  request: Pick<IncomingMessage, 'headers' | 'method' | 'rawHeaders' | 'url'>,
) => boolean;

/** `name`, `name:port`, `[2001:db8::1]:port`. */
const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)\.?)(?::\d{1,5})?$/i;
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)/i;

/**
 * Protects against DNS rebinding: a foreign name that resolves to our address has, for the browser, our origin, so its pages may send and
 * read anything. The browser still sends that name as `Host`, so requests for foreign names are refused. An address is accepted, because it
 * needs no resolution, and so is localhost, which never leaves the machine.
 */
export function createAddressedToUs({
  publicUrl,
  hosts,
}: {
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
}): AddressedToUs {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  if (publicUrl !== null) names.add(new URL(publicUrl).hostname);
  return createAddressedTo((host) => typeof host !== 'string' || isLocalName(host) || names.has(host));
}

/** For a server with its own rule about its hosts. The rule gets an address, or a name in lower case. */
export function createAddressedTo(isOurs: (host: Address | string) => boolean): AddressedToUs {
  // Nearly all requests have the same host.
  let lastAccepted: string | null = null;

  return ({ headers, method, rawHeaders, url = '' }) => {
    // Requests a tunnel to another server, whatever it names.
    if (method === 'CONNECT') return false;
    const { host } = headers;
    if (host === undefined || (host !== lastAccepted && !accepts(host))) return false;
    // Node has only the first `Host` in `headers`, and a proxy in front may have used another.
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at];
      if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts > 1) return false;
    if (url.startsWith('/')) return true;
    const target = ABSOLUTE_TARGET.exec(url)?.[1];
    return target === undefined || accepts(target);
  };

  function accepts(host: string): boolean {
    const [, bracketed, name] = HOST.exec(host)?.map((part) => part?.toLowerCase()) ?? [];
    const named =
      bracketed === undefined ? name && (parseAddress(name) ?? name) : addressInBrackets(bracketed);
    if (!named || !isOurs(named)) return false;
    lastAccepted = host;
    return true;
  }
}

function addressInBrackets(text: string): Address | undefined {
  return text.includes(':') ? parseAddress(text) : undefined;
}

function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}
