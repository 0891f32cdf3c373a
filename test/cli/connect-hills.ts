import type { Emulator } from '../emulators/emulator.ts';

/** Connects the brand `hills` to an emulator of Hostaway, with its secrets on the standard input. */
export function connectHills({ url, websiteHost }: Emulator, rateLimits: string): readonly string[] {
  return [
    'connect',
    'hills',
    '--system',
    'hostaway',
    '--host',
    websiteHost,
    '--secrets-from-stdin',
    '--set',
    `url=${url}`,
    rateLimits,
  ];
}
