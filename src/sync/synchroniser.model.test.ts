import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PatientClock, withPatience } from '../../test/support/patient-clock.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { NOW, numbers, setUpSynchroniser } from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { BookingSystemFailure, type FailureKind } from '../limits/booking-system-failure.ts';
import { invalid, valid } from '../parsing/reading.ts';
import type { CalendarReadings } from '../quotes/booking-system.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';

const MINUTE = 60_000;
const MAX_AGE = 120 * MINUTE;
const CALL_MS = 1000;
/** Enough for several batches. */
const HOMES = 120;

type Reading = { readonly began: number; readonly version: number };

/**
 * A booking system that changes as it is told, and the twin: it notes what it has handed out, so it knows the latest reading of
 * each listed home.
 */
function createOperator() {
  let now = () => NOW;
  let after: PatientClock['after'] = () => () => {};
  let version = 1;
  const operator = {
    listed: numbers(HOMES),
    /** Calls of which one of these homes is part fail, or its calendar is of no use. */
    failing: new Set<string>(),
    faulty: new Set<string>(),
    isDown: false,
    refusals: 0,
    change() {
      version += 1;
    },
    onClock(clock: PatientClock) {
      now = clock.now;
      after = clock.after;
    },
  };
  const twin = { listed: new Set<string>(), facts: 0, latest: new Map<string, Reading>() };
  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = after(CALL_MS, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    });
  const fail = (kind: FailureKind) => {
    throw new BookingSystemFailure(kind, 'as scripted');
  };
  const system = createScriptedSystem('sol', {
    async catalogue(signal) {
      const [listed, facts] = [operator.listed, Math.floor(version / 3)];
      await wait(signal);
      if (operator.isDown) fail('unreachable');
      twin.listed = new Set(listed);
      twin.facts = facts;
      for (const reference of twin.latest.keys()) {
        if (!twin.listed.has(reference)) twin.latest.delete(reference);
      }
      const properties = listed.map((reference) =>
        sampleProperty({ brand: 'sol', reference, name: `Home ${facts}` }),
      );
      return { properties, rejections: [] };
    },
    async calendars(asked, { from }, signal) {
      const read = { began: now(), version };
      await wait(signal);
      if (operator.isDown || asked.some((one) => operator.failing.has(one))) fail('server_error');
      if (operator.refusals > 0) {
        operator.refusals -= 1;
        fail('rate_limited');
      }
      const readings: [string, CalendarReadings extends ReadonlyMap<string, infer R> ? R : never][] = [];
      for (const reference of asked) {
        if (operator.faulty.has(reference)) {
          readings.push([reference, invalid({ rule: 'calendar_missing' as const, reason: 'no night' })]);
          continue;
        }
        const calendar = emptyCalendar(from, 2);
        calendar.price.fill(read.version);
        readings.push([reference, valid(calendar)]);
        const before = twin.latest.get(reference);
        if (twin.listed.has(reference) && (!before || before.began <= read.began)) {
          twin.latest.set(reference, read);
        }
      }
      return new Map(readings);
    },
  });
  return { operator, twin, system };
}

type Command =
  | { readonly do: 'full' | 'incremental' | 'change' | 'recover' | 'down' | 'limit' }
  | { readonly do: 'interrupt'; readonly after: number }
  | { readonly do: 'restart'; readonly off: number; readonly isStarted: boolean }
  | { readonly do: 'pass'; readonly minutes: number }
  | { readonly do: 'refuse' | 'break' | 'spoil' | 'unlist'; readonly home: number };

