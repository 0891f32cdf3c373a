import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '../random.ts';
import { newQuoteId } from './complete-search.ts';

const NOW = Date.UTC(2027, 2, 1, 12);

describe('identifiers of quotes', () => {
  it('are as long as before, for an address, and never the same', () => {
    const ids = Array.from({ length: 1000 }, () => newQuoteId(NOW, systemRandom));
    for (const id of ids) assert.match(id, /^nxq_[A-Za-z0-9_-]{22}$/);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('of one instant have the same beginning, which no other instant has', () => {
    const beginningAt = (now: number) => newQuoteId(now, systemRandom).slice(0, 'nxq_'.length + 8);
    assert.equal(beginningAt(NOW), beginningAt(NOW + 0.9));
    assert.notEqual(beginningAt(NOW), beginningAt(NOW + 1));
  });

  it('are also made by a clock that is far wrong', () => {
    for (const now of [-1, 0, 8.64e15]) assert.match(newQuoteId(now, systemRandom), /^nxq_.{22}$/);
  });
});
