import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionBody } from '../contract/session-body.ts';
import { createSpareSessions } from './spare-sessions.ts';

const opened = (session: string) => ({ session }) as SessionBody;

describe('sessions that were opened and not used', () => {
  const setUp = () => {
    const time = { now: 5 };
    return { time, spares: createSpareSessions({ elapsed: () => time.now }) };
  };

  it('are taken once, each under its own name, the newest first', () => {
    const { spares } = setUp();
    spares.keep('one', opened('a'));
    spares.keep('one', opened('b'));
    spares.keep('other', opened('c'));
    assert.deepEqual(
      ['one', 'one', 'one', 'other', 'other'].map((name) => spares.take(name)?.session),
      ['b', 'a', undefined, 'c', undefined],
    );
  });

  it('are kept for a minute, however often they are given back', () => {
    const { spares, time } = setUp();
    spares.keep('one', opened('a'));
    time.now += 60_000;
    const taken = spares.take('one');
    assert.equal(taken?.session, 'a');
    if (taken) spares.keep('one', taken);
    assert.equal(spares.take('one'), taken);
    time.now += 1;
    if (taken) spares.keep('one', taken);
    assert.equal(spares.take('one'), undefined);
  });

  it('are as many as memory is meant for', () => {
    const { spares } = setUp();
    for (let number = 0; number < 1500; number += 1) spares.keep(`${number}`, opened(`${number}`));
    assert.equal(spares.take('499'), undefined);
    assert.equal(spares.take('500')?.session, '500');
  });
});
