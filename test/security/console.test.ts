import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, METHODS, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { readSettings } from '../../src/app/settings.ts';
import type { Console } from '../../src/console/build-console.ts';
import type { ConsoleDeps } from '../../src/console/console-routes.ts';
import { SECURITY_HEADERS } from '../../src/console/guard.ts';
import { callerAt } from '../support/attack-stage.ts';
import { ODD } from '../support/console-samples.ts';
import { PASSWORD, setConsoleStage } from '../support/console-stage.ts';
import { CONSOLE_ADDRESSES } from './exposed-addresses.ts';

const EVERY_METHOD = METHODS.filter((method) => method !== 'CONNECT');
const ADDRESSES = CONSOLE_ADDRESSES.map(([path, , guard]) => ({
  path: path
    .replace(':name', path.startsWith('/assistants') ? 'claude' : 'northern')
    .replace(':table', 'by_hour.csv'),
  guard,
}));

async function listening(t: TestContext, parts: Partial<ConsoleDeps> = {}) {
  const stage = await setConsoleStage(parts);
  const origin = await stage.app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => stage.app.close());
  return { ...stage, origin, ...callerAt(origin, '127.0.0.1') };
}

type Listening = Awaited<ReturnType<typeof listening>>;

/** Connections of strangers, each with the same bytes. */
async function openMany(t: TestContext, { server }: Pick<Console, 'server'>, bytes: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count < 300; count += 1) {
    const stranger = connect(port, '127.0.0.1').on('error', () => undefined);
    t.after(() => stranger.destroy());
    stranger.write(bytes);
    // A form whose headers have come is a request.
    await once(server, bytes.includes('\r\n\r\n') ? 'request' : 'connection');
  }
}

