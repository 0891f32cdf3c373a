import { hash } from 'node:crypto';
import inject from 'light-my-request';
import { recordOfPassword } from '../../src/access/owner-settings.ts';
import type { Report, ReportId, ReportRange } from '../../src/analytics/reports/report.ts';
import { buildConsole } from '../../src/console/build-console.ts';
import type { ConsoleDeps, ShownAssistant } from '../../src/console/console-routes.ts';
import { systemRandom } from '../../src/random.ts';
import type { OperatorHealth } from '../../src/sync/operator-controls.ts';
import type { ConsoleEntry } from '../../src/telemetry/audit/audit-record.ts';
import { SAMPLE_HEALTH, SAMPLE_QUOTE, sampleReport } from './console-samples.ts';

export const PASSWORD = 'a password for tests';
const NOW = Date.parse('2026-11-17T12:00:00Z');
/** A guess is to cost something, but not in tests. */
const CHEAP = { cost: 2 ** 4, blockSize: 8, parallelization: 1 };

export type ConsoleStage = Awaited<ReturnType<typeof setConsoleStage>>;

/** A console over scripted parts, which remember what they were asked to do. */
export async function setConsoleStage({
  isEmpty = false,
  hasPassword = true,
  ...others
}: { readonly isEmpty?: boolean; readonly hasPassword?: boolean } & Partial<ConsoleDeps> = {}) {
  const record = await recordOfPassword(PASSWORD, systemRandom, CHEAP);
  const state = {
    elapsed: 0,
    password: hasPassword ? record : null,
    noticedPassword: hash('sha256', record),
    account: null as number | null,
    isEmpty,
    /** What the reports count up by, for live figures. */
    beyond: 0,
    health: isEmpty ? [] : [...SAMPLE_HEALTH],
    assistants: (isEmpty ? [] : [...ASSISTANTS]) as ShownAssistant[],
    asked: [] as { readonly id: ReportId; readonly range: ReportRange }[],
    deeds: [] as string[],
    audited: [] as ConsoleEntry[],
    logged: [] as string[],
  };
  const setStatus = (id: string, status: ShownAssistant['status']) => {
    const index = state.assistants.findIndex((one) => one.id === id);
    const found = state.assistants[index];
    if (!found) return 'not_listed';
    state.assistants[index] = { ...found, status };
    state.deeds.push(`${status} ${id}`);
    return found.status === status ? 'as_it_was' : 'changed';
  };
  const deed = (name: string, change: Partial<OperatorHealth>) => async (brand: string) => {
    state.deeds.push(`${name} ${brand}`);
    const before = state.health.find((one) => one.brand === brand)?.pausedAt ?? null;
    state.health = state.health.map((one) => (one.brand === brand ? { ...one, ...change } : one));
    return (before === null) !== ((change.pausedAt ?? null) === null);
  };
  const deps: ConsoleDeps = {
    network: 'Stays of the North <& more>',
    brands: isEmpty ? [] : SAMPLE_HEALTH.map(({ brand, name }) => ({ id: brand, name })),
    placeName: (id) => (id === 'lisbon-pt' ? 'Lisbon' : undefined),
    homeName: (id) => (id === SAMPLE_QUOTE.property ? 'Casa <da> Graça' : undefined),
    assistantName: (id) => state.assistants.find((one) => one.id === id)?.name,
    host: '127.0.0.1',
    async makeReport(id, range): Promise<Report> {
      state.asked.push({ id, range });
      const { isEmpty: isNone, beyond } = state;
      const brand = SAMPLE_HEALTH.find((one) => one.brand === range.brand)?.name ?? null;
      return sampleReport(id, { isEmpty: isNone, beyond, brand });
    },
    operators: {
      health: async () => state.health,
      pause: deed('pause', { pausedAt: NOW }),
      resume: deed('resume', { pausedAt: null }),
      readNow: async (brand) => void (await deed('read', {})(brand)),
    },
    assistants: {
      listed: async () => state.assistants,
      suspend: async (id) => setStatus(id, 'suspended'),
      approve: async (id) => setStatus(id, 'approved'),
    },
    ledger: {
      findQuotes: async (question) =>
        ('nxq' in question ? question.nxq === SAMPLE_QUOTE.nxq : question.property === SAMPLE_QUOTE.property)
          ? [SAMPLE_QUOTE]
          : [],
    },
    outcomes: {
      ofQuote: async ({ nxq, brand }) => [
        {
          brand,
          reference: 'B-1 <i>',
          nxq,
          status: 'booked',
          bookedAt: NOW,
          amount: 41_800,
          currency: 'EUR',
          reportedAt: NOW,
          collectedAt: null,
          quote: null,
        },
      ],
    },
    serveOperation: async () => {
      throw new Error('nobody serves here');
    },
    password: {
      read: async () => state.password,
      readNoticed: async () => state.noticedPassword,
      async writeNoticed(noticed) {
        state.noticedPassword = noticed;
      },
    },
    accountBehind: async () => state.account,
    audit: (one) => void state.audited.push(one),
    clock: { now: () => NOW + state.elapsed, elapsed: () => state.elapsed, after: () => () => {} },
    random: systemRandom,
    log: { error: (members, message) => void state.logged.push(`${message} ${JSON.stringify(members)}`) },
    ...others,
  };
  const app = buildConsole(deps);

  const origin = 'http://localhost';
  let cookie = '';
  async function call(
    method: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH',
    url: string,
    {
      form,
      headers = {},
    }: {
      readonly form?: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    const response = await inject((request, response) => app.server.emit('request', request, response), {
      method,
      url,
      headers: {
        host: 'localhost',
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'GET' ? {} : { origin }),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    });
    return { status: response.statusCode, text: response.body, headers: response.headers };
  }

  return {
    app,
    deps,
    state,
    call,
    get: (url: string, headers: Readonly<Record<string, string>> = {}) => call('GET', url, { headers }),
    post: (
      url: string,
      form: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>> = {},
    ) => call('POST', url, { form, headers }),
    /** The cookie is sent from now on. */
    async signIn(password = PASSWORD) {
      const answer = await call('POST', '/sign-in', { form: { password } });
      cookie = String(answer.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';
      return answer;
    },
    withoutCookie() {
      cookie = '';
    },
    cookie: () => cookie,
    /** The token that forms of a page carry. */
    async formToken(url = '/today') {
      const { text } = await call('GET', url);
      return /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? '';
    },
  };
}

const ASSISTANTS: readonly ShownAssistant[] = [
  {
    id: 'claude',
    name: 'Claude',
    status: 'approved',
    isListed: true,
    ways: ['signature by keys at https://claude.example/keys'],
    lastChange: { at: '2026-11-01T09:30:00Z', change: 'approved', note: 'asked by <b>mail</b>' },
  },
  { id: 'hammer', name: 'Hammer <script>', status: 'suspended', isListed: true, ways: [], lastChange: null },
  {
    id: 'local',
    name: 'Assistants on trusted networks',
    status: 'approved',
    isListed: false,
    ways: [],
    lastChange: null,
  },
];
