import type { IncomingMessage } from 'node:http';
import { type Address, parseAddress } from '../parsing/ip-address.ts';

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
    if (host === undefined || (host !== lastAccepted && !accepts(host)) || hasTwoHosts(rawHeaders))
      return false;
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

/** Node has only the first one in `headers`, and a proxy in front may have used the other. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name !== undefined && name.length === 4 && name.toLowerCase() === 'host') found += 1;
  }
  return found > 1;
}
