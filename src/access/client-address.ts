import { LRUCache } from 'lru-cache';
import { type Address, type AddressSet, parseAddress } from './address.ts';
import { type CallerFacts, headerText } from './caller-facts.ts';
import { forwardedHops } from './forwarded-header.ts';

export type ClientAddress = {
  /** The nearest address that is certain: what limits are counted by. */
  readonly text: string;
  /** Absent when the chain of proxies does not tell whose request it is. */
  readonly address: Address | undefined;
  /**
   * Whether the connection itself vouches for the caller's place in a network. It does not when an unlisted proxy stands
   * in between, or a listed one that does not say for whom it speaks: behind either may be anyone.
   */
  readonly provesNetwork: boolean;
};

const UNKNOWN: ClientAddress = { text: 'unknown', address: undefined, provesNetwork: false };
const MAX_HOPS = 32;
const PEERS_REMEMBERED = 10_000;

/** Headers by which a proxy gives itself away. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
] as const;

type Peer = { readonly direct: ClientAddress; readonly relayed: ClientAddress; readonly isProxy: boolean };

export function createClientAddress(trustedProxies: AddressSet): (facts: CallerFacts) => ClientAddress {
  const peers = new LRUCache<string, Peer>({ max: PEERS_REMEMBERED });

  return (facts) => {
    const peer = peers.get(facts.peerAddress) ?? meet(facts.peerAddress);
    if (!peer) return UNKNOWN;
    if (peer.isProxy) return behindProxy(facts, peer.relayed, trustedProxies);
    return PROXY_HEADERS.some((name) => facts.headers[name] !== undefined) ? peer.relayed : peer.direct;
  };

  function meet(peerAddress: string): Peer | undefined {
    const address = parseAddress(peerAddress);
    if (!address) return undefined;
    const text = address.toString();
    const peer: Peer = {
      direct: { text, address, provesNetwork: true },
      relayed: { text, address, provesNetwork: false },
      isProxy: trustedProxies.has(address),
    };
    peers.set(peerAddress, peer);
    return peer;
  }
}

function behindProxy(facts: CallerFacts, proxy: ClientAddress, trustedProxies: AddressSet): ClientAddress {
  const byList = headerText(facts, 'x-forwarded-for');
  const byPairs = headerText(facts, 'forwarded');
  if (byList === undefined && byPairs === undefined) return proxy;
  const walks: ClientAddress[] = [];
  if (byList !== undefined) walks.push(walk(byList.split(',').map(addressOfHop), proxy, trustedProxies));
  if (byPairs !== undefined) {
    walks.push(walk(forwardedHops(byPairs)?.map(addressOfHop) ?? [undefined], proxy, trustedProxies));
  }
  const [first = proxy, second = first] = walks;
  // A proxy writes one of the two and may pass the other on as the caller wrote it: only agreement can be believed.
  return first.text === second.text && first.address && second.address
    ? first
    : { text: proxy.text, address: undefined, provesNetwork: false };
}

/** From the right: each listed proxy is believed about the one before it, and the first that is not listed is the caller. */
function walk(
  hops: readonly (Address | undefined)[],
  proxy: ClientAddress,
  trustedProxies: AddressSet,
): ClientAddress {
  const lost = { text: proxy.text, address: undefined, provesNetwork: false };
  if (hops.length > MAX_HOPS) return lost;
  let caller: Address | undefined;
  for (const hop of hops.toReversed()) {
    if (!hop) return lost;
    caller = hop;
    if (!trustedProxies.has(hop)) break;
  }
  return caller ? { text: caller.toString(), address: caller, provesNetwork: true } : lost;
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function addressOfHop(hop: string | undefined): Address | undefined {
  if (hop === undefined) return undefined;
  const text = hop.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed.includes(':') ? parseAddress(bracketed) : undefined;
  return parseAddress(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1] ?? text);
}
