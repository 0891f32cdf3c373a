import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { SOFTWARE_VERSION } from '../../contract/versions.ts';
import { parseAddress } from '../../parsing/ip-address.ts';
import { addressAt, DISCOVERY_PATHS } from './discovery-paths.ts';

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
const MAX_TITLE_LENGTH = 100;

export type CardFacts = {
  readonly network: string;
  /** Null: nobody knows yet under which address the service is reached. */
  readonly publicUrl: string | null;
};

/** How to connect, and to whom. Tools are listed by the server itself. */
export function serverCard({ network, publicUrl }: CardFacts) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: serverName(publicUrl),
    title: [...network].slice(0, MAX_TITLE_LENGTH).join(''),
    description: MCP_SERVER.description,
    version: SOFTWARE_VERSION,
    ...(publicUrl === null ? {} : { websiteUrl: addressAt(publicUrl, '/') }),
    remotes: [
      {
        type: 'streamable-http',
        ...(publicUrl === null ? ADDRESS_TO_BE_GIVEN : { url: addressAt(publicUrl, MCP_SERVER.path) }),
        supportedProtocolVersions: [...MCP_SERVER.revisions],
      },
    ],
  };
}

const ADDRESS_TO_BE_GIVEN = {
  url: `{origin}${MCP_SERVER.path}`,
  variables: {
    origin: { description: 'Origin from which this card was read.', isRequired: true },
  },
};

/** One entry: a skill has no settled type in such a catalogue yet, and an index of its own. */
export function aiCatalog(facts: CardFacts) {
  const { network, publicUrl } = facts;
  const card =
    publicUrl === null
      ? { data: serverCard(facts) }
      : { url: addressAt(publicUrl, DISCOVERY_PATHS.serverCard) };
  return {
    specVersion: '1.0',
    host: {
      displayName: network,
      ...(publicUrl === null ? {} : { documentationUrl: addressAt(publicUrl, DISCOVERY_PATHS.reference) }),
    },
    entries: [
      {
        identifier: `urn:air:${domainOf(publicUrl) ?? 'localhost'}:mcp:staywire`,
        displayName: network,
        type: SERVER_CARD_TYPE,
        ...card,
      },
    ],
  };
}

/** Of the network, on its own domain in reverse. Without a domain, that of the software. */
function serverName(publicUrl: string | null): string {
  const domain = domainOf(publicUrl);
  return domain === null ? MCP_SERVER.registryName : `${domain.split('.').reverse().join('.')}/staywire`;
}

function domainOf(publicUrl: string | null): string | null {
  if (publicUrl === null) return null;
  const { hostname } = new URL(publicUrl);
  const isDomain =
    hostname.includes('.') && parseAddress(hostname) === undefined && !hostname.startsWith('[');
  return isDomain ? hostname : null;
}
