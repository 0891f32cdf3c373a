import { SOFTWARE_VERSION } from './vocabulary.ts';

/** Facts about the MCP server that clients read before they connect. */
export const MCP_SERVER = {
  path: '/mcp',
  /** Newest first. */
  revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
  /** Name of the software. A network has a name on its own domain. */
  registryName: 'io.github.staywire/staywire',
  /** Cards and the registry accept at most a hundred characters. */
  description:
    'Search short-term rentals and compare live, final prices from the operators’ booking systems.',
} as const;

/** `server.json`, the entry of the software in the MCP registry. The host is a variable, because each owner runs another service. */
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
