import type { TestService } from '../../support/test-service.ts';
import { checkAnswer, MEMBERS, sessionFor } from '../conversations.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { oddText } from '../odd-values.ts';
import { startStillService } from '../still-network.ts';

const PATHS: readonly string[] = [
  '/ai/v1/auth',
  '/ai/v1/search',
  '/ai/v1/result',
  '/ai/v1/schema',
  '/ai/v1/terms',
  '/',
];
const SEGMENTS: readonly string[] = [
  'ai',
  'v1',
  'search',
  '%61i',
  '..',
  '.',
  '%2e%2e',
  '',
  'healthz',
  '%',
  '%ff',
  '*',
  ':a',
  '\\',
];
const METHODS: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD')[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
];
const PARAMETERS: readonly string[] = [
  ...MEMBERS,
  'idempotency_key',
  'api_version',
  'view',
  'session',
  'session',
];
const VALUES: readonly string[] = [
  'lisbon-pt',
  'Lisboa',
  '2027-04',
  '2027-04-10',
  '2027-04-13',
  '10 April 2027',
  '2',
  'two',
  'true',
  'pool',
  'compact',
  'full',
  '2026-11-01',
  'acme',
];
const MAX_ADDRESS_LENGTH = 12_000;

/** Methods, paths and queries. */
export const queries: FuzzTarget = {
  name: 'queries',
  weight: 18,
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
  const path = random.oneIn(8) ? oddPath(random) : random.pick(PATHS);
  const method = random.oneIn(8) ? random.pick(METHODS) : random.pick(['GET', 'POST'] as const);
  const token = random.oneIn(3) ? undefined : await sessionFor(service, random);
  const url = `${path}?${queryFrom(random, token)}`.slice(0, MAX_ADDRESS_LENGTH);
  const answer = await timed(() => service.call({ method, url }));
  // Another method of search is answered with 405.
  checkAnswer(service, method === 'GET' || method === 'POST' ? path : '', answer);
}

function oddPath(random: InputRandom): string {
  const segments = Array.from({ length: random.integer(6) }, () =>
    random.oneIn(4) ? encodeURIComponent(oddText(random).toWellFormed()) : random.pick(SEGMENTS),
  );
  // Two slashes would begin the name of a host.
  return `/${segments.join('/')}`.replace(/^[/\\]+/, '/');
}

function queryFrom(random: InputRandom, token: string | undefined): string {
  const pairs = Array.from({ length: random.integer(6) }, () => {
    const name = random.oneIn(10) ? oddText(random) : random.pick(PARAMETERS);
    const value = random.oneIn(2) ? random.pick(VALUES) : oddText(random);
    return spelled(name, random) + random.pick(['=', '=', '=', '']) + spelled(value, random);
  });
  if (token !== undefined) pairs.splice(random.integer(pairs.length + 1), 0, `session=${token}`);
  return pairs.join(random.oneIn(10) ? random.pick(['&&', ';', '&amp;']) : '&');
}

/** Encoded as it should be, or as careless clients do. */
function spelled(text: string, random: InputRandom): string {
  if (random.oneIn(6)) return text.replaceAll(/[^\x21-\x7e]|[#&]/g, '%');
  const encoded = encodeURIComponent(text.toWellFormed());
  if (random.oneIn(6)) return encoded.replaceAll('%20', '+').toLowerCase();
  return random.oneIn(8) ? encoded.slice(0, random.integer(encoded.length + 1)) : encoded;
}
