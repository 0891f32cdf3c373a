import type { CallerFacts } from '../caller-facts.ts';
import type { RequestParts } from '../signatures/request-parts.ts';

export type RequestForUs = (facts: CallerFacts) => RequestParts | null;

const WHOLE_ADDRESS = /^https?:\/\/([^/?#]*)/i;

/**
 * The request as its signer saw it, or null when it came for another host than ours: a signature for somebody else says nothing here. The
 * scheme is that of our own address, because behind a proxy the connection does not tell.
 */
export function createRequestForUs(origins: readonly string[]): RequestForUs {
  const ours = new Map<string, URL>();
  // The secure address last, so that it is the one that counts when both have the same host.
  for (const origin of origins.toSorted((one, other) => Number(isHttps(one)) - Number(isHttps(other)))) {
    const url = new URL(origin);
    ours.set(url.host, url);
    // A caller may name the port that the scheme implies.
    if (url.port === '') ours.set(`${url.host}:${url.protocol === 'https:' ? 443 : 80}`, url);
  }

  return ({ method, target, headers }) => {
    const { host } = headers;
    if (typeof host !== 'string') return null;
    const url = ours.get(host.toLowerCase());
    const [, named] = WHOLE_ADDRESS.exec(target) ?? [];
    if (!url || (named !== undefined && ours.get(named.toLowerCase()) !== url)) return null;
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    return { method, scheme, authority: url.host, target, headers };
  };
}

/** Callers reach us by TLS, whoever ends it, unless our own address says otherwise. */
export function originsOf({
  publicUrl,
  hosts,
}: {
  readonly publicUrl: string | null;
  readonly hosts: readonly string[];
}): readonly string[] {
  return [...(publicUrl === null ? [] : [publicUrl]), ...hosts.map((host) => `https://${host}`)];
}

function isHttps(origin: string): boolean {
  return origin.toLowerCase().startsWith('https:');
}
