import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createSystemLookup } from './look-up-host.ts';

const { settle } = createFakeClock(0);
const FOUND = [{ address: '192.0.2.7', family: 4 }];

function slowSystem() {
  const asked: string[] = [];
  const ends = new Map<string, () => void>();
  const lookUp = createSystemLookup(async (name) => {
    asked.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    if (name.startsWith('no-')) throw new Error('there is none');
    return FOUND;
  });
  return { asked, lookUp, end: (name: string) => ends.get(name)?.() };
}

describe('the lookup of the system', () => {
  it('is asked for one name at a time, also after a fault', async () => {
    const { asked, lookUp, end } = slowSystem();
    const { signal } = new AbortController();
    const none = assert.rejects(lookUp('no-host', signal), /there is none/);
    const others = [lookUp('a', signal), lookUp('b', signal)];
    await settle();
    assert.deepEqual(asked, ['no-host']);
    end('no-host');
    await none;
    await settle();
    assert.deepEqual(asked, ['no-host', 'a']);
    end('a');
    await settle();
    end('b');
    assert.deepEqual(await Promise.all(others), [FOUND, FOUND]);
    const last = lookUp('c', signal);
    end('c');
    assert.deepEqual(await last, FOUND);
  });

  it('is left by whoever gives up, in the line or not, and holds one thread until it ends', async () => {
    const { asked, lookUp, end } = slowSystem();
    const leaving = new AbortController();
    const given = [lookUp('silent', leaving.signal), lookUp('waiting', leaving.signal)];
    const staying = lookUp('staying', new AbortController().signal);
    await settle();
    leaving.abort(new Error('gone'));
    for (const one of given) await assert.rejects(one, /gone/);
    await assert.rejects(lookUp('late', leaving.signal), /gone/);
    assert.deepEqual(asked, ['silent']);
    end('silent');
    await settle();
    assert.deepEqual(asked, ['silent', 'staying']);
    end('staying');
    assert.deepEqual(await staying, FOUND);
  });

  it('goes on with the next when one leaves in the moment in which it is called', async () => {
    const asked: string[] = [];
    const first = Promise.withResolvers<typeof FOUND>();
    const lookUp = createSystemLookup((name) => {
      asked.push(name);
      return name === 'first' ? first.promise : Promise.resolve(FOUND);
    });
    const leaving = new AbortController();
    const { signal } = new AbortController();
    const served = lookUp('first', signal);
    const left = assert.rejects(lookUp('leaving', leaving.signal), /gone/);
    const next = lookUp('next', signal);
    // Reactions run in their order: the line calls the next one, who then leaves before hearing of it.
    first.promise.then(() => leaving.abort(new Error('gone')));
    first.resolve(FOUND);
    await left;
    assert.deepEqual(await Promise.all([served, next]), [FOUND, FOUND]);
    assert.deepEqual(asked, ['first', 'next']);
  });

  it('finds this machine', async () => {
    const found = await createSystemLookup()('localhost', new AbortController().signal);
    assert.ok(found.some(({ address }) => address === '127.0.0.1' || address === '::1'));
  });
});
