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
