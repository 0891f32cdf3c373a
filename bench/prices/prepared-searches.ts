import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import { mapConcurrently } from '../client.ts';
import { mustBeResult, searchPath, stay } from '../sessions.ts';

/** A session in which one field is missing. */
export type PreparedSearch = { readonly token: string; readonly ordinal: number };

const AT_A_TIME = 16;
const MAX_TRIES = 20;
const PAUSE_MS = 250;

/** Opens sessions and answers all questions but the last. */
export async function prepareSearches(client: Client, count: number): Promise<readonly PreparedSearch[]> {
  return mapConcurrently(Array.from({ length: count }), AT_A_TIME, async (_, ordinal) => {
    const token = await unlessOverloaded(async () => {
      const { session } = JSON.parse((await client.post('/ai/v1/auth', {})).text);
      return String(session);
    });
    await unlessOverloaded(() => client.post(searchPath(token), stay(ordinal).first));
    return { token, ordinal };
  });
}

/** Answers the last question, and resolves with the milliseconds until the 20 options are there. */
export async function completeSearch(client: Client, { token, ordinal }: PreparedSearch): Promise<number> {
  const path = `${searchPath(token)}&idempotency_key=complete-${ordinal}`;
  const { text, milliseconds } = await unlessOverloaded(() => client.post(path, stay(ordinal).last));
  mustBeResult(text);
  return milliseconds;
}

/** A machine that is busy with something else makes the service shed load: then the request is sent again. */
async function unlessOverloaded<Answered extends string | { readonly text: string }>(
  send: () => Promise<Answered>,
): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send().catch((error: Error) => {
      if (tries >= MAX_TRIES || !error.message.includes('"overloaded"')) throw error;
      return undefined;
    });
    const wasShed = typeof answer === 'object' && answer.text.includes('"error":"overloaded"');
    if (answer !== undefined && (!wasShed || tries >= MAX_TRIES)) return answer;
    await sleep(PAUSE_MS);
  }
}
