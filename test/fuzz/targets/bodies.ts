import assert from 'node:assert/strict';
import { STAY } from '../../support/conversation.ts';
import type { TestService } from '../../support/test-service.ts';
import { checkAnswer, MEMBERS, sessionFor } from '../conversations.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { oddText, oddValue } from '../odd-values.ts';
import { encodedText, spelledJson } from '../spell-json.ts';
import { startStillService } from '../still-network.ts';

const VALID_BODIES: readonly object[] = [
  STAY,
  { brand_locked: true, ...STAY },
  { field: 'destination', value: 'lisbon-pt' },
  { check_in_day: '2027-04-10', check_out: '2027-04-13' },
  { guests: 2, amenities: ['pool'] },
  { source: 'acme' },
  {},
];
const CONTENT_TYPES: readonly string[] = [
  'application/json; charset=utf-16',
  'application/json;;',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
];

/** Bodies of auth and search. */
export const bodies: FuzzTarget = {
  name: 'bodies',
  weight: 18,
  maxCpuMs: 50,
  inputsPerOpening: 2000,
  async open() {
    const service = await startStillService();
    return {
      run: (random, timed) =>
        random.oneIn(5) ? sendToAuth(service, random, timed) : sendToSearch(service, random, timed),
      close: () => service.close(),
    };
  },
};

async function sendToSearch(service: TestService, random: InputRandom, timed: Timed): Promise<void> {
  const token = await sessionFor(service, random);
  const url = `/ai/v1/search?session=${token}`;
  const checksState = random.oneIn(4);
  const before = checksState ? (await service.get(url)).body.received : null;
  const request = {
    method: 'POST',
    url,
    headers: headersFor(random),
    payload: bodyFrom(random),
  } as const;
  const answer = await timed(() => service.call(request));
  checkAnswer(service, '/ai/v1/search', answer);
  const wasTaken = answer.body.error === 'incomplete_payload' || answer.body.object === 'search_result';
  // A refused request leaves the search as it was, but for values that it names as accepted.
  if (checksState && !wasTaken && !('accepted_fields' in answer.body) && before !== undefined) {
    assert.deepEqual((await service.get(url)).body.received, before);
  }
}

async function sendToAuth(service: TestService, random: InputRandom, timed: Timed): Promise<void> {
  const request = {
    method: 'POST',
    url: '/ai/v1/auth',
    headers: headersFor(random),
    payload: bodyFrom(random),
  } as const;
  const answer = await timed(() => service.call(request));
  checkAnswer(service, '/ai/v1/auth', answer);
  if (answer.status !== 200) return;
  const { source } = answer.body.request;
  // Any case will do.
  const asked = typeof source === 'string' ? source.toLowerCase() : source;
  assert.ok(
    asked === undefined || asked === null || asked === answer.body.source,
    'the session of another source',
  );
}

function headersFor(random: InputRandom): Record<string, string> {
  const type = random.oneIn(12) ? random.pick(CONTENT_TYPES) : 'application/json';
  return { 'content-type': type };
}

function bodyFrom(random: InputRandom): Buffer {
  const body = random.oneIn(3) ? randomMembers(random) : mutatedJson(random.pick(VALID_BODIES), random);
  return encodedText(spelledJson(body, random), random);
}

function randomMembers(random: InputRandom): object {
  const entries = Array.from({ length: 1 + random.integer(4) }, () => [
    random.oneIn(8) ? oddText(random) : random.pick(MEMBERS),
    oddValue(random),
  ]);
  return Object.fromEntries(entries);
}
