import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import {
  type Callers,
  type ConcurrencyGate,
  createConcurrencyGate,
  type Entrance,
} from './fair-semaphore.ts';

const never = new AbortController().signal;
const clock = createFakeClock(0);
const { settle } = clock;

/** One caller, who stays as long as the call. */
const of = (...line: string[]): Callers => ({ follow: (join) => join(line) });

function leave(entrance: Entrance): void {
  assert.ok(entrance.kind === 'entered');
  entrance.leave();
}

/** Whether somebody who does not wait is let in. */
async function hasRoom(gate: ConcurrencyGate): Promise<boolean> {
  const impatient = new AbortController();
  const entering = gate.enter(impatient.signal);
  impatient.abort();
  const entrance = await entering;
  if (entrance.kind === 'entered') entrance.leave();
  return entrance.kind === 'entered';
}

test('the queue is served in order, one for one', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 2 });
  const order: string[] = [];
  const first = await gate.enter(never);
  const second = gate.enter(never).then((entrance) => {
    order.push('second');
    return entrance;
  });
  const third = gate.enter(never).then(() => order.push('third'));
  leave(first);
  leave(first);
  leave(await second);
  await third;
  assert.deepEqual(order, ['second', 'third']);
  assert.equal(await hasRoom(gate), false, 'leaving twice made no second place');
});

test('a newcomer cannot slip in before those who wait', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 2 });
  const entrance = await gate.enter(never);
  const inside: string[] = [];
  gate.enter(never).then(() => inside.push('waiting'));
  leave(entrance);
  gate.enter(never).then(() => inside.push('newcomer'));
  await settle();
  assert.deepEqual(inside, ['waiting']);
});

test('a full queue turns away at once', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 1 });
  await gate.enter(never);
  gate.enter(never);
  assert.deepEqual(await gate.enter(never), { kind: 'turned_away' });
});

test('who gives up waiting frees the place in the queue and is never let in', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 1 });
  const entrance = await gate.enter(never);
  const impatient = new AbortController();
  const waiting = gate.enter(impatient.signal);
  impatient.abort();
  assert.deepEqual(await waiting, { kind: 'turned_away' });
  const next = gate.enter(never);
  leave(entrance);
  leave(await next);
  assert.equal(await hasRoom(gate), true);
  assert.deepEqual(await gate.enter(impatient.signal), { kind: 'turned_away' });
});

test('callers take turns, whoever came first', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 100 });
  const order: string[] = [];
  const entrance = await gate.enter(never);
  const come = (name: string) =>
    gate.enter(never, of(name)).then((entered) => {
      order.push(name);
      leave(entered);
    });
  const all = [...Array.from({ length: 5 }, () => come('greedy')), come('modest'), come('modest')];
  leave(entrance);
  await Promise.all(all);
  assert.deepEqual(order, ['greedy', 'modest', 'greedy', 'modest', 'greedy', 'greedy', 'greedy']);
});

for (const [who, modest] of [
  ['another assistant', 'modest 192.0.2.9'],
  ['another address of their assistant', 'greedy 192.0.2.9'],
] as const) {
  test(`beside two addresses whose calls take long, ${who} waits for the call under way only`, async () => {
    const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 100 });
    const inside: string[] = [];
    let end = () => {};
    const come = async (line: string) => {
      const entrance = await gate.enter(never, of(...line.split(' ')));
      inside.push(line);
      end = () => leave(entrance);
    };
    const pass = async (milliseconds: number) => {
      await clock.advance(milliseconds);
      end();
      await settle();
    };
    const greedy = ['greedy 192.0.2.1', 'greedy 192.0.2.2'];
    for (let round = 0; round < 5; round += 1) for (const line of greedy) come(line);
    await settle();
    for (let round = 0; round < 4; round += 1) {
      await pass(3000);
      const before = inside.length;
      come(modest);
      await pass(3000);
      assert.deepEqual(inside.slice(before), [modest]);
      await pass(100);
    }
    assert.deepEqual(new Set(inside.filter((line) => line !== modest)), new Set(greedy));
  });
}

test('a caller that was away has no advantage over one whose calls took long meanwhile', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 100 });
  const inside: string[] = [];
  const come = async (line: string) => {
    const entrance = await gate.enter(never, of(line));
    inside.push(line);
    clock.after(1000, () => leave(entrance));
  };
  for (let call = 0; call < 20; call += 1) come('busy');
  await clock.advance(10_000);
  const before = inside.length;
  for (let call = 0; call < 20; call += 1) come('back');
  await clock.advance(8000);
  assert.equal(inside.slice(before).filter((line) => line === 'busy').length, 4);
});

test('in a full queue it is the longest line that gives a place to a newcomer', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 3 });
  const entrance = await gate.enter(never);
  const ends: string[] = [];
  const come = (name: string, line: string) =>
    gate.enter(never, of(line)).then((end) => {
      ends.push(`${name} ${end.kind}`);
      if (end.kind === 'entered') leave(end);
    });
  const all = [come('g1', 'greedy'), come('g2', 'greedy'), come('g3', 'greedy'), come('m1', 'modest')];
  await settle();
  assert.deepEqual(ends, ['g3 turned_away']);
  all.push(come('g4', 'greedy'));
  await settle();
  assert.deepEqual(ends, ['g3 turned_away', 'g4 turned_away'], 'it fills its own part only');
  leave(entrance);
  await Promise.all(all);
  assert.deepEqual(ends.slice(2), ['g1 entered', 'm1 entered', 'g2 entered']);
  assert.equal(await hasRoom(gate), true);
});

