import { MCP_SERVER } from './mcp-server.ts';
import { SOFTWARE_VERSION } from './software-version.ts';

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
