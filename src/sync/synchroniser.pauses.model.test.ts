import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createControlsInMemory } from '../../test/support/brand-controls-in-memory.ts';
import { withPatience } from '../../test/support/patient-clock.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { NOW, numbers, setUpSynchroniser } from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { valid } from '../parsing/reading.ts';
import type { CalendarReading } from '../quotes/booking-system.ts';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';

const MINUTE = 60_000;
const MAX_AGE = 120 * MINUTE;
const HOMES = 60;
const BRANDS = ['sol', 'mar'] as const;
const STAY = { from: 20_000, to: 20_001 };

type Brand = (typeof BRANDS)[number];
type Reading = { readonly at: number; readonly version: number };

/** Hands out what it has at the moment of a call, and remembers it: what it said last of each listed home is what can be offered. */
function createOperator(brand: Brand) {
  const latest = new Map<string, Reading>();
  const operator = {
    now: () => NOW,
    listed: numbers(HOMES),
    version: 1,
    isDown: false,
    calls: 0,
    latest,
  };
  const answer = () => {
    operator.calls += 1;
    if (operator.isDown) throw new BookingSystemFailure('unreachable', 'as scripted');
  };
  const system = createScriptedSystem(brand, {
    async catalogue() {
      answer();
      for (const reference of latest.keys())
        if (!operator.listed.includes(reference)) latest.delete(reference);
      const properties = operator.listed.map((reference) => sampleProperty({ brand, reference }));
      return { properties, rejections: [] };
    },
    async calendars(asked, { from }) {
      answer();
      return new Map(
        asked.map((reference): [string, CalendarReading] => {
          const calendar = emptyCalendar(from, 2);
          calendar.price.fill(operator.version);
          latest.set(reference, { at: operator.now(), version: operator.version });
          return [reference, valid(calendar)];
        }),
      );
    },
  });
  return { operator, system };
}

type Command =
  | {
      readonly do: 'pause' | 'resume' | 'read' | 'change' | 'down' | 'up';
      readonly brand: Brand;
      readonly isHeard: boolean;
    }
  | { readonly do: 'refuse' | 'unlist'; readonly brand: Brand; readonly home: number }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'restart'; readonly minutes: number };

const brand = fc.constantFrom(...BRANDS);
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('pause', 'resume', 'pause', 'resume', 'read', 'change', 'down', 'up'),
      brand,
      isHeard: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('refuse', 'unlist'),
      brand,
      home: fc.integer({ min: 1, max: HOMES }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass'), seconds: fc.constantFrom(1, 30, 1200, 9000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart'), minutes: fc.constantFrom(0, 5, 130) }) },
);

async function applyControls(commands: readonly Command[]): Promise<void> {
  const operators = { sol: createOperator('sol'), mar: createOperator('mar') };
  const systems = BRANDS.map((one) => operators[one].system);
  const store = createMemoryInventoryStore();
  const controls = createControlsInMemory();
  const isPaused = new Map<Brand, boolean>();
  let scene = await begin(NOW);

  async function begin(now: number) {
    const { clock, index, synchroniser } = setUpSynchroniser(systems, store, {
      now,
      calendarMaxAgeMs: MAX_AGE,
      controls,
    });
    const patient = withPatience(clock);
    for (const one of BRANDS) operators[one].operator.now = patient.now;
    await patient.until(synchroniser.loadStored());
    checkPaused(index.entries.keys(), 'when loaded');
    synchroniser.start();
    return { clock: patient, index, synchroniser };
  }

  function checkPaused(ids: Iterable<string>, when: string): void {
    for (const id of ids) assert.ok(!isPaused.get(id.split(':')[0] as Brand), `${id} ${when}`);
  }

  /** What was decided has been heard, and homes have come back. */
  function check(when: string): void {
    const { clock, index, synchroniser } = scene;
    checkPaused(index.entries.keys(), when);
    for (const one of BRANDS) {
      const { latest } = operators[one].operator;
      for (const reference of numbers(HOMES)) {
        const offered = index.entries.get(`${one}:${reference}`)?.calendar.price[0];
        const reading = latest.get(reference);
        const ageMs = reading ? clock.now() - reading.at : Number.POSITIVE_INFINITY;
        if (offered === undefined && ageMs > MAX_AGE - 2 * MINUTE) continue;
        const isOut = isPaused.get(one) || ageMs > MAX_AGE;
        assert.equal(offered, isOut ? undefined : reading?.version, `${one}:${reference} ${when}`);
      }
      const missing = synchroniser.unreadyBrands().find(({ brand }) => brand === one);
      assert.equal(missing?.availability === 'paused', isPaused.get(one) ?? false);
      assert.ok(
        missing === undefined || !/loading|resuming/.test(missing.availability),
        `${one} has come back`,
      );
    }
    assert.equal(
      synchroniser.status().reduce((sum, { properties }) => sum + properties, 0),
      index.propertyCount,
    );
  }

  for (const command of commands) {
    const { clock, index, synchroniser } = scene;
    const callsBefore = BRANDS.map((one) => operators[one].operator.calls);
    const wasPaused = new Map(isPaused);
    switch (command.do) {
      case 'pause':
      case 'resume':
        isPaused.set(command.brand, command.do === 'pause');
        await controls.setPaused(command.brand, command.do === 'pause', clock.now());
        if (!command.isHeard) break;
        await synchroniser.readControls();
        checkPaused(index.entries.keys(), 'at once');
        break;
      case 'read':
        await controls.requestReading(command.brand, clock.now());
        if (command.isHeard) await synchroniser.readControls();
        break;
      case 'change':
        operators[command.brand].operator.version += 1;
        break;
      case 'down':
      case 'up':
        operators[command.brand].operator.isDown = command.do === 'down';
        break;
      case 'refuse':
        synchroniser.propertyRefused(
          `${command.brand}:${command.home}`,
          { checkIn: STAY.from, checkOut: STAY.to, guests: 2 },
          'booked',
        );
        break;
      case 'unlist': {
        const { operator } = operators[command.brand];
        operator.listed = operator.listed.filter((one) => one !== String(command.home));
        break;
      }
      case 'pass':
        await clock.pass(command.seconds * 1000);
        break;
      case 'restart':
        await clock.until(synchroniser.stop());
        assert.equal(clock.pendingTimers, 0);
        scene = await begin(clock.now() + command.minutes * MINUTE);
        break;
    }
    await scene.clock.pass(1500);
    check(`after ${JSON.stringify(command)}`);
    for (const [at, one] of BRANDS.entries()) {
      if (wasPaused.get(one) && isPaused.get(one))
        assert.equal(operators[one].operator.calls, callsBefore[at], `${one} is left alone`);
    }
  }
  await scene.clock.until(scene.synchroniser.stop());
  assert.equal(scene.clock.pendingTimers, 0);
}

test('whatever is paused, resumed, read, refused and changed, the index offers what is not paused and nothing else', async () => {
  const commands = fc.array(anyCommand, { minLength: 4, maxLength: 20 });
  await fc.assert(fc.asyncProperty(commands, applyControls), { numRuns: scaledCases(12) });
});
