import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { catalogueEntry } from './brand-offer.ts';
import { createCalendarQueue, type DueOptions } from './calendar-queue.ts';

const OLD_AFTER = 1000;
const homes = ['1', '2', '3', '4'].map((reference) =>
  catalogueEntry(sampleProperty({ brand: 'sol', reference })),
);
const at = (now: number): DueOptions => ({ now, oldAfterMs: OLD_AFTER });

async function queueOf(answers: Readonly<Record<string, number>>) {
  const queue = createCalendarQueue();
  await queue.list(homes);
  for (const [reference, time] of Object.entries(answers)) queue.answered(`sol:${reference}`, time);
  const due = async (options: DueOptions) => (await queue.due(options)).map(({ reference }) => reference);
  return { queue, due };
}

test('an answer from before the start counts, whether it is restored before the catalogue is known or after', async () => {
  const restored = createCalendarQueue();
  restored.restore('sol:1', 800);
  restored.restore('sol:2', 700);
  restored.restore('sol:9', 700);
  restored.answered('sol:2', 900);
  await restored.list(homes);
  restored.restore('sol:3', 600);
  assert.deepEqual(
    (await restored.due(at(1700))).map(({ reference }) => reference),
    ['4', '3'],
  );
  await restored.list(homes);
  assert.deepEqual(
    (await restored.due(at(1850))).map(({ reference }) => reference),
    ['4', '3', '1'],
  );
});

test('an answer of no use counts as read and is reported until a better one comes', async () => {
  const { queue, due } = await queueOf({ 2: 900, 3: 900, 4: 900 });
  const fault = { reference: '1', field: 'calendar', rule: 'calendar_missing' as const, reason: 'no night' };
  await due(at(1000));
  assert.equal(queue.waiting, 1);
  queue.answered('sol:1', 1000, fault);
  assert.equal(queue.waiting, 0);
  assert.deepEqual(queue.faults(), [fault]);
  assert.deepEqual(await due(at(1100)), []);
  queue.outdateFaulty(1150);
  assert.deepEqual(await due(at(1160)), ['1']);
  queue.answered('sol:1', 1200);
  assert.deepEqual(queue.faults(), []);
  queue.outdateFaulty(1250);
  assert.deepEqual(await due(at(1260)), []);
});

test('one that was withdrawn waits until it is read', async () => {
  const { queue } = await queueOf({ 1: 1 });
  queue.withdrawn(['sol:1']);
  assert.equal(queue.waiting, 1);
  queue.answered('sol:1', 2);
  assert.equal(queue.waiting, 0);
});

/** All events as a list; every question is answered by going through it. */
type QueueEvent = {
  readonly kind: 'answered' | 'failed' | 'outdate' | 'refused' | 'all';
  readonly home: number;
  readonly at: number;
};

function plainDue(events: readonly QueueEvent[], options: DueOptions): readonly string[] {
  const last = (kind: QueueEvent['kind'], home: number) =>
    events
      .filter((event) => event.kind === kind && (kind === 'all' || event.home === home))
      .reduce((latest, { at }) => Math.max(latest, at), -1);
  const due = homes.flatMap(({ reference }, home) => {
    const answered = last('answered', home);
    const needs = Math.max(last('outdate', home), last('refused', home), last('all', home));
    const isOld = options.now - answered >= options.oldAfterMs;
    if (answered !== -1 && answered >= needs && !isOld) return [];
    const refused = last('refused', home);
    const isFirst = answered < refused;
    return [{ reference, isFirst, tried: Math.max(answered, last('failed', home)) }];
  });
  const inOrder = (isFirst: boolean) =>
    due.filter((one) => one.isFirst === isFirst).toSorted((one, other) => one.tried - other.tried);
  return [...inOrder(true), ...inOrder(false)].map(({ reference }) => reference);
}

test('after whatever has happened, the same are due as by looking through all of it', async () => {
  const event = fc.record({
    kind: fc.constantFrom('answered', 'failed', 'outdate', 'refused', 'all'),
    home: fc.integer({ min: 0, max: homes.length - 1 }),
    later: fc.integer({ min: 0, max: 600 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (happened) => {
      const queue = createCalendarQueue();
      await queue.list(homes);
      let now = 0;
      const events = happened.map(({ kind, home, later }): QueueEvent => {
        now += later;
        return { kind, home, at: now };
      });
      for (const { kind, home, at } of events) {
        const id = homes[home]?.id ?? '';
        if (kind === 'all') queue.outdateAll(at);
        else if (kind === 'failed') queue.failed([id], at);
        else queue[kind](id, at);
      }
      const options = at(now);
      const due = (await queue.due(options)).map(({ reference }) => reference);
      assert.deepEqual(due, plainDue(events, options));
    }),
  );
});
