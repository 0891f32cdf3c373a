import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startNameServer } from '../../test/support/name-server.ts';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { systemClock } from '../clock.ts';
import { createAllowedAddresses } from './guarded-connector.ts';
import { createClientOpener } from './http-client.ts';
import { type AskForAddresses, askSystem, createHostLookup, createNameServerLookup } from './look-up-host.ts';

const FOUND = [{ address: '192.0.2.7', family: 4 }];
const NEVER = new AbortController().signal;
const CALL = { timeoutMs: 60_000, maxBytes: 1000, signal: NEVER };
const fault = (code: string) => Object.assign(new Error(code), { code });

function lookupWith(answer: AskForAddresses) {
  const clock = createFakeClock(0);
  const asked: string[] = [];
  const lookUpHost = createHostLookup({
    clock,
    ask(name) {
      asked.push(name);
      return answer(name);
    },
  });
  return { clock, asked, lookUp: (name: string, signal = NEVER) => lookUpHost(name, signal) };
}

describe('a lookup of a name', () => {
  it('is made once for all callers, and again when its addresses are 30 seconds old', async () => {
    const { lookUp, clock, asked } = lookupWith(async () => FOUND);
    assert.deepEqual(await Promise.all([lookUp('a.test'), lookUp('a.test')]), [FOUND, FOUND]);
    await clock.advance(29_999);
    await lookUp('a.test');
    assert.equal(asked.length, 1);
    await clock.advance(1);
    await lookUp('a.test');
    assert.equal(asked.length, 2);
    assert.equal(clock.pendingTimers, 0);
  });

  it('that failed fails for three seconds', async () => {
    const { lookUp, clock, asked } = lookupWith(() => Promise.reject(fault('ENOTFOUND')));
    for (let call = 0; call < 2; call += 1) await assert.rejects(lookUp('a.test'), { code: 'ENOTFOUND' });
    assert.equal(asked.length, 1);
    await clock.advance(3000);
    await assert.rejects(lookUp('a.test'), { code: 'ENOTFOUND' });
    assert.equal(asked.length, 2);
  });

  it('that is not answered fails in time, blocks no other name, and is not made again meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof FOUND>();
    const { lookUp, clock, asked } = lookupWith((name) =>
      name === 'silent.test' ? promise : Promise.resolve(FOUND),
    );
    const leaving = new AbortController();
    const gone = assert.rejects(lookUp('silent.test', leaving.signal), /gone/);
    const late = assert.rejects(lookUp('silent.test'), { code: 'ETIMEOUT' });
    assert.deepEqual(await lookUp('other.test'), FOUND);
    leaving.abort(new Error('gone'));
    await gone;
    await clock.advance(2000);
    await late;
    const again = lookUp('silent.test');
    resolve(FOUND);
    assert.deepEqual(await again, FOUND);
    assert.deepEqual(asked, ['silent.test', 'other.test']);
  });

  it('finds what the system knows', async () => {
    const found = await askSystem('localhost');
    assert.ok(found.some(({ address }) => address === '127.0.0.1' || address === '::1'));
  });
});

describe('the name servers', () => {
  it('give the addresses of both families, or the reason why there are none', async (t) => {
    const { address } = await startNameServer(t, ({ name }) => {
      if (name === 'both.test') return ['192.0.2.7', '2001:db8:0:0:0:0:0:7'];
      if (name === 'four.test') return ['192.0.2.7'];
      return name === 'silent.test' ? 'silent' : 'unknown';
    });
    const ask = createNameServerLookup([address]);
    assert.deepEqual(await ask('both.test'), [...FOUND, { address: '2001:db8::7', family: 6 }]);
    assert.deepEqual(await ask('four.test'), FOUND);
    await assert.rejects(ask('missing.test'), { code: 'ENOTFOUND' });
    await assert.rejects(ask('silent.test'), { code: 'ETIMEOUT' });
  });

  it('delay no other operator, however many names they leave unanswered', async (t) => {
    const server = await plainServer((_, response) => sendJson(response, {}));
    t.after(() => server.close());
    const { port } = new URL(server.url);
    const { address } = await startNameServer(t, ({ name }) =>
      name.endsWith('.silent.test') ? 'silent' : ['127.0.0.1'],
    );
    const openClient = createClientOpener({
      addresses: createAllowedAddresses(['127.0.0.0/8']),
      clock: systemClock,
      lookUp: createHostLookup({ clock: systemClock, ask: createNameServerLookup([address]) }),
    });
    const open = (host: string) => {
      const client = openClient({ baseUrl: `http://${host}:${port}`, connections: 1 });
      t.after(() => client.close());
      return client;
    };
    let ended = 0;
    const failures = Array.from({ length: 50 }, (_, index) =>
      open(`h${index}.silent.test`)
        .send({ method: 'GET', path: '/' }, CALL)
        .then(
          () => 'answered',
          (failure) => `${failure.kind} ${failure.cause.code}`,
        )
        .finally(() => {
          ended += 1;
        }),
    );
    const answer = await open('api.honest.test').send({ method: 'GET', path: '/' }, CALL);
    assert.equal(answer.kind, 'document');
    assert.equal(ended, 0);
    assert.deepEqual([...new Set(await Promise.all(failures))], ['timeout ETIMEOUT']);
  });
});
