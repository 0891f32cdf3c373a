/** The shortest prefixes of networks that can be one assistant's: wider ones hold the machines of many owners. */
export const MIN_PREFIX = { ipv4: 8, ipv6: 16 } as const;
