import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startNameServer } from '../../test/support/name-server.ts';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { systemClock } from '../clock.ts';
import { createAllowedAddresses } from './guarded-connector.ts';
import type { SystemLookup } from './look-up-host.ts';
import { createHostLookup } from './look-up-host.ts';
import type { MachineNames } from './name-sources.ts';
import { type AskNameServers, createNameServers } from './name-sources.ts';
import { createClientOpener } from './operator-client.ts';

const FOUND = [{ address: '192.0.2.7', family: 4 }];
const AT_HOME = [{ address: '192.0.2.99', family: 4 }];
const NO_FILES: MachineNames = { addressesOf: async () => [], spellingsOf: async (name) => [name] };
const CALL = { timeoutMs: 60_000, maxBytes: 1000, signal: new AbortController().signal };

const fault = (code: string) => Object.assign(new Error(code), { code });
const never = () => new Promise<never>(() => {});

/** A lookup with scripted name servers, and what they and the system were asked. */
function lookupWith({
  answer,
  machineNames = NO_FILES,
  system = () => Promise.reject(fault('ENOTFOUND')),
  isPublicOnly = false,
}: {
  readonly answer: AskNameServers;
  readonly machineNames?: MachineNames;
  readonly system?: SystemLookup;
  readonly isPublicOnly?: boolean;
}) {
  const clock = createFakeClock(0);
  const asked: string[] = [];
  const askedOfTheSystem: string[] = [];
  const lookUpHost = createHostLookup({
    clock,
    isPublicOnly,
    machineNames,
    askNameServers(name) {
      asked.push(name);
      return answer(name);
    },
    createLine: () => (name, signal) => {
      askedOfTheSystem.push(name);
      return system(name, signal);
    },
  });
  const lookUp = (name: string, signal = CALL.signal) => lookUpHost(name, signal);
  return { lookUp, clock, asked, askedOfTheSystem };
}

