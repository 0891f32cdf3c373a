import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import type { StillReading } from '../quotes/booking-system.ts';
import type { CatalogueEntry } from './brand-offer.ts';
import { readCalendars, readWhileAlive, type SyncedBrand } from './read-calendars.ts';

test('calendars that take long to put give way to others, and those after a pause are left', async () => {
  let elapsed = 0;
  const clock = { ...createFakeClock(0), elapsed: () => elapsed };
  const stopped = new AbortController();
  const events: string[] = [];
  const properties = ['a', 'b', 'c', 'd'].map((id) => ({ id, reference: id }) as CatalogueEntry);
  const brand = {
    context: {
      clock,
      horizonNights: 1,
      untilWritable: async () => {},
      observe: { storeFailed: assert.fail },
    },
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
  assert.equal(await readCalendars(brand, properties, stopped.signal), 3);
  assert.deepEqual(events, ['a', 'others', 'b', 'c', '3 saved']);
});

const MINUTE = 60_000;

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
