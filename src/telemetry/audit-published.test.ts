import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PublishedAddress, PublishedObserver } from '../access/published/published-document.ts';
import { withTurnedListsRecorded } from './observe-access.ts';

const RANGES: PublishedAddress = { kind: 'ranges', url: 'https://lists.example/ranges.json?key=secret#part' };
const FACTS = { hasChanged: true, count: 1, dropped: 0 };

function setUp() {
  const turned: (readonly string[])[] = [];
  const seen: string[] = [];
  const observe: PublishedObserver = {
    fetched: ({ url }) => void seen.push(`fetched ${url}`),
    failed: ({ url }) => void seen.push(`failed ${url}`),
    tooOld: ({ url }) => void seen.push(`too old ${url}`),
  };
  return { turned, seen, observe: withTurnedListsRecorded(observe, (...turn) => void turned.push(turn)) };
}

describe('what the audit log is told of published lists', () => {
  it('is when one is not used any more, and when it is used again', () => {
    const { observe, turned } = setUp();
    observe.fetched(RANGES, FACTS);
    observe.tooOld(RANGES, 1);
    observe.failed(RANGES, { failure: 'status', detail: '500', used: null });
    observe.fetched(RANGES, FACTS);
    observe.fetched(RANGES, FACTS);
    assert.deepEqual(
      turned.map(([, state]) => state),
      ['off', 'on'],
    );
  });

  it('never has the query of its address, which may be a secret', () => {
    const { observe, turned, seen } = setUp();
    observe.tooOld(RANGES, 1);
    observe.fetched(RANGES, FACTS);
    assert.deepEqual(turned, [
      ['https://lists.example/ranges.json', 'off'],
      ['https://lists.example/ranges.json', 'on'],
    ]);
    assert.deepEqual(seen, [`too old ${RANGES.url}`, `fetched ${RANGES.url}`]);
  });
});
