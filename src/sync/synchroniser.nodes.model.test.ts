import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { withPatience } from '../../test/support/patient-clock.ts';
import { scaledCases } from '../../test/support/property-cases.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { NOW, numbers, REFRESH } from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { createSeveralNodes, type RunningNode } from '../../test/support/several-nodes.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { PropertyId } from '../catalogue/catalogue.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { valid } from '../parsing/reading.ts';

const BRANDS = ['sol', 'mar'];
const NAMES = ['a', 'b', 'c'];
/** Seconds by which the wall clocks of the nodes are ahead. */
const AHEAD_MS = [0, 4000, -4000];
/** Two batches of calendars. */
const HOMES = 60;
const CALL_MS = 700;
const TAKEOVER_MS = 30_000;
const REFUSED = { checkIn: 1, checkOut: 3, guests: 2 };

type Command =
  | { readonly do: 'change' | 'down' | 'up'; readonly brand: number }
  | { readonly do: 'lose' | 'hand over' | 'full' | 'read in vain'; readonly brand: number }
  | { readonly do: 'kill' | 'stop' | 'start' | 'cut' | 'mend' | 'deafen' | 'repeat'; readonly node: number }
  | { readonly do: 'unlist' | 'list' | 'refuse'; readonly brand: number; readonly home: number }
  | { readonly do: 'pass'; readonly milliseconds: number };

const brand = fc.integer({ min: 0, max: BRANDS.length - 1 });
const node = fc.integer({ min: 0, max: NAMES.length - 1 });
const home = fc.integer({ min: 1, max: HOMES });
const passing = fc.record({
  do: fc.constant('pass' as const),
  milliseconds: fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 4000, max: 40_000 })),
});
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constantFrom('change', 'down', 'up'), brand }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('lose', 'hand over', 'full', 'read in vain'), brand }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('kill', 'stop', 'start', 'cut', 'mend', 'deafen', 'repeat'),
      node,
    }),
  },
  fc.record({ do: fc.constantFrom('unlist', 'list', 'refuse'), brand, home }),
  { weight: 4, arbitrary: passing },
);

/** A booking system that notes when two nodes read it at a time. */
function createOperator(id: string, after: (milliseconds: number, action: () => void) => () => void) {
  const operator = { listed: numbers(HOMES), version: 1, isDown: false };
  const underWay = new Map<string, number>();
  const overlaps: string[] = [];
  let calls = 0;

  function call(node: string, signal: AbortSignal, killed: AbortSignal): Promise<void> {
    calls += 1;
    const others = [...underWay].filter(([other, calls]) => other !== node && calls > 0);
    if (others.length > 0) overlaps.push(`${id}: ${node} while ${others.map(([other]) => other)} reads`);
    underWay.set(node, (underWay.get(node) ?? 0) + 1);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        cancel();
        killed.removeEventListener('abort', vanish);
        underWay.set(node, (underWay.get(node) ?? 0) - 1);
        settle();
      };
      const vanish = end(() => {});
      const cancel = after(
        CALL_MS,
        end(() =>
          operator.isDown ? reject(new BookingSystemFailure('unreachable', 'as scripted')) : resolve(),
        ),
      );
      signal.addEventListener(
        'abort',
        end(() => reject(signal.reason)),
        { once: true },
      );
      killed.addEventListener('abort', vanish, { once: true });
    });
  }

  const systemFor = (node: string, killed: AbortSignal) =>
    createScriptedSystem(id, {
      async catalogue(signal) {
        const { listed, version } = operator;
        await call(node, signal, killed);
        const name = `Home ${Math.floor(version / 2)}`;
        const properties = listed.map((reference) => sampleProperty({ brand: id, reference, name }));
        return { properties, rejections: [] };
      },
      async calendars(asked, { from }, signal) {
        const { version } = operator;
        await call(node, signal, killed);
        return new Map(
          asked.map((reference) => {
            const calendar = emptyCalendar(from, 2);
            calendar.price.fill(version);
            return [reference, valid(calendar)];
          }),
        );
      },
    });
  return { operator, overlaps, systemFor, calls: () => calls };
}