describe('the console', () => {
  it('has the addresses of the table, and no others', async () => {
    const { app } = await setConsoleStage();
    const found = [...Map.groupBy(app.routes, ({ path }) => path)].map(([path, routes]) => {
      const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      return `${path} ${methods.sort().join(' ')}`;
    });
    const listed = CONSOLE_ADDRESSES.map(([path, methods]) => `${path} ${methods}`);
    assert.deepEqual(found.sort(), [...listed].sort());
  });

  it('serves nothing to whoever is not signed in, by any address and any method', async (t) => {
    const { call, state } = await listening(t);
    let refusedForms = 0;
    for (const { path, guard } of [...ADDRESSES, { path: '/nothing', guard: 'owner' }]) {
      for (const method of EVERY_METHOD) {
        const { status, text, headers } = await call(path, { method });
        const isReading = method === 'GET' || method === 'HEAD';
        if (guard === 'sign-in' && isReading) {
          assert.equal(status, 200, `${method} ${path}`);
          continue;
        }
        const about = `${method} ${path} → ${status}`;
        if (isReading) {
          assert.equal(status, 303, about);
          assert.match(String(headers.location), /^\/sign-in\?next=/, about);
        } else assert.ok([400, 403].includes(status), about);
        if (status === 403) refusedForms += 1;
        assert.doesNotMatch(text, /Northern|4,812|Claude|form_token/, about);
      }
    }
    assert.deepEqual([state.asked, state.deeds], [[], []]);
    assert.deepEqual(
      state.audited.map(({ action, about }) => [action, about]),
      Array.from({ length: refusedForms }, () => ['form_refused', null]),
    );
  });

  it('listens on this machine alone unless the owner says otherwise', () => {
    const settings = readSettings({ STAYWIRE_NETWORK: 'network.json' });
    assert.ok(settings.kind === 'valid');
    assert.equal(settings.value.consoleHost, '127.0.0.1');
  });

  it('lets nobody guess the password: five tries in a minute, over all callers', async (t) => {
    const { origin, state } = await listening(t);
    const { call: other } = callerAt(origin, '127.0.0.77');
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 20; tries += 1) {
      const { call } = callerAt(origin, `127.0.0.${tries + 2}`);
      const body = tries === 19 ? `password=${encodeURIComponent(PASSWORD)}` : `password=guess${tries}`;
      statuses.push((await call('/sign-in', { method: 'POST', headers, body })).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, ...Array<number>(15).fill(429)]);
    assert.equal((await other('/today', {})).status, 303);
    assert.deepEqual(
      state.audited.map(({ action, about }) => [action, about]),
      statuses.map((status) => [status === 401 ? 'sign_in_refused' : 'sign_in_limited', null]),
    );
    assert.doesNotMatch(JSON.stringify(state.audited) + state.logged.join(), /guess|password for/);
  });

  for (const [sent, bytes] of [
    ['no byte', ''],
    ['half of its headers', 'GET /sign-in HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'half of a form',
      'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\npass',
    ],
  ] as const) {
    it(`keeps its owner’s connection, and a place for the next one, when strangers open hundreds and send ${sent}`, async (t) => {
      const { origin, app, signIn, cookie, call } = await listening(t);
      await signIn();
      const { port } = new URL(origin);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => agent.destroy());
      const ownersPage = async () => {
        const headers = { cookie: cookie().replace('_0=', `_${port}=`) };
        const sending = request(`${origin}/today`, { agent, headers }).end();
        const [answer] = (await once(sending, 'response')) as [IncomingMessage];
        await textOf(answer);
        return { status: answer.statusCode, isSameConnection: sending.reusedSocket };
      };
      assert.deepEqual(await ownersPage(), { status: 200, isSameConnection: false });
      await openMany(t, app, bytes);
      assert.deepEqual(await ownersPage(), { status: 200, isSameConnection: true });
      assert.equal((await call('/sign-in')).status, 200);
    });

    it(`lets its owner sign in while strangers open hundreds and send ${sent}`, async (t) => {
      const checking = Promise.withResolvers<void>();
      const enough = Promise.withResolvers<void>();
      const { origin, app, call, state }: Listening = await listening(t, {
        password: {
          async read() {
            checking.resolve();
            await enough.promise;
            return state.password;
          },
          readNoticed: async () => null,
          writeNoticed: async () => {},
        },
      });
      const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams({ password: PASSWORD }).toString();
      const signingIn = call('/sign-in', { method: 'POST', headers, body });
      await checking.promise;
      await openMany(t, app, bytes);
      enough.resolve();
      assert.equal((await signingIn).status, 303);
    });
  }

  it('waits for a form, or for headers, for a few seconds only', async (t) => {
    const { app } = await listening(t);
    const { requestTimeout, headersTimeout } = app.server;
    assert.deepEqual([requestTimeout, headersTimeout], [5_000, 5_000]);
  });

  it('is not entered by a cookie that somebody made up or has from another console', async (t) => {
    const { call, app } = await listening(t);
    const address = app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const cookie of [
      `staywire_console_${port}=`,
      `staywire_console_${port}=${'A'.repeat(43)}`,
      `staywire_console_${port}=__proto__`,
      'staywire_console_9465=anything',
    ]) {
      assert.equal((await call('/today', { headers: { cookie } })).status, 303, cookie);
    }
  });

  it('is not entered by another account of the machine that got hold of the cookie', async () => {
    const { signIn, get, state } = await setConsoleStage();
    state.account = 1000;
    await signIn();
    for (const account of [1001, 0, null]) {
      state.account = account;
      assert.equal((await get('/today')).status, 303, String(account));
    }
    state.account = 1000;
    assert.equal((await get('/today')).status, 200, 'and the owner is still signed in');
  });

  it('does not lock its owner out for cookies of the same name that a server on another port has set', async () => {
    const { signIn, get, post, cookie, formToken, withoutCookie, state } = await setConsoleStage();
    const [, known = ''] = (await signIn()).headers['set-cookie'] as string[];
    const form_token = await formToken();
    const own = cookie();
    withoutCookie();
    // Those with a longer path come first; browsers keep up to 180 of a host.
    const tossed = (name: string) => Array<string>(180).fill(`staywire_${name}_0=junk`).join('; ');
    const headers = { cookie: `${tossed('console')}; ${own}` };
    assert.equal((await get('/today', headers)).status, 200);
    for (let tries = 0; tries < 5; tries += 1) await post('/sign-in', { password: 'wrong' });
    const ofKnown = { cookie: `${tossed('known')}; ${known.split(';', 1)[0]}` };
    assert.equal((await post('/sign-in', { password: PASSWORD }, ofKnown)).status, 303);
    assert.equal((await post('/sign-out', { form_token }, headers)).status, 303);
    assert.equal(state.audited.at(-1)?.action, 'signed_out');
    assert.equal((await get('/today', { cookie: own })).status, 303, 'and signing out ends the true one');
  });

  it('looks at no more cookies of its name than browsers keep', async () => {
    const { signIn, get, cookie, withoutCookie } = await setConsoleStage();
    await signIn();
    const own = cookie();
    withoutCookie();
    const headers = { cookie: `${'staywire_console_0=; '.repeat(5_000)}${own}` };
    assert.equal((await get('/today', headers)).status, 303);
  });

  it('does nothing that a page elsewhere asks for, though its owner is signed in', async () => {
    const { signIn, call, formToken, state } = await setConsoleStage();
    await signIn();
    const form = { form_token: await formToken() };
    for (const url of ['/operators/northern/pause', '/assistants/claude/suspend', '/try', '/sign-out']) {
      for (const headers of [
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        assert.equal((await call('POST', url, { form, headers })).status, 403, url);
      }
      assert.equal((await call('POST', url, { form: {} })).status, 403, `${url} without its token`);
    }
    assert.deepEqual(state.deeds, []);
    assert.deepEqual(
      state.audited.map(({ action }) => action),
      ['signed_in', ...Array<string>(12).fill('form_refused')],
    );
    assert.equal((await call('GET', '/today')).status, 200, 'and the owner is still signed in');
  });

  it('is not reached by a page on a name that was rebound to this machine', async (t) => {
    const { call } = await listening(t);
    for (const host of ['evil.example', 'evil.example:9465', 'localhost.evil.example']) {
      for (const { path } of ADDRESSES) {
        assert.equal((await call(path, { headers: { host } })).status, 403, `${host} ${path}`);
      }
    }
  });

  it('cannot be framed, and runs nothing but its own scripts', async () => {
    const { signIn, get } = await setConsoleStage();
    await signIn();
    for (const { path } of ADDRESSES) {
      const { headers, text } = await get(path);
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.match(String(headers['content-security-policy']), /script-src 'self';.*frame-ancestors 'none'/);
      assert.doesNotMatch(text, /<script(?! src="\/assets\/)|<style|<[^>]* (?:style|on\w+)=/, path);
    }
  });

  for (const [about, bytes, status] of [
    ['an address that cannot be decoded', 'GET /%zzevil HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['such an address on another host', 'GET /%zzevil HTTP/1.1\r\nHost: evil.test\r\n\r\n', 403],
    [
      'a part that is too long',
      `GET /operators/evil${'l'.repeat(210)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      414,
    ],
    [
      'headers that are too long',
      `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: evil=${'l'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ['no HTTP', 'evil\r\n\r\n', 400],
    ['no host', 'GET /evil HTTP/1.1\r\n\r\n', 403],
    ['every address', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nX: evil\r\n\r\n', 403],
    ['an expectation', 'GET /evil HTTP/1.1\r\nHost: localhost\r\nExpect: evil\r\n\r\n', 303],
    [
      'a form of two lengths',
      'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nevil',
      400,
    ],
  ] as const) {
    it(`guards its answer to ${about} as any other, and repeats nothing`, async (t) => {
      const { app } = await listening(t);
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      t.after(() => socket.destroy());
      socket.write(bytes);
      const [chunk] = await once(socket, 'data');
      const [head = '', body = ''] = String(chunk).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        assert.ok(head.includes(`\r\n${name}: ${value}`), name);
      }
      assert.doesNotMatch(body, /evil/);
    });
  }

  it('shows what operators and callers wrote as text', async () => {
    const { signIn, get } = await setConsoleStage();
    await signIn();
    for (const path of ['/today', '/operators', '/operators?brand=northern', '/quotes?nxq=nxq_7QwZ4m2rT1']) {
      const { text } = await get(path);
      assert.ok(text.includes('&#60;script&#62;alert(1)'), path);
      assert.ok(!text.includes(ODD) && !text.includes('<img'), path);
    }
  });
});
