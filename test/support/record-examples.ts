import { createHash } from 'node:crypto';
import type { InjectOptions } from 'light-my-request';
import type { RecordedExample } from '../../src/contract/openapi.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import type { Random } from '../../src/random.ts';
import { startExampleOperator } from './example-operator.ts';
import { brandEntry, networkFile } from './network.ts';
import { startTestService, type TestService } from './test-service.ts';

const STAY = { destination: 'lisbon-pt', check_in_day: '2027-04-10', check_out: '2027-04-13', guests: 2 };
const STRANGER = '203.0.113.9';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' };
const REQUEST_ID_BYTES = 12;
const SESSION_MS = 30 * 60_000;
const UNKNOWN_SESSION = `ses_${'A'.repeat(43)}`;

const PATH_OF = {
  openSession: '/ai/v1/auth',
  search: '/ai/v1/search',
  readResult: '/ai/v1/result',
  readSchema: '/ai/v1/schema',
  readTerms: '/ai/v1/terms',
} as const satisfies Record<OperationName, string>;

type Call = {
  readonly operation: OperationName;
  readonly method?: 'GET' | 'POST';
  readonly name: string;
  readonly summary: string;
  readonly query?: Record<string, string>;
  readonly body?: object;
  readonly from?: Pick<InjectOptions, 'remoteAddress' | 'headers'>;
};
type Recorder = { call(call: Call): Promise<RecordedExample['answer'] & { session?: string }> };

/** What the examples of the OpenAPI document are made of: the same answers every time, because clock and randomness are fixed. */
export async function recordExamples(): Promise<readonly RecordedExample[]> {
  const operator = await startExampleOperator();
  const network = networkFile([{ ...brandEntry('alfama-homes', operator.origin), name: 'Alfama Homes' }]);
  const examples: RecordedExample[] = [];
  const withService = async (rateLimit: number, record: (service: TestService) => Promise<void>) => {
    const service = await startTestService({ network, random: countedRandom(), settings: { rateLimit } });
    try {
      await record(service);
    } finally {
      await service.close();
    }
  };
  try {
    await withService(600, (service) => recordConversation(service, recorderOn(service, examples)));
    await withService(1, (service) => recordRateLimit(service, recorderOn(service, examples)));
    return examples;
  } finally {
    await operator.close();
  }
}

async function recordConversation(service: TestService, { call }: Recorder): Promise<void> {
  const opened = await call({
    operation: 'openSession',
    name: 'every_brand',
    summary: 'A session over every brand',
    body: {},
  });
  const session = String(opened.session);
  await call({
    operation: 'search',
    name: 'whole_stay',
    summary: 'The whole stay in one request: the comparison set, in the compact view',
    query: { session, view: 'compact' },
    body: STAY,
  });
  await call({
    operation: 'readResult',
    name: 'comparison_set',
    summary: 'The comparison set in the full view',
    query: { session },
  });
  await call({
    operation: 'search',
    name: 'amenities_on_offer',
    summary: 'An empty body after a result: which amenities tell its options apart',
    query: { session, view: 'compact' },
    body: {},
  });
  await call({
    operation: 'search',
    name: 'narrowed',
    summary: 'One amenity: the narrowed set, with prices asked for anew',
    query: { session, view: 'compact' },
    body: { amenities: 'pool' },
  });
  await recordSteps({ call });
  await recordByGet({ call });
  await recordDocuments({ call });
  await recordRefusals({ call });
  service.time.now += SESSION_MS;
  await call({
    operation: 'readResult',
    name: 'session_expired',
    summary: 'The session has ended, and its prices with it',
    query: { session },
  });
}

async function recordSteps({ call }: Recorder): Promise<void> {
  const opened = await call({
    operation: 'openSession',
    name: 'one_brand',
    summary: 'A session through one brand',
    body: { source: 'alfama-homes' },
  });
  const query = { session: String(opened.session), view: 'compact' };
  await call({
    operation: 'search',
    name: 'first_question',
    summary: 'An empty body: the first field and its values',
    query,
    body: {},
  });
  await call({
    operation: 'search',
    name: 'two_answers',
    summary: 'Two fields, a place by its name: the next question',
    query,
    body: { brand_locked: true, destination: 'Lisbon' },
  });
  await call({
    operation: 'search',
    name: 'refused_value',
    summary: 'A party that is too large: why, and what is possible',
    query,
    body: { guests: 9 },
  });
  await call({
    operation: 'readResult',
    name: 'result_not_ready',
    summary: 'Fields are still missing',
    query,
  });
}

