import type { Answer, Client } from './client.ts';
import { STEP_BODIES } from './load/slice.ts';
import { mustBeResult, resultPath, searchPath } from './sessions.ts';

let sampled = 0;

/** Checks the answers to a kind of request before the load starts, and returns one of median length. */
export async function sampleStep(client: Client, tokens: readonly string[]): Promise<string> {
  sampled += 1;
  const answers: Answer[] = [];
  for (const [turn, body] of STEP_BODIES.entries()) {
    for (const [position, token] of tokens.entries()) {
      const path = `${searchPath(token)}&idempotency_key=sample-${sampled}-${turn}-${position}`;
      const answer = await client.post(path, JSON.parse(body));
      mustBeStep(answer.text);
      const again = await client.post(path, JSON.parse(body));
      if (again.text !== answer.text) throw new Error('the answer was not recorded under its key');
      answers.push(answer);
    }
  }
  return medianLength(answers);
}

export async function sampleRead(client: Client, tokens: readonly string[]): Promise<string> {
  const answers = await Promise.all(tokens.map((token) => client.post(searchPath(token), {})));
  for (const { text } of answers) mustBeStep(text);
  return medianLength(answers);
}

export async function sampleResult(client: Client, tokens: readonly string[]): Promise<string> {
  const answers = await Promise.all(tokens.map((token) => client.get(resultPath(token))));
  for (const { text } of answers) mustBeResult(text);
  return medianLength(answers);
}

function mustBeStep(text: string): void {
  if (JSON.parse(text).error !== 'incomplete_payload') throw new Error(`not a step: ${text.slice(0, 500)}`);
}

function medianLength(answers: readonly Answer[]): string {
  const sorted = answers.toSorted((one, other) => one.bytes - other.bytes);
  return sorted[Math.floor(sorted.length / 2)]?.text ?? '';
}
