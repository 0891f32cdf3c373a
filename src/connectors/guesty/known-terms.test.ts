import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createKnownTerms } from './known-terms.ts';
import type { GuestyTerms } from './read-guesty-listings.ts';

const terms = (summary: string): GuestyTerms => ({
  listing: { cancellation: { summary } },
  limits: { minimumStay: null, maximumStay: null },
});
const setUp = (maxBytes = 1_000_000) => {
  const clock = createFakeClock(0);
  return { clock, known: createKnownTerms({ clock, maxBytes }) };
};

describe('the terms of listings', () => {
  it('are known for a day', async () => {
    const { clock, known } = setUp();
    known.keep('a', terms('strict'));
    await clock.advance(86_399_999);
    assert.deepEqual(known.get('a'), terms('strict'));
    await clock.advance(1);
    assert.equal(known.get('a'), undefined);
  });

  it('are forgotten with the listing when a reading was whole', () => {
    const { known } = setUp();
    known.keep('a', terms('strict'));
    known.keep('b', terms('strict'));
    known.readingEnded(true);
    assert.ok(known.get('a'));
    known.readingEnded(true);
    assert.ok(known.get('a'));
    assert.equal(known.get('b'), undefined);
  });

  it('outlive one reading that was given up before it came to them, and not two', () => {
    const { known } = setUp();
    for (const reference of ['a', 'b', 'c']) known.keep(reference, terms('strict'));
    known.readingEnded(false);
    known.get('a');
    known.readingEnded(false);
    known.get('a');
    assert.ok(known.get('b'));
    known.readingEnded(false);
    assert.ok(known.get('a') && known.get('b'));
    assert.equal(known.get('c'), undefined);
  });

  it('have a weight in all that they do not pass, however many readings fail', () => {
    const { known } = setUp(10_000);
    const count = (reading: number) =>
      Array.from({ length: 100 }, (_, at) => known.get(`${reading}-${at}`)).filter(Boolean).length;
    for (let reading = 0; reading < 4; reading += 1) {
      for (let at = 0; at < 100; at += 1) known.keep(`${reading}-${at}`, terms('x'.repeat(900)));
      known.readingEnded(false);
    }
    assert.deepEqual([0, 1, 2, 3].map(count), [0, 0, 0, 9], 'room is made by the listings that are gone');
  });

  it('are weighed once when they are read again', () => {
    const { known } = setUp(2500);
    for (let time = 0; time < 10; time += 1) known.keep('a', terms('x'.repeat(900)));
    known.keep('b', terms('x'.repeat(900)));
    assert.ok(known.get('a') && known.get('b'));
  });
});
