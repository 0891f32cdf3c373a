import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { type CatalogueEntry, catalogueEntry } from './catalogue-entry.ts';
import { createRereadRefused } from './reread-refused.ts';

function setUp() {
  const clock = createFakeClock(0);
  const readings: { readonly references: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const failures: unknown[] = [];
  const reread = createRereadRefused({
    clock,
    listingOf: (id) =>
      id === 'sol:gone'
        ? undefined
        : catalogueEntry(sampleProperty({ brand: 'sol', reference: id.slice(4) })),
    read: (properties: readonly CatalogueEntry[]) =>
      new Promise<void>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve());
        readings.push({ references: properties.map(({ reference }) => reference), end });
      }),
    onFailure: (error) => failures.push(error),
  });
  return { clock, readings, failures, reread };
}

test('refusals of two seconds become one reading, each property once', async () => {
  const { clock, readings, reread } = setUp();
  reread.soon('sol:1');
  await clock.advance(1000);
  reread.soon('sol:2');
  reread.soon('sol:1');
  reread.soon('sol:gone');
  await clock.advance(999);
  assert.equal(readings.length, 0);
  await clock.advance(1);
  assert.deepEqual(
    readings.map(({ references }) => references),
    [['1', '2']],
  );
});

test('one reading at a time, fifty properties each; what comes meanwhile waits its turn', async () => {
  const { clock, readings, reread } = setUp();
  for (let number = 1; number <= 60; number += 1) reread.soon(`sol:${number}`);
  await clock.advance(2000);
  reread.soon('sol:1');
  await clock.advance(60_000);
  assert.equal(readings.length, 1);
  assert.equal(readings[0]?.references.length, 50);
  readings[0]?.end();
  await clock.advance(2000);
  assert.deepEqual(readings[1]?.references, [
    '51',
    '52',
    '53',
    '54',
    '55',
    '56',
    '57',
    '58',
    '59',
    '60',
    '1',
  ]);
});

test('a failed reading is told and not repeated, and the next one still comes', async () => {
  const { clock, failures, readings, reread } = setUp();
  reread.soon('sol:1');
  await clock.advance(2000);
  readings[0]?.end(new Error('down'));
  await clock.advance(60_000);
  assert.equal(failures.length, 1);
  assert.equal(readings.length, 1);
  reread.soon('sol:2');
  await clock.advance(2000);
  assert.equal(readings.length, 2);
});

test('stopping while refusals are gathered reads none of them', async () => {
  const { clock, readings, reread } = setUp();
  reread.soon('sol:1');
  await reread.stop();
  assert.equal(clock.pendingTimers, 0);
  assert.equal(readings.length, 0);
});

test('stopping waits for the reading under way and starts no other', async () => {
  const { clock, readings, reread } = setUp();
  reread.soon('sol:1');
  await clock.advance(2000);
  reread.soon('sol:2');
  let isStopped = false;
  const stopped = reread.stop().then(() => {
    isStopped = true;
  });
  await clock.settle();
  assert.equal(isStopped, false);
  readings[0]?.end();
  await stopped;
  reread.soon('sol:3');
  await clock.advance(60_000);
  assert.equal(readings.length, 1);
  assert.equal(clock.pendingTimers, 0);
});