describe('a name whose name servers are silent', () => {
  it('does not delay the call to another operator, however many such names are looked up', async (t) => {
    const server = await plainServer((_, response) => sendJson(response, {}));
    t.after(() => server.close());
    const { port } = new URL(server.url);
    const { address } = await startNameServer(t, ({ name }) =>
      name.endsWith('.silent.test') ? 'silent' : ['127.0.0.1'],
    );
    let askedOfTheSystem = 0;
    const openClient = createClientOpener({
      addresses: createAllowedAddresses(['127.0.0.0/8']),
      clock: systemClock,
      lookUp: createHostLookup({
        clock: systemClock,
        machineNames: NO_FILES,
        askNameServers: createNameServers({ clock: systemClock, servers: [address] }),
        createLine: () => () => {
          askedOfTheSystem += 1;
          return never();
        },
      }),
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
    assert.equal(askedOfTheSystem, 0);
  });

  it('is given up with the client that wanted it', async () => {
    const signals: AbortSignal[] = [];
    const openClient = createClientOpener({
      addresses: createAllowedAddresses([]),
      clock: createFakeClock(0),
      lookUp(_, signal) {
        signals.push(signal);
        return never();
      },
    });
    const client = openClient({ baseUrl: 'https://api.silent.test', connections: 1 });
    const call = assert.rejects(client.send({ method: 'GET', path: '/' }, CALL), { kind: 'unreachable' });
    await client.close();
    await call;
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
  });

  it('is given up after two seconds', async () => {
    const { lookUp, clock, askedOfTheSystem } = lookupWith({ answer: never });
    const lookup = assert.rejects(lookUp('api.silent.test'), { code: 'ETIMEOUT' });
    await clock.advance(1999);
    assert.equal(clock.pendingTimers, 1);
    await clock.advance(1);
    await lookup;
    assert.deepEqual(askedOfTheSystem, []);
    assert.equal(clock.pendingTimers, 0);
  });
});

describe('a name', () => {
  it('that many look up together is asked for once, and then kept for thirty seconds', async () => {
    const { lookUp, clock, asked } = lookupWith({ answer: async () => FOUND });
    const together = await Promise.all(Array.from({ length: 20 }, () => lookUp('api.operator.test')));
    for (const found of together) assert.deepEqual(found, FOUND);
    await clock.advance(29_999);
    await lookUp('api.operator.test');
    assert.equal(asked.length, 1);
    await clock.advance(1);
    await lookUp('api.operator.test');
    assert.equal(asked.length, 2);
  });

  it('that cannot be found is asked for again after three seconds', async () => {
    let isUp = false;
    const { lookUp, clock, asked } = lookupWith({
      answer: () => (isUp ? Promise.resolve(FOUND) : Promise.reject(fault('ESERVFAIL'))),
    });
    await assert.rejects(lookUp('api.operator.test'), { code: 'ESERVFAIL' });
    isUp = true;
    await clock.advance(2999);
    await assert.rejects(lookUp('api.operator.test'), { code: 'ESERVFAIL' });
    assert.equal(asked.length, 1);
    await clock.advance(1);
    assert.deepEqual(await lookUp('api.operator.test'), FOUND);
  });

  it('of the hosts file is asked for nowhere else', async () => {
    const known: Record<string, typeof AT_HOME> = { 'pms.test': AT_HOME };
    const { lookUp, asked } = lookupWith({
      answer: async () => FOUND,
      machineNames: { ...NO_FILES, addressesOf: async (name) => known[name] ?? [] },
    });
    assert.deepEqual(await lookUp('pms.test'), AT_HOME);
    assert.deepEqual(await lookUp('pms.test.'), AT_HOME);
    assert.deepEqual(asked, []);
  });

  it('is found under the search domains of this machine, without the system', async () => {
    const { lookUp, asked, askedOfTheSystem } = lookupWith({
      answer: async (name) => {
        if (name === 'pms.prod.svc.test') return FOUND;
        throw fault(name === 'pms.prod' ? 'ESERVFAIL' : 'ENOTFOUND');
      },
      machineNames: {
        ...NO_FILES,
        spellingsOf: async (name) => [name, `${name}.other.test`, `${name}.svc.test`],
      },
    });
    assert.deepEqual(await lookUp('pms.prod'), FOUND);
    assert.deepEqual(asked, ['pms.prod', 'pms.prod.other.test', 'pms.prod.svc.test']);
    assert.deepEqual(askedOfTheSystem, []);
  });

  it('that name servers do not know, or cannot be asked for, may be known to the system', async () => {
    for (const code of ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']) {
      const { lookUp } = lookupWith({
        answer: () => Promise.reject(fault(code)),
        system: async () => AT_HOME,
      });
      assert.deepEqual(await lookUp('pms.local'), AT_HOME, code);
    }
  });

  it('that only an operator has written is asked for as it is, and never of the system', async () => {
    const { lookUp, asked, askedOfTheSystem } = lookupWith({
      answer: () => Promise.reject(fault('ENOTFOUND')),
      machineNames: { ...NO_FILES, spellingsOf: async (name) => [name, `${name}.svc.test`] },
      system: async () => AT_HOME,
      isPublicOnly: true,
    });
    await assert.rejects(lookUp('feed.operator.test'), { code: 'ENOTFOUND' });
    assert.deepEqual([asked, askedOfTheSystem], [['feed.operator.test'], []]);
  });

  it('is not asked for when everybody who wanted it has gone before, and nothing is kept of it', async () => {
    const { lookUp, clock, asked } = lookupWith({ answer: async () => FOUND });
    const leaving = [new AbortController(), new AbortController()];
    const lookups = leaving.map(({ signal }) => assert.rejects(lookUp('api.operator.test', signal), /gone/));
    for (const one of leaving) one.abort(new Error('gone'));
    await Promise.all(lookups);
    await clock.settle();
    assert.deepEqual([asked, clock.pendingTimers], [[], 0]);
    assert.deepEqual(await lookUp('api.operator.test'), FOUND);
  });

  it('is looked up to the end for those who stay', async () => {
    const answer = Promise.withResolvers<typeof FOUND>();
    const { lookUp, asked } = lookupWith({ answer: () => answer.promise });
    const leaving = new AbortController();
    const left = assert.rejects(lookUp('api.operator.test', leaving.signal), /gone/);
    const staying = lookUp('api.operator.test');
    leaving.abort(new Error('gone'));
    await left;
    answer.resolve(FOUND);
    assert.deepEqual(await staying, FOUND);
    assert.equal(asked.length, 1);
  });

  it('that waits for the system ends in time, with what the name servers said', async () => {
    const left: string[] = [];
    const { lookUp, clock } = lookupWith({
      answer: () => Promise.reject(fault('ENOTFOUND')),
      system: (name, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            left.push(name);
            reject(signal.reason);
          });
        }),
    });
    const lookup = assert.rejects(lookUp('pms.local'), { code: 'ENOTFOUND' });
    await clock.advance(2000);
    await lookup;
    assert.deepEqual(left, ['pms.local']);
  });

  it('without a dot waits for no name with one', async () => {
    const lines: string[][] = [];
    const lookUp = createHostLookup({
      clock: createFakeClock(0),
      machineNames: NO_FILES,
      askNameServers: () => Promise.reject(fault('ENOTFOUND')),
      createLine() {
        const line: string[] = [];
        lines.push(line);
        return async (name) => {
          line.push(name);
          return AT_HOME;
        };
      },
    });
    await Promise.all(['pms', 'pms.local', 'printer', 'nas.local'].map((name) => lookUp(name, CALL.signal)));
    assert.deepEqual(lines, [
      ['pms', 'printer'],
      ['pms.local', 'nas.local'],
    ]);
  });
});
