import { writeFileSync } from 'node:fs';
import type { Client } from '../client.ts';
import { completeSearches, openSessions } from '../sessions.ts';

/** Opens sessions for a load, and writes their tokens to the file. */
export async function writeTokens(
  file: string,
  client: Client,
  { count, areComplete }: { readonly count: number; readonly areComplete: boolean },
): Promise<void> {
  try {
    const tokens = await openSessions(client, count);
    if (areComplete) await completeSearches(client, tokens);
    writeFileSync(file, `${tokens.join('\n')}\n`);
  } finally {
    await client.close();
  }
}
