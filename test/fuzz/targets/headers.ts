import type { TestService } from '../../support/test-service.ts';
import { checkAnswer, sessionFor } from '../conversations.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { oddText } from '../odd-values.ts';
import { startStillService } from '../still-network.ts';

/** Every header that the service reads, with a value that it knows. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['idempotency-key', 'a-key-of-mine'],
  ['x-api-version', '2026-11-01'],
  ['accept', 'text/html;q=0.9, application/json'],
  ['if-none-match', '"abc", W/"def", *'],
  ['user-agent', 'Claude-User/1.0'],
  ['forwarded', 'for="[2001:db8::1]:80";proto=https'],
  ['x-forwarded-for', '203.0.113.7, 127.0.0.1'],
  ['x-real-ip', '203.0.113.7'],
  ['cf-connecting-ip', '203.0.113.7'],
  ['via', '1.1 proxy'],
  ['host', 'localhost'],
  ['origin', 'null'],
  ['sec-fetch-mode', 'navigate'],
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-dest', 'iframe'],
  ['signature', 'sig1=:AAAA:'],
  ['signature-input', 'sig1=("@authority");created=1;keyid="x";tag="web-bot-auth"'],
  ['signature-agent', '"https://agent.example"'],
  ['content-type', 'application/json'],
  ['expect', '100-continue'],
  ['range', 'bytes=0-1'],
  ['cookie', 'session=1'],
];
const PATHS: readonly string[] = [
  '/ai/v1/auth',
  '/ai/v1/search',
  '/ai/v1/result',
  '/ai/v1/schema',
  '/',
  '/healthz',
  '/nowhere',
];

/** Headers of well-formed requests. */
export const headers: FuzzTarget = {
  name: 'headers',
  weight: 10,
  maxCpuMs: 50,
  inputsPerOpening: 2000,
  async open() {
    const service = await startStillService();
    return {
      run: (random, timed) => callWith(service, random, timed),
      close: () => service.close(),
    };
  },
};

async function callWith(service: TestService, random: InputRandom, timed: Timed): Promise<void> {
  const path = random.pick(PATHS);
  const token = random.oneIn(3) ? await sessionFor(service, random) : 'ses_x';
  const sent = Array.from({ length: 1 + random.integer(4) }, () => {
    const [name, value] = random.pick(HEADERS);
    return [name, random.oneIn(3) ? value : oddHeader(value, random)];
  });
  const request = {
    method: random.pick(['GET', 'POST'] as const),
    url: `${path}${path.startsWith('/ai') ? `?session=${token}` : ''}`,
    headers: Object.fromEntries(sent),
  };
  const answer = await timed(() => service.call(request));
  checkAnswer(service, answer.status === 405 ? '' : path, answer);
}

/** Only what Node lets through: other bytes never reach the service. */
function oddHeader(value: string, random: InputRandom): string {
  const odd = random.oneIn(3)
    ? value.repeat(1 + random.integer(50))
    : `${value.slice(0, random.integer(value.length))}${oddText(random)}`;
  return odd.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 8000);
}
