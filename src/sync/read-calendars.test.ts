import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { StillReading } from '../quotes/booking-system.ts';
import { type CatalogueEntry, catalogueEntry } from './brand-offer.ts';
import {
  createReadCalendars,
  createRereadRefused,
  readWhileAlive,
  type SyncedBrand,
} from './read-calendars.ts';

test('calendars that take long to put give way to others, and those after a pause are left', async () => {
  let elapsed = 0;
  const clock = { ...createFakeClock(0), elapsed: () => elapsed };
  const stopped = new AbortController();
  const events: string[] = [];
  const properties = ['a', 'b', 'c', 'd'].map((id) => ({ id, reference: id }) as CatalogueEntry);
  const brand = {
    system: {
      calendars: async (references: readonly string[]) =>
        new Map(references.map((one) => [one, { kind: 'valid', value: emptyCalendar(0, 2) }])),
    },
    offer: {
      admitsStayRules: () => true,
      putCalendar(id: string) {
        events.push(id);
        elapsed += 11;
        if (id === 'a') setImmediate(() => events.push('others'));
        if (id === 'c') stopped.abort();
        return true;
      },
    },
    queue: { answered: () => undefined },
    store: { saveCalendars: async (saved: readonly unknown[]) => void events.push(`${saved.length} saved`) },
  } as unknown as SyncedBrand;
  const read = createReadCalendars({
    clock,
    horizonNights: 1,
    untilWritable: async () => {},
    observe: { storeFailed: assert.fail },
  });
  assert.equal(await read(brand, properties, stopped.signal), 3);
  assert.deepEqual(events, ['a', 'others', 'b', 'c', '3 saved']);
});

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

const MINUTE = 60_000;
const HOUR = 3_600_000;

function reading(signal = new AbortController().signal) {
  const clock = createFakeClock(0);
  const { promise, resolve } = Promise.withResolvers<string>();
  let stillReading: StillReading = () => assert.fail('not read yet');
  let within: AbortSignal | undefined;
  const outcome = readWhileAlive(clock, signal, (given, still) => {
    within = given;
    stillReading = still;
    return promise;
  }).catch((error) => (error instanceof BookingSystemFailure ? error.kind : error));
  let ended: unknown = 'not yet';
  outcome.then((value) => {
    ended = value;
  });
  return {
    clock,
    resolve,
    outcome,
    still: (quietMs?: number) => stillReading(quietMs),
    ended: () => ended,
    isAborted: () => within?.aborted,
  };
}

test('a read that hears nothing for two minutes is given up, whether it listens or not', async () => {
  const { clock, ended, isAborted } = reading();
  await clock.advance(2 * MINUTE - 1);
  assert.deepEqual([ended(), isAborted()], ['not yet', false]);
  await clock.advance(1);
  assert.deepEqual([ended(), isAborted()], ['timeout', true]);
  assert.equal(clock.pendingTimers, 0);
});

test('a read may take hours as long as something comes', async () => {
  const { clock, still, resolve, outcome } = reading();
  for (let page = 0; page < 100; page += 1) {
    await clock.advance(2 * MINUTE - 1);
    still();
  }
  resolve('the whole catalogue');
  assert.equal(await outcome, 'the whole catalogue');
  assert.equal(clock.pendingTimers, 0);
  still();
  assert.equal(clock.pendingTimers, 0, 'a late sign of life starts nothing');
});

test('a wait that was announced is waited for, and two minutes more', async () => {
  const { clock, still, ended } = reading();
  still(HOUR);
  await clock.advance(HOUR + 2 * MINUTE - 1);
  assert.equal(ended(), 'not yet');
  await clock.advance(1);
  assert.equal(ended(), 'timeout');
});

test('nobody waits longer than six hours, nor shorter than two minutes', async () => {
  for (const [announced, waitedMs] of [
    [Number.POSITIVE_INFINITY, 6 * HOUR + 2 * MINUTE],
    [-HOUR, 2 * MINUTE],
  ] as const) {
    const { clock, still, ended } = reading();
    still(announced);
    await clock.advance(waitedMs - 1);
    assert.equal(ended(), 'not yet');
    await clock.advance(1);
    assert.equal(ended(), 'timeout');
  }
});

test('it ends with the run that it belongs to', async () => {
  const stopping = new AbortController();
  const { clock, ended, isAborted } = reading(stopping.signal);
  stopping.abort('stopped');
  await clock.settle();
  assert.deepEqual([ended(), isAborted()], ['stopped', true]);
  assert.equal(clock.pendingTimers, 0);
});
