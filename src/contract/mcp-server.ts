import { SOFTWARE_VERSION } from './versions.ts';

/** What is published about the MCP server before anybody connects to it. */
export const MCP_SERVER = {
  path: '/mcp',
  /** Newest first. */
  revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
  /** Of the software. A network has a name on its own domain. */
  registryName: 'io.github.staywire/staywire',
  /** A card and the registry take at most a hundred characters. */
  description:
    'Search short-term rentals and compare live, final prices from the operators’ booking systems.',
} as const;

/** `server.json`, with which the software is listed in the MCP registry. Each owner's service has an address of its own. */
export function registryEntry() {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: MCP_SERVER.registryName,
    title: 'Staywire',
    description: MCP_SERVER.description,
    version: SOFTWARE_VERSION,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: 'staywire',
        version: SOFTWARE_VERSION,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'named',
            name: '--url',
            description: 'Origin of the Staywire service to search.',
            isRequired: true,
            placeholder: 'https://stays.example',
          },
        ],
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: `https://{host}${MCP_SERVER.path}`,
        variables: {
          host: {
            description: 'Host name of the Staywire service to search.',
            isRequired: true,
            placeholder: 'stays.example',
          },
        },
      },
    ],
  };
}
