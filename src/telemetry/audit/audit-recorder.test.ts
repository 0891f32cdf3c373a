import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { type AuditRecord, CONSOLE_ACTIONS, type ConsoleAction } from './audit-record.ts';
import { createAuditRecorder } from './audit-recorder.ts';

function aStage(options: { readonly singleRefusals?: number } = { singleRefusals: 3 }) {
  const clock = createFakeClock(1_800_000_000_000);
  const batches: (readonly AuditRecord[])[] = [];
  const recorder = createAuditRecorder({
    clock,
    send: (records) => void batches.push(records),
    ...options,
  });
  const ask = (assistant: string | null, outcome: string, way: string | null = null) =>
    recorder.record({
      ...{ at: clock.now(), kind: 'request', what: 'search', status: 200, outcome, request: 'req_1' },
      who: assistant === null ? null : { assistant, way },
    });
  return { clock, batches, recorder, ask, sent: () => batches.flat() };
}

describe('the records of a thread', () => {
  it('travel together, a tenth of a second later or once there are many', async () => {
    const { clock, batches, ask, recorder } = aStage();
    for (let count = 0; count < 3; count += 1) ask('acme', 'done', 'signature');
    await clock.advance(99);
    assert.equal(batches.length, 0);
    await clock.advance(1);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [3],
    );
    for (let count = 0; count < 501; count += 1) ask('acme', 'done', 'signature');
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [3, 500],
    );
    recorder.close();
    assert.equal(batches.at(-1)?.length, 1);
    assert.equal(clock.pendingTimers, 0);
  });

  it('tell some refusals of a minute singly and the others as a sum, by cause and assistant', async () => {
    const { clock, ask, sent } = aStage();
    for (let count = 0; count < 1_000; count += 1) ask(null, 'unknown_caller');
    for (let count = 0; count < 5; count += 1) ask('acme', 'suspended', 'signature');
    for (let count = 0; count < 4; count += 1) ask('acme', 'rate_limited', 'network');
    for (let count = 0; count < 4; count += 1) ask('acme', 'done', 'network');
    await clock.advance(60_100);
    const kinds = Object.groupBy(sent(), ({ kind }) => kind);
    assert.equal(kinds.request?.length, 3 + 3 + 3 + 4);
    assert.deepEqual(kinds.refusals, [
      {
        at: 1_800_000_060_000,
        kind: 'refusals',
        sums: [
          { outcome: 'unknown_caller', assistant: null, requests: 997 },
          { outcome: 'suspended', assistant: 'acme', requests: 2 },
          { outcome: 'rate_limited', assistant: 'acme', requests: 1 },
        ],
      },
    ]);
    const before = sent().length;
    ask(null, 'unknown_caller');
    await clock.advance(60_100);
    assert.equal(sent().length, before + 1, 'another minute, another three');
  });

  it('tell sixty of a minute singly, as the document says', () => {
    const { ask, recorder, sent } = aStage({});
    for (let count = 0; count < 61; count += 1) ask(null, 'unknown_caller');
    recorder.close();
    const kinds = Object.groupBy(sent(), ({ kind }) => kind);
    assert.equal(kinds.request?.length, 60);
    assert.deepEqual(kinds.refusals, [
      {
        ...{ at: 1_800_000_000_000, kind: 'refusals' },
        sums: [{ outcome: 'unknown_caller', assistant: null, requests: 1 }],
      },
    ]);
  });

  it('tell what strangers cause in the console in the same way, and all that its owner did', async () => {
    const { clock, recorder, sent } = aStage();
    const byStrangers = ['sign_in_refused', 'sign_in_limited', 'sign_in_impossible', 'form_refused'];
    const actions = Object.keys(CONSOLE_ACTIONS) as ConsoleAction[];
    for (const action of actions) {
      for (let count = 0; count < 1_000; count += 1) {
        recorder.record({ at: clock.now(), kind: 'console', action, about: null });
      }
    }
    await clock.advance(60_100);
    const single = Object.groupBy(sent(), (record) => (record.kind === 'console' ? record.action : ''));
    for (const action of actions) {
      assert.equal(single[action]?.length, byStrangers.includes(action) ? 3 : 1_000, action);
    }
    assert.deepEqual(single[''], [
      {
        ...{ at: 1_800_000_060_000, kind: 'refusals' },
        sums: byStrangers.map((outcome) => ({ outcome, assistant: null, requests: 997 })),
      },
    ]);
  });

  it('end with the sums of the minute', () => {
    const { ask, recorder, sent } = aStage();
    for (let count = 0; count < 5; count += 1) ask(null, 'browser');
    recorder.close();
    assert.deepEqual(
      sent().map(({ kind }) => kind),
      ['request', 'request', 'request', 'refusals'],
    );
  });
});
