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
  /** When each tool is for, in a line. */
  tools: {
    search_stays:
      'Find stays: give everything known about the trip in one call. Answers with the next question, a refusal with its reason, or the comparison set.',
    refine_stays: 'Narrow a comparison set by amenities, or take filters off.',
    show_stay: 'One option in full: pictures, policy, price lines.',
    describe_network: 'Which brands and places there are, and how the search works.',
  },
} as const;