test('a call waits in the lines of all its callers and enters when the first of them would', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 100 });
  const entrance = await gate.enter(never);
  const order: string[] = [];
  const come = (name: string, callers: Callers) =>
    gate.enter(never, callers).then((entered) => {
      order.push(name);
      leave(entered);
    });
  let join: ((line: readonly string[]) => () => void) | undefined;
  const shared: Callers = {
    follow(next) {
      join = next;
      const ends = [next(['greedy'])];
      return () => {
        for (const end of ends) end();
      };
    },
  };
  const all = [
    come('g1', of('greedy')),
    come('g2', of('greedy')),
    come('shared', shared),
    come('g3', of('greedy')),
  ];
  const goAway = join?.(['modest']);
  goAway?.();
  join?.(['modest']);
  leave(entrance);
  await Promise.all(all);
  assert.deepEqual(order, ['g1', 'shared', 'g2', 'g3']);
  assert.equal(await hasRoom(gate), true);
});

test('a call is turned away when the last place that it had is taken from it', async () => {
  const gate = createConcurrencyGate({ clock, limit: 1, queueLimit: 1 });
  const entrance = await gate.enter(never);
  let ends: (() => void)[] = [];
  const waiting = gate.enter(never, {
    follow(join) {
      ends = [join(['a']), join(['b'])];
      return () => {
        for (const end of ends) end();
      };
    },
  });
  // The second line found no room.
  ends[0]?.();
  assert.deepEqual(await waiting, { kind: 'turned_away' });
  leave(entrance);
  assert.equal(await hasRoom(gate), true);
});

test('the last place is for an address that has none, also when it joins a call that waits', async () => {
  const gate = createConcurrencyGate({ clock, limit: 3, reserved: 1, queueLimit: 100 });
  const entered: string[] = [];
  const come = (name: string, callers: Callers) =>
    gate.enter(never, callers).then((entrance) => {
      entered.push(name);
      return entrance;
    });
  const at = (address: string, session: string) => of('assistant', address, session);
  const first = come('g1', at('greedy', '1'));
  come('g2', at('greedy', '2'));
  come('g3', at('greedy', '3'));
  await settle();
  assert.deepEqual(entered, ['g1', 'g2']);
  assert.equal(gate.enterAtOnce(['assistant', 'greedy', '4']), null);
  let join: ((line: readonly string[]) => () => void) | undefined;
  const shared = come('shared', {
    follow(next) {
      join = next;
      return next(['assistant', 'greedy', '5']);
    },
  });
  await settle();
  assert.deepEqual(entered, ['g1', 'g2']);
  join?.(['assistant', 'modest', '1']);
  const second = come('m2', at('modest', '2'));
  await settle();
  assert.deepEqual(entered, ['g1', 'g2', 'shared'], 'and one that has it waits for the next');
  leave(await shared);
  await settle();
  assert.deepEqual(entered, ['g1', 'g2', 'shared', 'm2']);
  leave(await first);
  await settle();
  assert.equal(entered.length, 4, 'the last one that is free is for another address again');
  assert.equal((await come('o', at('other', '1'))).kind, 'entered');
  leave(await second);
  await settle();
  assert.equal(entered.length, 5);
});

test('one that is alone has all places but the last, and the only one there is', async () => {
  for (const [limit, has] of [
    [1, 1],
    [2, 1],
    [8, 7],
  ] as const) {
    const gate = createConcurrencyGate({ clock, limit, reserved: 1, queueLimit: 100 });
    const inside = Array.from({ length: 9 }, () => gate.enterAtOnce(['assistant', 'address', 'session']));
    assert.equal(inside.filter((entrance) => entrance !== null).length, has);
    for (const entrance of inside) entrance?.leave();
    assert.equal(await hasRoom(gate), true);
  }
});

test('whatever comes, leaves and gives up: never more inside than allowed, and nobody is forgotten', async () => {
  const event = fc.constantFrom('come', 'leave', 'give up');
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(0, 1, 2),
      async (events, limit, reserved) => {
        const gate = createConcurrencyGate({ clock, limit, reserved, queueLimit: 5 });
        const inside: { readonly name: string; leave(): void }[] = [];
        const waiting = new Map<AbortController, string>();
        for (const what of events) {
          if (what === 'come') {
            const controller = new AbortController();
            const name = `${(waiting.size + 1) % 3}`;
            waiting.set(controller, name);
            gate.enter(controller.signal, of(name)).then((entrance) => {
              waiting.delete(controller);
              if (entrance.kind === 'entered') inside.push({ name, leave: entrance.leave });
            });
          } else if (what === 'leave') inside.shift()?.leave();
          else [...waiting.keys()].at(-1)?.abort();
          await settle();
          assert.ok(inside.length <= limit);
          assert.ok(waiting.size <= 5);
          for (const name of waiting.values()) {
            const mayHaveLast = inside.every((other) => other.name !== name);
            const places = mayHaveLast ? limit : limit - reserved;
            assert.ok(inside.length >= places, 'one waits although there is room');
          }
        }
      },
    ),
  );
});
