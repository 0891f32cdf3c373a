import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ODD } from '../../test/support/console-samples.ts';
import { setConsoleStage } from '../../test/support/console-stage.ts';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { Body, OperationRequest } from '../contract/exchange.ts';
import type { OperationAnswer } from '../requests/serve-operation.ts';

const TOKEN = 'ses_the-token-of-the-session';
const RATE = { limit: 1, remaining: 1, resetAt: 0, allowed: true, retryAfterSeconds: 0 };

/** A service that asks for a destination, refuses one, and has a result for the other. */
async function setTryStage(answerWith: (request: OperationRequest) => object | undefined = () => undefined) {
  const asked: OperationRequest[] = [];
  const bodyFor = (request: OperationRequest): object => {
    const { operation, values } = request;
    const own = answerWith(request);
    if (own !== undefined) return { session: TOKEN, ...own };
    if (operation === 'openSession') return { object: 'session', session: TOKEN };
    const given = values.kind === 'valid' ? values.value.get('destination') : undefined;
    if (given === 'lisbon-pt') return { ...sampleResultBody(), session: TOKEN };
    return {
      session: TOKEN,
      error: given === undefined ? 'incomplete_payload' : 'invalid_value',
      message: given === undefined ? 'Missing required field: destination' : `No place is called ${ODD}`,
      ...(given === undefined ? {} : { invalid_field: 'destination', suggestions: ['porto-pt'] }),
      received: { source: ODD },
      next_required: 'destination',
      allowed_values: { destination: ['lisbon-pt', 'porto-pt'] },
      places: { 'lisbon-pt': { name: `Lisbon ${ODD}`, kind: 'city', within: null } },
      next_request: { url: `/ai/v1/search?session=${TOKEN}` },
    };
  };
  const stage = await setConsoleStage({
    serveOperation: async (request): Promise<OperationAnswer> => {
      asked.push(request);
      const body = bodyFor(request) as Body;
      const rest = { error: null, replayed: false, retryAfterSeconds: null, tag: null, current: null };
      return { body, ...rest, key: null, rate: RATE };
    },
  });
  await stage.signIn();
  const form_token = await stage.formToken();
  return { ...stage, asked, send: (form: object) => stage.post('/try', { form_token, ...form }) };
}

