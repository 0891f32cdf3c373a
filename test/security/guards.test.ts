import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/app/settings.ts';
import { systemClock } from '../../src/clock.ts';
import { startMetricsServer } from '../../src/telemetry/metrics-server.ts';
import { type AttackStage, callerAt, setAttackStage } from '../support/attack-stage.ts';
import { exchange } from '../support/raw-http.ts';
import { type Guard, SERVICE_ADDRESSES } from './exposed-addresses.ts';

/** All that Node reads. CONNECT is not a request for an address, and has a test of its own. */
const EVERY_METHOD = METHODS.filter((method) => method !== 'CONNECT');
const BROWSER = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' };
/** Spellings by which a careless router, or a proxy before it, could be led past the gate. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path.replace('/a', '/%61').replace('/m', '/%6d'),
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `/docs/..${path}`,
  (path) => `/docs/%2e%2e${path}`,
  (path) => `${path}/`,
  (path) => `${path};x=1`,
  (path) => `${path}%00`,
  (path) => `${path}#/docs`,
  (path) => `${path}?/docs`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
];

describe('the addresses of the service', () => {
  it('are those of the table, and no others', async (t) => {
    const { service } = await setAttackStage(t);
    const found = [...service.routes()].map(([path, methods]) => `${nameOf(path)} ${methods}`);
    const listed = SERVICE_ADDRESSES.filter(([, , guard]) => guard !== 'own port').map(
      ([path, methods]) => `${path} ${methods}`,
    );
    assert.deepEqual(found.sort(), [...listed].sort());
  });

  it('of assistants refuse everybody else in the same words, by every method there is', async (t) => {
    const stage = await setAttackStage(t, { settings: { rateLimit: 100_000 } });
    for (const path of pathsOf(stage, 'assistants')) {
      for (const method of EVERY_METHOD) {
        const refused = await stage.stranger.call(path, { method });
        assert.equal(refused.status, 403, `${method} ${path}`);
        const suspended = await stage.suspended.call(path, { method });
        assert.deepEqual([suspended.status, suspended.text], [403, refused.text], `${method} ${path}`);
        if (method === 'HEAD') continue;
        assert.deepEqual([refused.body.error, refused.body.method], ['access_denied', method]);
      }
      const person = await stage.alpha.call(path, { headers: BROWSER });
      assert.deepEqual([person.status, person.body.reason], [403, 'end_user_access'], path);
    }
  });

  it('of assistants are not passed by another spelling of their address', async (t) => {
    const stage = await setAttackStage(t, { settings: { rateLimit: 100_000 } });
    for (const path of pathsOf(stage, 'assistants')) {
      for (const respell of SPELLINGS) {
        for (const method of ['GET', 'POST']) {
          const { status } = await stage.stranger.call(respell(path), { method });
          assert.ok([400, 403, 404].includes(status), `${method} ${respell(path)} → ${status}`);
        }
      }
    }
  });

  it('of assistants let assistants in by the methods of the table alone', async (t) => {
    const stage = await setAttackStage(t, { settings: { rateLimit: 100_000 } });
    for (const [path, methods, guard] of SERVICE_ADDRESSES) {
      if (guard !== 'assistants') continue;
      for (const method of EVERY_METHOD) {
        const { status, headers } = await stage.alpha.call(path, { method });
        assert.notEqual(status, 403, `${method} ${path}`);
        assert.equal(status === 405, !methods.split(' ').includes(method), `${method} ${path} → ${status}`);
        if (status === 405) assert.deepEqual(headers.allow?.split(', ').sort(), methods.split(' '));
      }
    }
  });

  it('of everybody are only read, by anybody, under a name of the service', async (t) => {
    const stage = await setAttackStage(t, { settings: { rateLimit: 100_000 } });
    for (const guard of ['everybody', 'everybody, any host'] as const) {
      for (const path of pathsOf(stage, guard)) {
        const methods = SERVICE_ADDRESSES.find(([name]) => name === nameOf(path))?.[1].split(' ') ?? [];
        for (const method of EVERY_METHOD) {
          const { status } = await stage.stranger.call(path, { method });
          const expected = !methods.includes(method) ? 405 : method === 'OPTIONS' ? 204 : 200;
          assert.equal(status, expected, `${method} ${path}`);
        }
        const rebound = await stage.alpha.call(path, { headers: { host: 'evil.example' } });
        assert.equal(rebound.status, guard === 'everybody' ? 403 : 200, path);
      }
    }
  });

  it('are not where nothing is listed: a stranger is refused where assistants are, and finds nothing elsewhere', async (t) => {
    const stage = await setAttackStage(t, { settings: { rateLimit: 100_000 } });
    for (const method of EVERY_METHOD) {
      assert.equal((await stage.stranger.call('/ai/v1/nothing', { method })).status, 403, method);
      assert.equal((await stage.stranger.call('/nothing', { method })).status, 404, method);
      assert.equal((await stage.stranger.call('/metrics', { method })).status, 404, method);
    }
  });

  it('are not opened by a tunnel or another protocol', async (t) => {
    const { origin } = await setAttackStage(t);
    const { host } = new URL(origin);
    const tunnel = await exchange(origin, [`CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: ${host}\r\n\r\n`]).catch(
      () => null,
    );
    assert.notEqual(tunnel?.status, 200);
    for (const path of ['/mcp', '/ai/v1/terms']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\n`;
      for (const protocol of ['websocket', 'h2c']) {
        // From 127.0.0.1, where nobody is approved.
        const { status } = await exchange(origin, [`${head}Upgrade: ${protocol}\r\n\r\n`]);
        assert.equal(status, 403, `${protocol} ${path}`);
      }
    }
  });

  it('with metrics are on a port of their own, on this machine alone unless the owner says otherwise, and show nothing else', async (t) => {
    const settings = readSettings({ STAYWIRE_NETWORK: 'network.json' });
    assert.ok(settings.kind === 'valid');
    assert.equal(settings.value.metricsHost, '127.0.0.1');
    const { service } = await setAttackStage(t);
    const server = await startMetricsServer({
      render: () => service.metrics.render(),
      contentType: service.metrics.contentType,
      host: settings.value.metricsHost,
      hosts: settings.value.hosts,
      port: 0,
      clock: systemClock,
    });
    t.after(() => server.close());
    const { call } = callerAt(`http://127.0.0.1:${server.port}`, '127.0.0.9');
    const reached: string[] = [];
    for (const path of [
      '/metrics',
      ...SERVICE_ADDRESSES.map(([one]) => one).filter((one) => one !== '/metrics'),
    ]) {
      for (const method of EVERY_METHOD) {
        const { status } = await call(path.replace('*', 'x'), { method });
        if (status === 200) reached.push(`${method} ${path}`);
        else assert.ok([404, 405].includes(status), `${method} ${path} → ${status}`);
      }
    }
    assert.deepEqual(reached, ['GET /metrics']);
  });
});

/** The addresses of this service behind one kind of guard. */
function pathsOf({ service }: AttackStage, guard: Guard): string[] {
  return [...service.routes().keys()].filter((path) =>
    SERVICE_ADDRESSES.some(([name, , guardedBy]) => guardedBy === guard && name === nameOf(path)),
  );
}

function nameOf(path: string): string {
  return path.replace(/^(\/docs\/)[^/]+\//, '$1*/');
}
