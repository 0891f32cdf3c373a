import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecentOpenings } from '../sessions/recent-openings.ts';
import { createKeyedOpenings, type OpeningBody } from './keyed-openings.ts';

describe('openings under a key', () => {
  const setUp = () => {
    const time = { now: 0 };
    let opened = 0;
    return {
      time,
      openings: createKeyedOpenings(createRecentOpenings<OpeningBody>({ elapsed: () => time.now })),
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
