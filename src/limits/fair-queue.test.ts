import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairQueue, type FairQueue, type Line, type QueuePlace } from './fair-queue.ts';

type PlainPlace = { readonly line: Line; readonly item: number };

/** The same by brute force: at every level, whoever came or had a turn longest ago. */
function createPlainFairQueue() {
  let waiting: PlainPlace[] = [];
  let tick = 0;
  const since = new Map<string, number>();
  const keyOf = (names: readonly unknown[]) => JSON.stringify(names);
  /** The own line of a level ends with null. */
  const namesOf = ({ line }: PlainPlace) => [...line, null];
  const starts = (place: PlainPlace, names: readonly unknown[]) =>
    keyOf(namesOf(place).slice(0, names.length)) === keyOf(names);
  const within = (names: readonly unknown[]) => waiting.filter((place) => starts(place, names));
  const next = (names: readonly unknown[]) => [
    ...new Map(
      within(names).map((place) => {
        const below = namesOf(place).slice(0, names.length + 1);
        return [keyOf(below), below] as const;
      }),
    ).values(),
  ];
  const isWhole = (names: readonly unknown[]) => names.at(-1) === null;

  return {
    add(line: Line, item: number) {
      const place = { line, item };
      for (let depth = 1; depth <= line.length + 1; depth += 1) {
        const names = namesOf(place).slice(0, depth);
        if (within(names).length === 0) since.set(keyOf(names), ++tick);
      }
      waiting.push(place);
    },
    take(): number | undefined {
      if (waiting.length === 0) return undefined;
      let names: readonly unknown[] = [];
      while (!isWhole(names)) {
        const [turn = []] = next(names).sort(
          (a, b) => (since.get(keyOf(a)) ?? 0) - (since.get(keyOf(b)) ?? 0),
        );
        since.set(keyOf(turn), ++tick);
        names = turn;
      }
      const [first] = within(names);
      waiting = waiting.filter((place) => place !== first);
      return first?.item;
    },
    leave(item: number) {
      waiting = waiting.filter((place) => place.item !== item);
    },
    lastOfLongest(item: number): number | undefined {
      const comer = waiting.find((place) => place.item === item);
      let names: readonly unknown[] = [];
      while (!isWhole(names)) {
        const parts = next(names);
        const most = Math.max(...parts.map((part) => within(part).length));
        const longest = parts.filter((part) => within(part).length === most);
        const own = comer && longest.find((part) => starts(comer, part));
        // Among others who are equal, any will do: the caller of this twin asks only where there is no tie.
        names = own ?? longest[0] ?? [null];
        if (!own && longest.length > 1) return undefined;
      }
      return within(names).at(-1)?.item;
    },
    get size() {
      return waiting.length;
    },
  };
}

/** Its call takes no time. */
function takeFrom<Item>(queue: FairQueue<Item>): Item | undefined {
  const taken = queue.take();
  taken?.end();
  return taken?.item;
}

const line = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
const event = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), line }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'take' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat(50) }) },
);

test('whoever comes, goes and has its turn: the same as by brute force', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const queue = createFairQueue<number>(() => 0);
      const plain = createPlainFairQueue();
      const places: QueuePlace<number>[] = [];
      for (const [item, now] of events.entries()) {
        if (now.kind === 'add') {
          const place = queue.add(now.line, item);
          places.push(place);
          plain.add(now.line, item);
          const expected = plain.lastOfLongest(item);
          if (expected !== undefined) assert.equal(queue.lastOfLongest(place)?.item, expected);
        } else if (now.kind === 'take') assert.equal(takeFrom(queue), plain.take());
        else {
          const leaving = places[now.which % Math.max(1, places.length)];
          if (leaving) {
            const before = plain.size;
            plain.leave(leaving.item);
            assert.equal(leaving.leave(), plain.size < before);
          }
        }
        assert.equal(queue.size, plain.size);
      }
      while (plain.size > 0) assert.equal(takeFrom(queue), plain.take());
      assert.equal(queue.take(), undefined);
    }),
  );
});

test('who comes waits for at most one turn of each other, however many wait there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), taken: fc.nat(3) }), {
        minLength: 1,
        maxLength: 100,
      }),
      (comings) => {
        const queue = createFairQueue<string>(() => 0);
        const waiting = new Map<string, number>();
        /** For each who waits: how often each other had a turn since. */
        const passedBy = new Map<string, Map<string, number>>();
        for (const { name, taken } of comings) {
          queue.add([name], name);
          const before = waiting.get(name) ?? 0;
          waiting.set(name, before + 1);
          if (before === 0) passedBy.set(name, new Map());
          for (let turn = 0; turn < taken; turn += 1) {
            const served = takeFrom(queue);
            if (served === undefined) break;
            waiting.set(served, (waiting.get(served) ?? 0) - 1);
            passedBy.set(served, new Map());
            for (const [other, counts] of passedBy) {
              if (other === served || waiting.get(other) === 0) continue;
              counts.set(served, (counts.get(served) ?? 0) + 1);
              assert.ok((counts.get(served) ?? 0) <= 1, `${other} waited for two turns of ${served}`);
            }
          }
        }
      },
    ),
  );
});

test('an assistant with a thousand sessions has the turns of one assistant', () => {
  const queue = createFairQueue<string>(() => 0);
  for (let session = 0; session < 1000; session += 1)
    queue.add(['greedy', '192.0.2.1', `${session}`], 'greedy');
  for (let call = 0; call < 3; call += 1) queue.add(['modest', '192.0.2.2', 'one'], 'modest');
  const turns = Array.from({ length: 6 }, () => takeFrom(queue));
  assert.deepEqual(turns, ['greedy', 'modest', 'greedy', 'modest', 'greedy', 'modest']);
});

test('names that always wait get the same time, whatever their calls take', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }), {
        minLength: 2,
        maxLength: 5,
      }),
      fc.integer({ min: 1, max: 3 }),
      (durations, limit) => {
        let now = 0;
        const queue = createFairQueue<number>(() => now);
        const used = durations.map(() => 0);
        const calls = durations.map(() => 0);
        let underWay: { endsAt: number; end: () => void }[] = [];
        for (const name of durations.keys())
          for (let wait = 0; wait < 300; wait += 1) queue.add([`${name}`], name);
        while (queue.size > durations.length * 200) {
          while (underWay.length < limit) {
            const taken = queue.take();
            const name = taken?.item ?? 0;
            const ofName = durations[name] ?? [];
            const takes = ofName[(calls[name] ?? 0) % ofName.length] ?? 1;
            calls[name] = (calls[name] ?? 0) + 1;
            used[name] = (used[name] ?? 0) + takes;
            underWay.push({ endsAt: now + takes, end: () => taken?.end() });
          }
          now = Math.min(...underWay.map(({ endsAt }) => endsAt));
          for (const { endsAt, end } of underWay) if (endsAt === now) end();
          underWay = underWay.filter(({ endsAt }) => endsAt > now);
          const calmed = durations.flatMap((_, name) => ((calls[name] ?? 0) < 300 ? [used[name] ?? 0] : []));
          assert.ok(Math.max(...calmed) - Math.min(...calmed) <= 50 * (limit + 2), `${used}`);
        }
      },
    ),
  );
});