async function applyControls(commands: readonly Command[]): Promise<void> {
  const clock = withPatience(createFakeClock(NOW));
  const operators = BRANDS.map((id) => createOperator(id, clock.after));
  const { start, inventory, leases } = createSeveralNodes(clock, (id, killed) =>
    operators.map(({ systemFor }) => systemFor(id, killed)),
  );
  const running = new Map<string, RunningNode>();
  const names = (at: number) => NAMES[at] ?? 'a';
  const brands = (at: number) => BRANDS[at] ?? 'sol';
  const everyNode = () => [...running.values()];
  const callsOfAll = () => operators.reduce((sum, { calls }) => sum + calls(), 0);

  async function bringUp(name: string): Promise<void> {
    if (!running.has(name)) running.set(name, await start(name, AHEAD_MS[NAMES.indexOf(name)]));
  }

  function operatorOf(at: number) {
    const scripted = operators[at];
    if (!scripted) throw new Error(`there is no operator ${at}`);
    return scripted.operator;
  }

  async function carryOut(command: Command): Promise<void> {
    switch (command.do) {
      case 'change':
        operatorOf(command.brand).version += 1;
        break;
      case 'down':
      case 'up':
        operatorOf(command.brand).isDown = command.do === 'down';
        break;
      case 'unlist':
      case 'list': {
        const operator = operatorOf(command.brand);
        const others = operator.listed.filter((one) => one !== String(command.home));
        operator.listed = command.do === 'list' ? [...others, String(command.home)] : others;
        break;
      }
      case 'refuse':
        everyNode()[0]?.synchroniser.propertyRefused(
          `${brands(command.brand)}:${command.home}`,
          REFUSED,
          'lead_time',
        );
        break;
      case 'full':
        readFully(brands(command.brand));
        break;
      case 'read in vain': {
        const holder = leases.holderOf(brands(command.brand));
        const leader = everyNode().find(({ id }) => id === holder);
        if (!leader) break;
        operatorOf(command.brand).version += 1;
        await disturb(leader.name, 'cut');
        readFully(brands(command.brand));
        await clock.pass(3000);
        leases.lose(brands(command.brand));
        break;
      }
      case 'lose':
        leases.lose(brands(command.brand));
        break;
      case 'hand over':
        leases.handOver(brands(command.brand));
        break;
      case 'pass':
        await clock.pass(command.milliseconds);
        break;
      case 'start':
        await bringUp(names(command.node));
        break;
      case 'repeat':
        inventory.repeat(names(command.node), 5);
        break;
      default:
        await disturb(names(command.node), command.do);
    }
  }

  function readFully(id: string): void {
    const signal = new AbortController().signal;
    for (const { synchroniser } of everyNode()) void synchroniser.refreshBrand(id, { mode: 'full', signal });
  }

  async function disturb(name: string, what: 'kill' | 'stop' | 'cut' | 'mend' | 'deafen'): Promise<void> {
    const disturbed = running.get(name);
    if (!disturbed) return;
    const { surroundings, synchroniser } = disturbed;
    if (what === 'cut' || what === 'mend') surroundings.isReachable = what === 'mend';
    if (what === 'deafen' || what === 'mend') surroundings.isDeaf = what === 'deafen';
    if (what !== 'kill' && what !== 'stop') return;
    if (what === 'kill') disturbed.kill();
    else await clock.until(synchroniser.stop());
    running.delete(name);
  }

  function offeredBy({ index }: RunningNode): ReadonlyMap<PropertyId, unknown> {
    const offered = [...index.entries].map(([id, { calendar }]) => [id, calendar.price[0]] as const);
    return new Map(offered.sort());
  }

  function stored(): ReadonlyMap<PropertyId, unknown> {
    const read = [...inventory.homes].flatMap(([id, home]) =>
      home.read ? [[id, home.read.calendar.price[0]] as const] : [],
    );
    return new Map(read.sort());
  }

  for (const name of NAMES) await bringUp(name);
  for (const command of commands) {
    await carryOut(command);
    await clock.pass(1);
  }

  for (const { operator } of operators) operator.isDown = false;
  for (const { name } of everyNode()) await disturb(name, 'mend');
  for (const name of NAMES) await bringUp(name);
  await clock.pass(TAKEOVER_MS);
  for (const id of BRANDS) {
    const leaders = everyNode().filter(({ synchroniser }) =>
      synchroniser.status().some((one) => one.brand === id && one.leads),
    );
    assert.equal(leaders.length, 1, `${id} is led by ${leaders.map((leader) => leader.id)}`);
  }
  // A leader may have read what it could not store, until it reads it again; what others offer is what is stored.
  for (let calls = -1; calls !== callsOfAll(); await clock.pass(5000)) calls = callsOfAll();
  for (const follower of everyNode()) {
    const ofFollowed = ([id]: readonly [PropertyId, unknown]) =>
      follower.synchroniser.status().some((one) => !one.leads && id.startsWith(`${one.brand}:`));
    const followed = [...stored()].filter(ofFollowed);
    assert.deepEqual([...offeredBy(follower)].filter(ofFollowed), followed, `${follower.id} follows`);
  }
  await clock.pass(REFRESH + 120_000);
  for (const running of everyNode())
    assert.deepEqual(offeredBy(running), stored(), `the index of ${running.id}`);
  for (const [at, id] of BRANDS.entries()) {
    const { listed, version } = operatorOf(at);
    const read = [...stored()].filter(([property]) => property.startsWith(`${id}:`));
    const expected = listed.map((reference) => [`${id}:${reference}`, version] as const);
    assert.deepEqual(read, expected.sort(), `${id} is stored as its operator has it`);
  }
  for (const { overlaps } of operators) assert.deepEqual(overlaps, []);
  for (const { synchroniser } of everyNode()) await clock.until(synchroniser.stop());
  assert.equal(clock.pendingTimers, 0);
}

test('whatever happens to three nodes, one reads an operator at a time, and once it is quiet all of them offer what is stored', async () => {
  const commands = fc.array(anyCommand, { minLength: 5, maxLength: 25 });
  await fc.assert(fc.asyncProperty(commands, applyControls), { numRuns: scaledCases(8) });
});
