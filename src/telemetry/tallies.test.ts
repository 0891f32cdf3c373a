import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { createDurationTally, createTally } from './tallies.ts';

const labels = fc.constantFrom('search', 'readResult', 'other');

test('a tally of durations renders as a histogram of prom-client does', async () => {
  const configuration = { name: 'answer_seconds', help: 'Time to an answer.' };
  const buckets = [0.001, 0.25, 1, 10];
  const durations = fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(0, ...buckets));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(labels, durations)), async (observations) => {
      const [ours, twin] = [new Registry(), new Registry()];
      const observe = createDurationTally({
        ...configuration,
        labelName: 'operation',
        buckets,
        registry: ours,
      });
      const histogram = new Histogram({
        ...configuration,
        labelNames: ['operation'],
        buckets: [...buckets],
        registers: [twin],
      });
      for (const [operation, seconds] of observations) {
        observe(operation, seconds);
        histogram.observe({ operation }, seconds);
      }
      assert.equal(await ours.metrics(), await twin.metrics());
      assert.equal(await ours.metrics(), await twin.metrics(), 'reading changed the numbers');
    }),
  );
});

test('a tally renders as a counter of prom-client does', async () => {
  const counts = fc.tuple(labels, fc.constantFrom('200', '422'), fc.option(fc.integer({ min: 1, max: 60 })));
  const configuration = { name: 'requests_total', help: 'Requests.', labelNames: ['operation', 'status'] };
  await fc.assert(
    fc.asyncProperty(fc.array(counts), async (observations) => {
      const [ours, twin] = [new Registry(), new Registry()];
      const count = createTally({ ...configuration, registers: [ours] });
      const counter = new Counter({ ...configuration, registers: [twin] });
      for (const [operation, status, added] of observations) {
        if (added === null) count([operation, status]);
        else count([operation, status], added);
        counter.inc({ operation, status }, added ?? 1);
      }
      assert.equal(await ours.metrics(), await twin.metrics());
    }),
  );
});
