import assert from 'node:assert/strict';
import { STAY } from '../support/conversation.ts';
import type { TestAnswer, TestService } from '../support/test-service.ts';
import type { InputRandom } from './input-random.ts';

/** What a session may have received before the input arrives. */
const PREFACES: readonly { readonly source: string | null; readonly body: object | null }[] = [
  { source: null, body: null },
  { source: 'acme', body: null },
  { source: 'acme', body: { brand_locked: true, destination: 'lisbon-pt' } },
  { source: null, body: { guests: 1 } },
  { source: null, body: { destination: 'lisbon-pt', check_in_month: '2027-04' } },
  { source: 'solo', body: { brand_locked: true, check_in_day: '2027-04-10' } },
  { source: null, body: STAY },
];

/** Every field of the interface, and the members beside them. */
export const MEMBERS: readonly string[] = [
  'brand_locked',
  'destination',
  'check_in_month',
  'check_in_day',
  'check_out',
  'guests',
  'amenities',
  'field',
  'value',
  'source',
  'session',
];

/** A new session for each input, so that an input can be run alone. */
export async function sessionFor(service: TestService, random: InputRandom): Promise<string> {
  const { source, body } = random.pick(PREFACES);
  const opened = await service.post('/ai/v1/auth', source === null ? {} : { source });
  assert.equal(opened.status, 200, opened.raw);
  const token: string = opened.body.session;
  if (body) await service.post(`/ai/v1/search?session=${token}`, body);
  return token;
}

/** What no input may cause, whatever else the contract allows. The contract itself is checked on every answer. */
export function checkAnswer(service: TestService, path: string, answer: TestAnswer): void {
  const lines = service.logLines.splice(0);
  assert.ok(answer.status < 500, `status ${answer.status}: ${answer.raw.slice(0, 300)}`);
  assert.notEqual(answer.body?.error, 'internal_error', lines.join(''));
  if (path === '/ai/v1/search' && answer.status !== 403)
    assert.equal(answer.status, 200, answer.raw.slice(0, 300));
  const leak = lines.find((line) => /ses_[A-Za-z0-9_-]{43}/.test(line));
  assert.equal(leak, undefined, 'a session token in the log');
}
