import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { formatTimestamp, PATHS, SOFTWARE_VERSION } from '../../contract/vocabulary.ts';
import { parseAddress } from '../../parsing/ip-address.ts';
import { readContact } from '../../parsing/web-address.ts';
import { addressAt, DISCOVERY_PATHS } from '../public-pages.ts';

export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
/** A `Link` header to the catalogue, for any answer. */
export const API_CATALOG_LINK = `<${DISCOVERY_PATHS.apiCatalog}>; rel="api-catalog"`;
const API_ROOT = PATHS.auth.slice(0, PATHS.auth.lastIndexOf('/'));

/** RFC 9727: both interfaces, each with its descriptions. */
export function apiCatalog(publicUrl: string | null): string {
  const at = (path: string) => addressAt(publicUrl, path);
  const guides = [
    { href: at(DISCOVERY_PATHS.llms), type: 'text/plain' },
    { href: at(DISCOVERY_PATHS.skill), type: 'text/markdown' },
  ];
  const ofBoth = {
    'terms-of-service': [{ href: at(PATHS.terms), type: 'application/json' }],
    status: [{ href: at('/readyz'), type: 'application/json' }],
  };
  return JSON.stringify({
    linkset: [
      {
        anchor: at(DISCOVERY_PATHS.apiCatalog),
        item: [{ href: at(API_ROOT) }, { href: at(MCP_SERVER.path) }],
      },
      {
        anchor: at(API_ROOT),
        'service-desc': [{ href: at(DISCOVERY_PATHS.openApi), type: 'application/json' }],
        'service-doc': [{ href: at(DISCOVERY_PATHS.reference), type: 'text/html' }, ...guides],
        ...ofBoth,
      },
      {
        anchor: at(MCP_SERVER.path),
        'service-desc': [{ href: at(DISCOVERY_PATHS.serverCard), type: 'application/mcp-server-card+json' }],
        'service-doc': guides,
        ...ofBoth,
      },
    ],
  });
}

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
const MAX_TITLE_LENGTH = 100;

type CardFacts = {
  readonly network: string;
  /** Null where the public address of the service is not known. */
  readonly publicUrl: string | null;
};

/** How to connect. The server itself lists its tools. */
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

/** One entry: such catalogues have no agreed type for skills yet, and skills have their own index. */
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

/** The domain of the network in reverse, or without a domain the name of the software. */
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

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year, so that no report goes to an abandoned address. */
const VALID_DAYS = 180;

/** RFC 9116. The expiry moves on once a day while the service runs. */
export function securityText(contact: string, publicUrl: string | null, now: number): string {
  const expires = (Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS;
  return [
    `Contact: ${contact}`,
    `Expires: ${formatTimestamp(expires)}`,
    'Preferred-Languages: en',
    ...(publicUrl === null ? [] : [`Canonical: ${addressAt(publicUrl, DISCOVERY_PATHS.security)}`]),
    '',
  ].join('\n');
}

/** The owner's setting, or else the contact of the network if that is an address. */
export function securityContactOf(setting: string | null, networkContact: string): string | null {
  const ofNetwork = readContact(networkContact);
  return setting ?? (ofNetwork.kind === 'valid' ? ofNetwork.value : null);
}
