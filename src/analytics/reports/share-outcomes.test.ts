import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { Report } from './report.ts';
import type { ReportId } from './reports.ts';
import { shareOutcomes } from './share-outcomes.ts';

const RANGE = { from: '2026-11-16', to: '2026-11-17', brand: null };

function aStage() {
  const clock = createFakeClock(0);
  const made: { readonly id: ReportId; readonly end: PromiseWithResolvers<Report> }[] = [];
  const make = shareOutcomes((id) => {
    const end = Promise.withResolvers<Report>();
    made.push({ id, end });
    return end.promise;
  }, clock);
  const finish = (at: number) =>
    made[at]?.end.resolve({ id: 'outcomes', title: String(at), about: '', tiles: [], sections: [] });
  return { clock, made, make, finish };
}

describe('the outcomes of a range', () => {
  it('are read once for all who ask while they are read, and for five seconds after it', async () => {
    const { clock, made, make, finish } = aStage();
    const asked = [make('outcomes', RANGE)];
    await clock.advance(60_000);
    asked.push(make('outcomes', RANGE));
    finish(0);
    await Promise.all(asked);
    await clock.advance(4_999);
    asked.push(make('outcomes', RANGE));
    assert.equal(new Set(await Promise.all(asked)).size, 1);
    assert.equal(made.length, 1);
    await clock.advance(1);
    const later = make('outcomes', RANGE);
    finish(1);
    assert.equal((await later).title, '1');
  });

  it('are read for each range and brand', () => {
    const { made, make } = aStage();
    for (const range of [RANGE, { ...RANGE, from: '2026-11-17' }, { ...RANGE, brand: 'casas' }])
      void make('outcomes', range);
    assert.equal(made.length, 3);
  });

  it('are read again after a failure', async () => {
    const { made, make, finish } = aStage();
    const failed = make('outcomes', RANGE);
    made[0]?.end.reject(new Error('away'));
    await assert.rejects(failed, /away/);
    const again = make('outcomes', RANGE);
    finish(1);
    assert.equal((await again).title, '1');
  });

  it('are the only report that is shared: the others show what the owner has just done', () => {
    const { made, make } = aStage();
    for (const id of ['operators', 'operators', 'assistants', 'assistants'] as const) void make(id, RANGE);
    assert.equal(made.length, 4);
  });
});
