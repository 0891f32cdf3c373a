import { formatDay } from '../src/stay/day.ts';
import type { Client } from './client.ts';
import { mapConcurrently } from './client.ts';
import { untilTaken } from './until-taken.ts';

const AT_A_TIME = 32;

export async function openSessions(client: Client, count: number): Promise<string[]> {
  return mapConcurrently(Array.from({ length: count }), AT_A_TIME, () => openSession(client));
}

export async function openSession(client: Client): Promise<string> {
  const { session } = JSON.parse((await untilTaken(() => client.post('/ai/v1/auth', {}))).text);
  return String(session);
}

/** `first` supplies all fields but one; `last` completes the search. */
export function stay(ordinal: number): { readonly first: object; readonly last: object } {
  const checkIn = Math.floor(Date.now() / 86_400_000) + 20 + (ordinal % 200);
  const day = formatDay(checkIn);
  return {
    first: {
      destination: 'portugal',
      check_in_month: day.slice(0, 7),
      check_in_day: day,
      check_out: formatDay(checkIn + 3),
    },
    last: { guests: '2' },
  };
}

export async function completeSearches(client: Client, tokens: readonly string[]): Promise<void> {
  await mapConcurrently(tokens, AT_A_TIME, async (token, ordinal) => {
    const { first, last } = stay(ordinal);
    const answer = await untilTaken(() => client.post(searchPath(token), { ...first, ...last }));
    mustBeResult(answer.text);
  });
}

export function mustBeResult(text: string): void {
  const body = JSON.parse(text);
  if (body.comparison_set?.options_count !== 20)
    throw new Error(`not a result of 20 options: ${text.slice(0, 500)}`);
}

export function searchPath(token: string): string {
  return `/ai/v1/search?session=${token}`;
}

export function resultPath(token: string): string {
  return `/ai/v1/result?session=${token}`;
}
