import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFakeClock } from '../support/fake-clock.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { bearerOf, jsonAnswer } from './exchange.ts';
import { FAULT_KINDS, swapTypes } from './faults.ts';
import { aHome } from './homes.ts';
import { createTokens } from './tokens.ts';
import { createWorld } from './world.ts';

const START = Date.parse('2027-03-01T12:00:00Z');
const HONEST = { homes: [{ id: 1, name: 'Harbour House' }], price: '420.00' };

describe('an emulator', () => {
  let clock = createFakeClock(START);
  let emulator: Emulator;

  /** A vendor with one catalogue behind a token, and two limits. */
  function start(limits?: 'documented' | 'off' | readonly { requests: number; perMs: number }[]) {
    const options = { homes: [aHome()], now: clock.now, ...(limits ? { limits } : {}) };
    const tokens = createTokens({ prefix: 'sample', lifeMs: 60_000, now: clock.now });
    return startEmulator({
      options,
      world: createWorld(options.homes, clock.now),
      name: 'sample',
      basePath: '/v1',
      credentials: { key: 'sample-key' },
      documentedLimits: [
        { requests: 2, perMs: 1000 },
        { requests: 3, perMs: 10_000 },
      ],
      kindOf: ({ path }) => (path === '/v1/token' ? 'token' : 'catalogue'),
      costOf: ({ path }) => (path === '/v1/token' ? 0 : 1),
      route(request) {
        if (request.path === '/v1/token') return jsonAnswer(200, { token: tokens.issue() });
        return tokens.judge(bearerOf(request)) === 'valid'
          ? jsonAnswer(200, HONEST)
          : jsonAnswer(401, 'expired');
      },
      tooManyRequests: ({ resetsInMs }) =>
        jsonAnswer(429, 'slow down', { 'retry-after': String(resetsInMs / 1000) }),
      expiredToken: () => jsonAnswer(401, 'expired'),
      tokensIssued: tokens.issued,
      expireTokens: tokens.expireAll,
      referenceOf: (id) => `home-${id}`,
    });
  }

  const get = (path: string, token = 'sample-1', init: RequestInit = {}) =>
    fetch(`${emulator.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      ...init,
    });

  beforeEach(async () => {
    clock = createFakeClock(START);
    emulator = await start('off');
    await get('/token');
  });
  afterEach(() => emulator.close());

  it('answers honestly, and logs each request with its kind and status', async () => {
    assert.deepEqual(await (await get('/homes?page=2')).json(), HONEST);
    assert.equal((await get('/homes', 'unknown')).status, 401);
    assert.deepEqual(
      emulator.requests.map(({ sentBytes: _, ...logged }) => logged),
      [
        { at: START, method: 'GET', path: '/v1/token', kind: 'token', status: 200 },
        { at: START, method: 'GET', path: '/v1/homes?page=2', kind: 'catalogue', status: 200 },
        { at: START, method: 'GET', path: '/v1/homes', kind: 'catalogue', status: 401 },
      ],
    );
    assert.deepEqual(emulator.secretsShown(), ['sample-1', 'unknown']);
  });

  it('serves the pictures and pages of the homes', async () => {
    const site = `http://${emulator.websiteHost}`;
    const picture = await fetch(`${site}/pictures/1/front.png`, { method: 'HEAD' });
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
    assert.match(await (await fetch(`${site}/homes/home-1`)).text(), /Harbour House 1/);
    assert.deepEqual(emulator.budget, { exceeded: 0, refused: 0, most: [0, 0] });
  });

  it('prices a stay from the home alone, and refuses what is booked', () => {
    // 3 × 120 + 60 + 6 % of 360.
    assert.deepEqual(emulator.priceOf(1, '2027-04-01', '2027-04-04', 2), { total: 441_60, currency: 'EUR' });
    emulator.book(1, '2027-04-03', '2027-04-05');
    assert.deepEqual(emulator.priceOf(1, '2027-04-01', '2027-04-04', 2), { refused: 'taken' });
    assert.deepEqual(emulator.priceOf(1, '2027-04-05', '2027-04-08', 2), { total: 441_60, currency: 'EUR' });
  });

  it('refuses a stay that breaks a rule of the home', async () => {
    const home = aHome({
      maximumStay: 5,
      closedToArrival: (day) => day === '2027-04-02',
      closedToDeparture: (day) => day === '2027-04-09',
    });
    const world = createWorld([home], clock.now);
    const refusal = (from: string, to: string, guests = 2) => {
      const stay = world.stay(1, from, to, guests);
      return 'refused' in stay ? stay.refused : stay.total;
    };
    assert.equal(refusal('2027-04-01', '2027-04-02'), 'minimum_stay');
    assert.equal(refusal('2027-04-01', '2027-04-07'), 'maximum_stay');
    assert.equal(refusal('2027-04-02', '2027-04-05'), 'closed_to_arrival');
    assert.equal(refusal('2027-04-06', '2027-04-09'), 'closed_to_departure');
    assert.equal(refusal('2027-04-01', '2027-04-04', 5), 'too_many_guests');
    assert.equal(refusal('2027-02-20', '2027-02-24'), 'past');
    assert.equal(refusal('2027-04-04', '2027-04-04'), 'not_a_stay');
    assert.equal(refusal('2027-02-30', '2027-04-04'), 'not_a_stay');
    assert.deepEqual(world.stay(2, '2027-04-01', '2027-04-04', 2), { refused: 'unknown_home' });
  });

  it('counts what a limit that is off would have refused', async () => {
    for (let count = 0; count < 4; count += 1) assert.equal((await get('/homes')).status, 200);
    assert.deepEqual(emulator.budget, { exceeded: 2, refused: 0, most: [4, 4] });
  });

  describe('with its documented limits', () => {
    beforeEach(async () => {
      await emulator.close();
      emulator = await start();
      await get('/token');
    });

    it('refuses what comes too soon in any window, and forgives it when the window has moved on', async () => {
      const statuses: number[] = [];
      const ask = async () => {
        const response = await get('/homes');
        statuses.push(response.status);
        return response.headers.get('retry-after');
      };
      await ask();
      await clock.advance(600);
      await ask();
      assert.equal(await ask(), '0.4');
      await clock.advance(401);
      await ask();
      assert.equal(await ask(), '8.999');
      await clock.advance(9000);
      await ask();
      assert.deepEqual(statuses, [200, 200, 429, 200, 429, 200]);
      assert.deepEqual(emulator.budget, { exceeded: 2, refused: 2, most: [4, 5] });
    });
  });

  describe('with a fault', () => {
    const HOMES = '/homes';

    it('in one place leaves the others alone, and ends when it is taken back', async () => {
      emulator.setFault('error_500', 'catalogue');
      assert.equal((await get('/token')).status, 200);
      assert.equal((await get(HOMES)).status, 500);
      emulator.setFault('error_500', 'catalogue', /page=2/);
      assert.deepEqual([(await get(HOMES)).status, (await get(`${HOMES}?page=2`)).status], [200, 500]);
      emulator.setFault(null);
      assert.equal((await get(HOMES)).status, 200);
    });

    it('cuts JSON in half, with a length that is right', async () => {
      emulator.setFault('truncated_json');
      const response = await get(HOMES);
      const text = await response.text();
      assert.equal(text, JSON.stringify(HONEST).slice(0, text.length));
      assert.equal(Number(response.headers.get('content-length')), text.length);
      assert.equal(text.length, Math.floor(JSON.stringify(HONEST).length / 2));
    });

    it('swaps numbers and text, and turns lists into objects', async () => {
      emulator.setFault('wrong_types');
      assert.deepEqual(await (await get(HOMES)).json(), { homes: { 0: { id: '1', name: 13 } }, price: 420 });
      assert.deepEqual(swapTypes([true, null]), { 0: true, 1: null });
    });

    it('answers with a page, with nothing, or with another address', async () => {
      emulator.setFault('html_error_page');
      const page = await get(HOMES);
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
      emulator.setFault('empty_body');
      assert.equal(await (await get(HOMES)).text(), '');
      emulator.setFault('redirect');
      const redirect = await get(HOMES);
      assert.equal(redirect.status, 302);
      assert.equal(emulator.redirectFollowed(), false);
      await fetch(redirect.headers.get('location') ?? '');
      assert.equal(emulator.redirectFollowed(), true);
    });

    it('sends 64 MiB of spaces behind the honest answer', async () => {
      emulator.setFault('oversized');
      let bytes = 0;
      const { body } = await get(HOMES);
      assert.ok(body);
      for await (const chunk of body) bytes += chunk.length;
      assert.equal(bytes, 64 * 1024 * 1024 + JSON.stringify(HONEST).length);
      assert.ok((emulator.requests.at(-1)?.sentBytes ?? 0) >= bytes, 'and says what it has sent');
    });

    it('feeds an answer byte by byte until the client leaves', async () => {
      emulator.setFault('drip_fed');
      const leaving = new AbortController();
      const { body } = await get(HOMES, 'sample-1', {
        signal: leaving.signal,
        headers: { authorization: 'Bearer sample-1' },
      });
      const reader = body?.getReader();
      assert.equal((await reader?.read())?.value?.length, 1);
      leaving.abort();
      await assert.rejects(async () => reader?.read());
    });

    it('waits until a slow client leaves', async () => {
      emulator.setFault('slow');
      const leaving = AbortSignal.timeout(50);
      await assert.rejects(get(HOMES, 'sample-1', { signal: leaving }));
    });

    it('resets the connection without an answer', async () => {
      emulator.setFault('connection_reset');
      const [host = '', port] = emulator.websiteHost.split(':');
      const socket = connect(Number(port), host);
      socket.write('GET /v1/homes HTTP/1.1\r\nhost: sample\r\n\r\n');
      const code = await new Promise((resolve) => {
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        socket.on('end', () => resolve('ended'));
      });
      assert.equal(code, 'ECONNRESET');
      assert.equal(emulator.requests.at(-1)?.status, 0);
    });

    it('refuses in the way of the vendor, as if a limit were used up', async () => {
      emulator.setFault('rate_limited');
      const response = await get(HOMES);
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '1']);
      assert.equal(emulator.budget.refused, 1);
    });

    it('expires the tokens given so far, once', async () => {
      emulator.setFault('expired_token');
      assert.equal((await get('/token')).status, 200, 'a token can still be had');
      assert.equal((await get(HOMES, 'sample-2')).status, 401);
      assert.equal((await get(HOMES, 'sample-2')).status, 401, 'that token is gone for good');
      assert.equal((await get('/token')).status, 200);
      assert.equal((await get(HOMES, 'sample-3')).status, 200);
      assert.equal(emulator.tokensIssued(), 3);
    });

    it('of each kind, leaves nothing open behind', async () => {
      for (const fault of FAULT_KINDS) {
        emulator.setFault(fault);
        const before = emulator.requests.length;
        const leaving = new AbortController();
        const asked = get(HOMES, 'sample-1', { signal: leaving.signal }).catch(() => undefined);
        while (emulator.requests.length === before) await nextTurn();
        leaving.abort();
        await asked;
      }
      assert.equal(emulator.requests.length, FAULT_KINDS.length + 1);
    });
  });
});