const home = fc.integer({ min: 1, max: HOMES });
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('full', 'incremental') }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('change', 'recover', 'down', 'limit') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('interrupt'), after: fc.integer({ min: 0, max: 3500 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restart'),
      off: fc.integer({ min: 0, max: 130 }),
      isStarted: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass'), minutes: fc.integer({ min: 1, max: 150 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('refuse', 'break', 'spoil', 'unlist'), home }) },
);

async function applyControls(commands: readonly Command[], isStarted: boolean): Promise<void> {
  const { operator, twin, system } = createOperator();
  const store = createMemoryInventoryStore();
  let scene = begin(NOW);
  let hasStarted = isStarted;
  if (isStarted) scene.synchroniser.start();

  function begin(now: number) {
    const { clock, index, synchroniser } = setUpSynchroniser([system], store, {
      now,
      calendarMaxAgeMs: MAX_AGE,
    });
    const patient = withPatience(clock);
    operator.onClock(patient);
    return { clock: patient, index, synchroniser };
  }

  function check(when: string): void {
    const { clock, index } = scene;
    for (const reference of numbers(HOMES)) {
      const offered = index.entries.get(`sol:${reference}`)?.calendar.price[0];
      const latest = twin.latest.get(reference);
      const ageMs = latest ? clock.now() - latest.began : Number.POSITIVE_INFINITY;
      if (offered === undefined && ageMs > MAX_AGE - MINUTE) continue;
      // Ages are watched only in a service that was started.
      const isTooOld = ageMs > MAX_AGE && hasStarted;
      assert.equal(offered, isTooOld ? undefined : latest?.version, `${reference} ${when}, ${ageMs} ms old`);
    }
  }

  async function refresh(mode: 'full' | 'incremental'): Promise<void> {
    const { clock, index, synchroniser } = scene;
    const signal = new AbortController().signal;
    const result = await clock.until(synchroniser.refreshBrand('sol', { mode, signal }) ?? Promise.resolve());
    if (result?.outcome !== 'complete') return;
    for (const reference of twin.listed) {
      const entry = index.entries.get(`sol:${reference}`);
      if (twin.latest.has(reference) && !operator.faulty.has(reference)) {
        assert.equal(
          store.listings.get(`sol:${reference}`)?.name,
          `Home ${twin.facts}`,
          `${reference} is described as in the catalogue`,
        );
      }
      if (!operator.faulty.has(reference)) assert.ok(entry, `${reference} is on offer after a complete run`);
    }
    assert.equal(synchroniser.status()[0]?.calendarsWaiting, 0);
  }

  async function restart(offMs: number): Promise<void> {
    const { clock, synchroniser } = scene;
    await clock.until(synchroniser.stop());
    assert.equal(clock.pendingTimers, 0);
    scene = begin(clock.now() + offMs);
    await scene.synchroniser.loadStored();
  }

  for (const command of commands) {
    switch (command.do) {
      case 'full':
      case 'incremental':
        await refresh(command.do);
        break;
      case 'interrupt': {
        const stopping = new AbortController();
        const options = { mode: 'full', signal: stopping.signal } as const;
        const run = scene.synchroniser.refreshBrand('sol', options);
        await scene.clock.pass(command.after);
        stopping.abort();
        await scene.clock.until(run);
        break;
      }
      case 'restart':
        await restart(command.off * MINUTE);
        hasStarted = command.isStarted;
        check('when loaded');
        if (command.isStarted) scene.synchroniser.start();
        break;
      case 'pass':
        await scene.clock.pass(command.minutes * MINUTE);
        break;
      case 'refuse':
        scene.synchroniser.propertyRefused(
          `sol:${command.home}`,
          { checkIn: 1, checkOut: 2, guests: 2 },
          'lead_time',
        );
        break;
      case 'break':
        operator.failing.add(String(command.home));
        break;
      case 'spoil':
        operator.faulty.add(String(command.home));
        break;
      case 'unlist':
        operator.listed = operator.listed.filter((one) => one !== String(command.home));
        break;
      case 'change':
        operator.change();
        break;
      case 'limit':
        operator.refusals = 2;
        break;
      case 'down':
        operator.isDown = true;
        break;
      case 'recover':
        operator.isDown = false;
        operator.failing.clear();
        operator.faulty.clear();
        operator.listed = numbers(HOMES);
        break;
    }
    await scene.clock.pass(1);
    check(`after ${JSON.stringify(command)}`);
  }
  await scene.clock.until(scene.synchroniser.stop());
}

test('whatever happens, the index offers the latest reading of each listed home that is not too old, and nothing else', async () => {
  const commands = fc.array(anyCommand, { minLength: 4, maxLength: 16 });
  await fc.assert(fc.asyncProperty(commands, fc.boolean(), applyControls), { numRuns: scaledCases(20) });
});
