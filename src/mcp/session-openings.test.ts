import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionBody } from '../contract/session-body.ts';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import type { InterfaceCalls } from './interface-calls.ts';
import { createSessionOpenings, type OpeningBody, withKeyedOpenings } from './session-openings.ts';

function openingsAt(time: { readonly now: number }) {
  const clock = { elapsed: () => time.now };
  return createSessionOpenings(createRecentOpenings<OpeningBody>(clock), clock);
}

describe('openings under a key', () => {
  const setUp = () => {
    const time = { now: 0 };
    let opened = 0;
    return {
      time,
      openings: openingsAt(time),
      openNew: async () => {
        opened += 1;
        return { object: 'session', session: `ses_${opened}` } as unknown as OpeningBody;
      },
      opened: () => opened,
    };
  };

  it('are repeated for a minute, each name for itself', async () => {
    const { openings, openNew, time, opened } = setUp();
    const first = await openings.open('one', openNew);
    time.now = 60_000;
    assert.equal(await openings.open('one', openNew), first);
    await openings.open('other', openNew);
    assert.equal(opened(), 2);
    time.now = 60_001;
    assert.notEqual(await openings.open('one', openNew), first);
  });

  it('are not repeated when they were refused', async () => {
    const { openings, openNew, opened } = setUp();
    const refusal = { error: 'rate_limited' } as unknown as OpeningBody;
    assert.equal(await openings.open('one', async () => refusal), refusal);
    await openings.open('one', openNew);
    assert.equal(opened(), 1);
  });

  it('are made once by those who remain when the first to ask has gone', async () => {
    const { openings, openNew, opened } = setUp();
    const gone = openings.open('one', () => Promise.reject(new Error('gone')));
    const [second, third] = await Promise.all([
      openings.open('one', openNew),
      openings.open('one', openNew),
      assert.rejects(gone),
    ]);
    assert.equal(second, third);
    assert.equal(opened(), 1);
  });
});

describe('a session that a call gives back', () => {
  const setUp = () => {
    let opened = 0;
    const received: Record<string, object> = {};
    const calls = {
      open: async () => {
        opened += 1;
        return { object: 'session', session: `ses_${opened}` };
      },
      search: async (session: string) => ({
        missing_fields: [],
        allowed_values: {},
        received: received[session] ?? {},
      }),
    } as unknown as InterfaceCalls;
    const openings = openingsAt({ now: 0 });
    const call = (caller = 'acme') => withKeyedOpenings(calls, openings, caller);
    const open = async (key: string | null = null, source: string | null = null, caller = 'acme') => {
      const body = await call(caller).open(source, key);
      return 'session' in body ? body.session : body;
    };
    return { call, open, received };
  };

  async function giveOneBack({ call }: ReturnType<typeof setUp>): Promise<void> {
    const first = call();
    await first.open(null, null);
    assert.ok(first.returnUnused('ses_1'));
    assert.ok(!first.returnUnused('ses_1'), 'once');
  }

  it('is that of the next call of the same caller, through the same brand', async () => {
    const scene = setUp();
    await giveOneBack(scene);
    assert.equal(await scene.open(null, null, 'other'), 'ses_2');
    assert.equal(await scene.open(null, 'brand'), 'ses_3');
    assert.equal(await scene.open('mine'), 'ses_4', 'a key stands for an opening of its own');
    assert.equal(await scene.open(), 'ses_1');
    assert.equal(await scene.open(), 'ses_5');
  });

  it('is not used again if anything was stored in it after all', async () => {
    const scene = setUp();
    await giveOneBack(scene);
    scene.received.ses_1 = { guests: '2' };
    assert.equal(await scene.open(), 'ses_2');
  });

  it('was opened by the call, and without a key', async () => {
    const call = setUp().call();
    assert.ok(!call.returnUnused('ses_1'));
    await call.open(null, 'mine');
    assert.ok(!call.returnUnused('ses_1'), 'who repeats the key finds it');
  });
});

const opened = (session: string) => ({ session }) as SessionBody;

describe('sessions that were opened and not used', () => {
  const setUp = () => {
    const time = { now: 5 };
    return { time, spares: openingsAt(time) };
  };

  it('are taken once, each under its own name, the newest first', () => {
    const { spares } = setUp();
    spares.addSpare('one', opened('a'));
    spares.addSpare('one', opened('b'));
    spares.addSpare('other', opened('c'));
    assert.deepEqual(
      ['one', 'one', 'one', 'other', 'other'].map((name) => spares.takeSpare(name)?.session),
      ['b', 'a', undefined, 'c', undefined],
    );
  });

  it('are kept for a minute, however often they are given back', () => {
    const { spares, time } = setUp();
    spares.addSpare('one', opened('a'));
    time.now += 60_000;
    const taken = spares.takeSpare('one');
    assert.equal(taken?.session, 'a');
    if (taken) spares.addSpare('one', taken);
    assert.equal(spares.takeSpare('one'), taken);
    time.now += 1;
    if (taken) spares.addSpare('one', taken);
    assert.equal(spares.takeSpare('one'), undefined);
  });

  it('are as many as memory is meant for', () => {
    const { spares } = setUp();
    for (let number = 0; number < 1500; number += 1) spares.addSpare(`${number}`, opened(`${number}`));
    assert.equal(spares.takeSpare('499'), undefined);
    assert.equal(spares.takeSpare('500')?.session, '500');
  });
});
