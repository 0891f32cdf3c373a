import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ODD } from '../../test/support/console-samples.ts';
import { setConsoleStage } from '../../test/support/console-stage.ts';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { OperationRequest } from '../contract/exchange.ts';
import type { OperationAnswer } from '../operations/serve-operation.ts';

const TOKEN = 'ses_the-token-of-the-session';
const RATE = { limit: 1, remaining: 1, resetAt: 0, allowed: true, retryAfterSeconds: 0 };

/** A service that asks for a destination, refuses one, and has a result for the other. */
async function setTryStage() {
  const asked: OperationRequest[] = [];
  const bodyFor = ({ operation, values }: OperationRequest): object => {
    if (operation === 'openSession') return { object: 'session', session: TOKEN };
    const given = values.kind === 'valid' ? values.value.get('destination') : undefined;
    if (given === 'lisbon-pt') return { ...sampleResultBody(), session: TOKEN };
    return {
      session: TOKEN,
      error: given === undefined ? 'incomplete_payload' : 'invalid_value',
      message: given === undefined ? 'Missing required field: destination' : `No place is called ${ODD}`,
      ...(given === undefined ? {} : { suggestions: ['porto-pt'] }),
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
      const body = Buffer.from(JSON.stringify(bodyFor(request)));
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
    assert.match(refused.text, /value="porto-pt"/);
    assert.ok(!refused.text.includes(ODD));
    await send({ action: 'supply', field: 'destination', value: 'lisbon-pt' });
    const { text } = await get('/try');
    assert.match(text, /homes, the cheapest first<\/h2>/);
    assert.match(text, /<summary>destination: lisbon-pt<\/summary>/);
    assert.match(text, /<summary>destination: nowhere<\/summary>/);
  });

  it('begins anew, and is each browser’s own', async () => {
    const { send, get, signIn } = await setTryStage();
    await send({ action: 'open' });
    await send({ action: 'reset' });
    assert.match((await get('/try')).text, /A search begins with a session/);
    await send({ action: 'open' });
    await signIn();
    assert.match((await get('/try')).text, /A search begins with a session/);
  });

  it('does nothing where no session is open', async () => {
    const { send, asked } = await setTryStage();
    assert.equal((await send({ action: 'supply', field: 'destination', value: 'x' })).status, 303);
    assert.deepEqual(asked, []);
  });
});
