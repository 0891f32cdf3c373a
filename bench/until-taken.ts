import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './client.ts';

/** What a service says that sheds load, or waits too long for its store, because the machine is busy with something else. */
const REFUSED_FOR_NOW = /"error":"(overloaded|storage_unavailable)"/;
const MAX_TRIES = 20;
const PAUSE_MS = 250;

let sentAgain = 0;

/** How many requests there were of these. */
export function requestsSentAgain(): number {
  return sentAgain;
}

/** Sends a request again that was refused for now: a benchmark does not end because of its neighbours. */
export async function untilTaken(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send().catch((error: Error) => error);
    const text = answer instanceof Error ? answer.message : answer.text;
    const refused = REFUSED_FOR_NOW.exec(text)?.[1];
    if (refused === undefined || tries >= MAX_TRIES) {
      if (answer instanceof Error) throw answer;
      return answer;
    }
    sentAgain += 1;
    await sleep(PAUSE_MS);
  }
}