async function recordByGet({ call }: Recorder): Promise<void> {
  const opened = await call({
    operation: 'openSession',
    method: 'GET',
    name: 'every_brand',
    summary: 'A session for an assistant that can only open addresses',
  });
  const query = { session: String(opened.session), view: 'compact' };
  const stay = Object.fromEntries(Object.entries(STAY).map(([field, value]) => [field, String(value)]));
  await call({
    operation: 'search',
    method: 'GET',
    name: 'whole_stay',
    summary: 'The whole stay in one address',
    query: { ...query, ...stay },
  });
  await call({
    operation: 'search',
    method: 'GET',
    name: 'refused_value',
    summary: 'A departure before the arrival',
    query: { ...query, check_out: '2027-04-09' },
  });
}

async function recordDocuments({ call }: Recorder): Promise<void> {
  await call({ operation: 'readSchema', name: 'schema', summary: 'The interface, described for machines' });
  await call({ operation: 'readTerms', name: 'terms', summary: 'The terms of use' });
}

async function recordRefusals({ call }: Recorder): Promise<void> {
  await call({
    operation: 'openSession',
    name: 'unknown_source',
    summary: 'No brand has that source',
    body: { source: 'nobody' },
  });
  await call({
    operation: 'openSession',
    method: 'GET',
    name: 'opened_by_a_person',
    summary: 'A person opened the address in a browser',
    from: { headers: NAVIGATION },
  });
  for (const [operation, method] of [
    ['openSession', 'POST'],
    ['search', 'POST'],
    ['search', 'GET'],
    ['readResult', 'GET'],
    ['readSchema', 'GET'],
    ['readTerms', 'GET'],
  ] as const) {
    await call({
      operation,
      method,
      name: 'access_denied',
      summary: 'The caller is no approved assistant',
      from: { remoteAddress: STRANGER },
    });
  }
  const query = { session: UNKNOWN_SESSION };
  const unknown = { name: 'session_not_found', summary: 'No such session', query } as const;
  await call({ operation: 'search', body: {}, ...unknown });
  await call({ operation: 'readResult', ...unknown });
}

async function recordRateLimit(service: TestService, { call }: Recorder): Promise<void> {
  await service.get(PATH_OF.readTerms);
  await call({
    operation: 'readTerms',
    name: 'rate_limited',
    summary: 'More requests than the window takes',
  });
}

function recorderOn(service: TestService, examples: RecordedExample[]): Recorder {
  return {
    async call({ operation, name, summary, query, body, from = {}, ...rest }) {
      const method = rest.method ?? (body === undefined ? 'GET' : 'POST');
      const parameters = query === undefined ? '' : `?${new URLSearchParams(query)}`;
      const url = `${PATH_OF[operation]}${parameters}`;
      const answer = await service.call({
        method,
        url,
        ...from,
        ...(body === undefined ? {} : { payload: body }),
      });
      examples.push({
        operation,
        method,
        name,
        summary,
        request: { url, body: body ?? null },
        status: answer.status,
        answer: answer.body,
      });
      return answer.body;
    },
  };
}

/** Counts instead of drawing, so that tokens and identifiers are the same at every recording. */
/** Identifiers of requests, of which the examples show none, do not change the rest. */
function countedRandom(): Random {
  let drawn = 96;
  return {
    bytes(count) {
      if (count === REQUEST_ID_BYTES) return Buffer.alloc(count);
      const parts: Buffer[] = [];
      while (Buffer.concat(parts).length < count) {
        parts.push(createHash('sha256').update(`example ${drawn++}`).digest());
      }
      return Buffer.concat(parts).subarray(0, count);
    },
  };
}
