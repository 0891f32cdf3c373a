import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { formatTimestamp, SOFTWARE_VERSION } from '../../contract/vocabulary.ts';
import { parseAddress } from '../../parsing/ip-address.ts';
import { readContact } from '../../parsing/web-address.ts';
import { addressAt, DISCOVERY_PATHS } from '../public-pages.ts';

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
const ORIGIN_VARIABLE = { description: 'Origin from which this card was read.', isRequired: true };

/** How to connect. The server itself lists its tools. */
export function serverCard(network: string, publicUrl: string | null) {
  const domain = domainOf(publicUrl);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    // The domain in reverse, or without a domain the name of the software.
    name: domain === null ? MCP_SERVER.registryName : `${domain.split('.').reverse().join('.')}/staywire`,
    title: [...network].slice(0, 100).join(''),
    description: MCP_SERVER.description,
    version: SOFTWARE_VERSION,
    ...(publicUrl === null ? {} : { websiteUrl: addressAt(publicUrl, '/') }),
    remotes: [
      {
        type: 'streamable-http',
        ...(publicUrl === null
          ? { url: `{origin}${MCP_SERVER.path}`, variables: { origin: ORIGIN_VARIABLE } }
          : { url: addressAt(publicUrl, MCP_SERVER.path) }),
        supportedProtocolVersions: [...MCP_SERVER.revisions],
      },
    ],
  };
}

function domainOf(publicUrl: string | null): string | null {
  if (publicUrl === null) return null;
  const { hostname } = new URL(publicUrl);
  const isDomain =
    hostname.includes('.') && parseAddress(hostname) === undefined && !hostname.startsWith('[');
  return isDomain ? hostname : null;
}

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year, so that no report goes to an abandoned address. */
const VALID_DAYS = 180;

/** RFC 9116. The expiry moves on once a day while the service runs. */
export function securityText(contact: string, publicUrl: string | null, now: number): string {
  const expires = (Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS;
  const canonical =
    publicUrl === null ? '' : `Canonical: ${addressAt(publicUrl, DISCOVERY_PATHS.security)}\n`;
  return `Contact: ${contact}\nExpires: ${formatTimestamp(expires)}\nPreferred-Languages: en\n${canonical}`;
}

/** The owner's setting, or else the contact of the network if that is an address. */
export function securityContactOf(setting: string | null, networkContact: string): string | null {
  const ofNetwork = readContact(networkContact);
  return setting ?? (ofNetwork.kind === 'valid' ? ofNetwork.value : null);
}
