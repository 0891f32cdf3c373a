import { type Client, mapConcurrently } from '../client.ts';
import { mustBeResult, openSession, searchPath, stay } from '../sessions.ts';
import { untilTaken } from '../until-taken.ts';

/** A session in which one field is missing. */
export type PreparedSearch = { readonly token: string; readonly ordinal: number };

const AT_A_TIME = 16;

/** Opens sessions and answers all questions but the last. */
export async function prepareSearches(client: Client, count: number): Promise<readonly PreparedSearch[]> {
  return mapConcurrently(Array.from({ length: count }), AT_A_TIME, async (_, ordinal) => {
    const token = await openSession(client);
    await untilTaken(() => client.post(searchPath(token), stay(ordinal).first));
    return { token, ordinal };
  });
}

/** Answers the last question, and resolves with the milliseconds until the 20 options are there. */
export async function completeSearch(client: Client, { token, ordinal }: PreparedSearch): Promise<number> {
  const path = `${searchPath(token)}&idempotency_key=complete-${ordinal}`;
  const { text, milliseconds } = await untilTaken(() => client.post(path, stay(ordinal).last));
  mustBeResult(text);
  return milliseconds;
}
