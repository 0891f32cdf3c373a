import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureCallsInFlight } from './measure-calls-in-flight.ts';
import { measureQuoteCalls } from './measure-quote-calls.ts';
import { reportCallsInFlight, reportQuoteCalls } from './report.ts';

/** With a handful of calls: speed is not tested, because it depends on the machine. */
describe('the benchmark of prices', () => {
  it('asks in all ways, each for every price', async () => {
    const cost = await measureQuoteCalls({ slices: 1, warmUpSlices: 0, calls: 100 });
    assert.ok(Object.values(cost.layers).every(({ median, lowest }) => median > 0 && median === lowest));
    assert.match(reportQuoteCalls(cost), /service +\d+ µs/);
  });

  it('holds all calls in flight at once, and they leave nothing behind', async () => {
    const held = await measureCallsInFlight({ calls: 200, rounds: 1 });
    const [round] = held.rounds;
    assert.ok(round);
    assert.ok(round.peak.heap > round.after.heap, 'calls in flight occupy memory, and give it back');
    assert.equal(round.after.warnings, 0);
    assert.match(reportCallsInFlight(held), /200 quote calls in flight/);
  });
});
