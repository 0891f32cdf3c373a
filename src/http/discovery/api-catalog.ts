import { MCP_SERVER } from '../../contract/mcp-server.ts';
import { PATHS } from '../../contract/vocabulary.ts';
import { addressAt, DISCOVERY_PATHS } from './discovery-paths.ts';

export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
/** Tells on any answer where the catalogue is. */
export const API_CATALOG_LINK = `<${DISCOVERY_PATHS.apiCatalog}>; rel="api-catalog"`;
const API_ROOT = PATHS.auth.slice(0, PATHS.auth.lastIndexOf('/'));

/** RFC 9727: both interfaces, each with what describes it. */
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
