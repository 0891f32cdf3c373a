import { createGrowingCache } from '../limits/growing-cache.ts';
import { type Address, type AddressSet, isAmong, parseAddress } from '../parsing/ip-address.ts';
import { type CallerFacts, type ConnectionFacts, headerText } from './caller-facts.ts';

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
const MAX_CACHED_PEERS = 10_000;

type Peer = { readonly direct: ClientAddress; readonly relayed: ClientAddress; readonly isProxy: boolean };

export function createClientAddress(trustedProxies: AddressSet): (facts: ConnectionFacts) => ClientAddress {
  const peers = createGrowingCache<string, Peer>(MAX_CACHED_PEERS);

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