describe('the page Try', () => {
  it('opens a session as the owner, through a brand or none, and shows what is asked for', async () => {
    const { send, get, asked } = await setTryStage();
    const opened = await send({ action: 'open', source: 'northern' });
    assert.equal(opened.headers.location, '/try');
    assert.deepEqual(
      asked.map(({ operation, caller, token, values }) => [
        operation,
        caller,
        token,
        values.kind === 'valid' && Object.fromEntries(values.value),
      ]),
      [
        ['openSession', { assistant: 'console', address: '127.0.0.1' }, undefined, { source: 'northern' }],
        ['search', { assistant: 'console', address: '127.0.0.1' }, TOKEN, {}],
      ],
    );
    const { text } = await get('/try');
    assert.match(text, /<h2>Where to\?<\/h2>/);
    assert.match(text, /<button class="quiet" name="value" value="lisbon-pt">Lisbon /);
    assert.ok(!text.includes(ODD));
  });

  it('never shows the token of the session, nor puts it into an address', async () => {
    const { send, get } = await setTryStage();
    await send({ action: 'open', source: '' });
    const { text } = await get('/try');
    assert.ok(!text.includes(TOKEN));
    assert.match(text, /\/ai\/v1\/search\?session=\(session\)/);
  });

  it('shows a refusal with what is near, and then the comparison', async () => {
    const { send, get } = await setTryStage();
    await send({ action: 'open' });
    await send({ action: 'supply', field: 'destination', value: 'nowhere' });
    const refused = await get('/try');
    assert.match(refused.text, /role="alert">No place is called/);
    assert.match(refused.text, /Near what was asked for:[\s\S]*value="porto-pt"/);
    assert.ok(!refused.text.includes(ODD));
    await send({ action: 'supply', field: 'destination', value: 'lisbon-pt' });
    const { text } = await get('/try');
    assert.match(text, /1 of 1 home, the cheapest first<\/h2>/);
    assert.match(text, /<summary>destination: lisbon-pt<\/summary>/);
    assert.match(text, /<summary>destination: nowhere<\/summary>/);
  });

  it('does nothing where no session is open', async () => {
    const { send, asked } = await setTryStage();
    assert.equal((await send({ action: 'supply', field: 'destination', value: 'x' })).status, 303);
    assert.deepEqual(asked, []);
  });

  it('says to a person what fields, places and reasons are called', async () => {
    const { send, get } = await setTryStage(({ operation, values }) =>
      operation === 'search' && values.kind === 'valid' && values.value.size > 0
        ? {
            error: 'invalid_value',
            message: 'Invalid value for field: check_out. A departure must …: check_in_month, check_in_day.',
            invalid_field: 'check_out',
            reason: { code: 'conflicts_with', fields: ['check_in_month', 'check_in_day'] },
            suggestions: ['2027-05-09'],
            received: {
              source: 'northern',
              brand_locked: false,
              destination: 'lisbon-pt',
              check_in_month: '2027-05',
            },
            next_required: 'amenities',
            result_ready: true,
            allowed_values: { amenities: [{ value: 'step_free', match_count: 3, of: 8 }] },
          }
        : undefined,
    );
    await send({ action: 'open' });
    await send({ action: 'supply', field: 'check_out', value: '2027-05-01' });
    const { text } = await get('/try');
    const [person = '', machine = ''] = text.split('What the assistant gets');
    assert.match(
      person,
      /role="alert">Day of departure: A departure must be after the arrival\. It does not fit together with what stands for: month of arrival, day of arrival\.</,
    );
    const chips = [...person.matchAll(/<li>([^<]+)<\/li>/g)].map(([, chip]) => chip);
    assert.deepEqual(chips, [
      'through: Northern Stays',
      'one brand or all: all brands',
      'destination: Lisbon',
      'month of arrival: May 2027',
    ]);
    assert.match(
      person,
      /name="field" value="check_out"><button class="quiet" name="value" value="2027-05-09">/,
    );
    assert.match(person, /value="step_free">step free \(3 of 8 homes\)</);
    assert.match(person, />Back to the result</);
    assert.match(person, />Sun, 09 May 2027</, 'and not 2027-05-09');
    assert.doesNotMatch(person, /(?:>|: |, )(?:check_|brand_locked|lisbon-pt)/);
    assert.match(machine, /Invalid value for field: check_out/);
  });

  it('shows the lines and the guarantee of each home, and changes fields by their words', async () => {
    const body = sampleResultBody();
    const [first] = body.results;
    assert.ok(first);
    const { quote } = first;
    const lines = [
      { label: 'Four nights', amount: 360.5 },
      { label: ODD, amount: 58 },
    ];
    const until = '2026-11-17T12:30:00Z';
    const held = { ...quote, line_items: lines, price_guarantee: 'held', price_valid_until: until } as const;
    const promised = { ...quote, line_items: [], price_guarantee: 'at_retrieval' } as const;
    const results = [held, promised].map((one) => ({ ...first, quote: one }));
    const { send, get } = await setTryStage(({ operation }) =>
      operation === 'search' ? { ...body, results } : undefined,
    );
    await send({ action: 'open' });
    const [person = ''] = (await get('/try')).text.split('What the assistant gets');
    const [, one = '', other = ''] = person.split('<h3>');
    assert.match(one, new RegExp(`“Four nights” 360\\.50 ${quote.currency}`));
    assert.match(one, /The operator holds this price until 2026-11-17T12:30:00Z\./);
    assert.match(other, /the operator’s website confirms it\./);
    assert.match(one, /Quote <a href="\/quotes\?nxq=nxq_1">/);
    assert.ok(!person.includes(ODD));
    assert.match(person, /<option value="check_out">day of departure<\/option>/);
  });

  it('takes an answer of blanks for none, and lets the last refusal go', async () => {
    const { send, get, asked } = await setTryStage();
    await send({ action: 'open' });
    await send({ action: 'supply', field: 'destination', value: 'nowhere' });
    assert.match((await get('/try')).text, /role="alert"/);
    await send({ action: 'supply', field: 'destination', value: '  ' });
    assert.doesNotMatch((await get('/try')).text, /role="alert"/);
    const last = asked.at(-1);
    assert.deepEqual(last?.values.kind === 'valid' && [...last.values.value], []);
    await send({ action: 'supply', field: 'destination', value: 'lisbon-pt' });
    await send({ action: 'supply', field: 'guests', value: '' });
    assert.equal(asked.at(-1)?.operation, 'readResult');
  });
});
