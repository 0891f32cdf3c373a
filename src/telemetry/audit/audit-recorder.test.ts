import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { registryOf } from '../../../test/support/registry-of.ts';
import {
  type AuditRecord,
  CONSOLE_ACTIONS,
  type ConsoleAction,
  chainedLine,
  MAX_LINE_BYTES,
  NEW_CHAIN,
} from './audit-record.ts';
import { createAuditRecorder, registryChanges } from './audit-recorder.ts';

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

describe('the recorded entries', () => {
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

const NETWORK = { network: ['10.1.0.0/16'] };
const LIST = { user_agent: 'A-User', ranges_url: 'https://a.example/ranges.json?key=secret' };

function entry(id: string, more: object = {}) {
  return { id, name: id, status: 'approved', recognised_by: [NETWORK], ...more };
}

const changes = (before: readonly object[], after: readonly object[]) =>
  registryChanges(registryOf(...before).assistants, registryOf(...after).assistants).flat();

test('each assistant whose state is another is told, and none that is as it was', () => {
  const before = [entry('a'), entry('b'), entry('c', { status: 'suspended' })];
  const after = [entry('a'), entry('b', { status: 'suspended' }), entry('d')];
  assert.deepEqual(changes(before, after), [
    { assistant: 'b', from: 'approved', to: 'suspended' },
    { assistant: 'c', from: 'suspended', to: null },
    { assistant: 'd', from: null, to: 'approved', ways: { added: ['network 10.1.0.0/16'], removed: [] } },
  ]);
  assert.deepEqual(registryChanges([], []), []);
});

test('other ways, limits and names of the same assistant are told too', () => {
  const same = { assistant: 'a', from: 'approved', to: 'approved' };
  assert.deepEqual(changes([entry('a')], [entry('a', { name: 'Other' })]), [{ ...same, changed: ['name'] }]);
  assert.deepEqual(changes([entry('a')], [entry('a', { limits: { requests: 5 } })]), [
    { ...same, changed: ['limits'], limits: { requests: 5 } },
  ]);
  assert.deepEqual(changes([entry('a', { limits: { requests: 5 } })], [entry('a')]), [
    { ...same, changed: ['limits'], limits: {} },
  ]);
  assert.deepEqual(
    changes([entry('a')], [entry('a', { recognised_by: [{ network: ['10.1.0.0/16', '10.7.0.1'] }] })]),
    [
      {
        ...same,
        changed: ['ways'],
        ways: { added: ['network 10.1.0.0/16, 10.7.0.1'], removed: ['network 10.1.0.0/16'] },
      },
    ],
  );
  assert.deepEqual(changes([], [entry('a', { limits: { sessions: 2 } })])[0]?.limits, { sessions: 2 });
});

test('a way that lets in others is told with the reason, once', () => {
  const open = { recognised_by: [NETWORK, { network: ['0.0.0.0/0'] }] };
  const [change] = changes([entry('a')], [entry('a', open)]);
  assert.deepEqual(change?.ways, { added: ['network 0.0.0.0/0'], removed: [] });
  assert.deepEqual(change?.risks, ['0.0.0.0/0 is every address there is.']);
  const [renamed] = changes([entry('a', open)], [entry('a', { ...open, name: 'Other' })]);
  assert.equal(renamed?.risks, undefined);
  const [approved] = changes([entry('a', { ...open, status: 'suspended' })], [entry('a', open)]);
  assert.equal(approved?.risks?.length, 1);
});

test('the query of an address is never told, and a change of it is', () => {
  const other = { ...LIST, ranges_url: LIST.ranges_url.replace('secret', 'hidden') };
  const told = changes([entry('a', { recognised_by: [LIST] })], [entry('a', { recognised_by: [other] })]);
  const way = 'A-User from the list at https://a.example/ranges.json';
  assert.deepEqual(told[0]?.ways, { added: [way], removed: [way] });
  assert.doesNotMatch(JSON.stringify(told), /secret|hidden/);
});

/** As long as a name may be, under a domain in which anybody can rent a machine. */
function longName(letter: string, number: number): string {
  const name = `${String(number).padStart(3, '0')}.${`${letter.repeat(60)}.`.repeat(3)}${letter.repeat(52)}.amazonaws.com`;
  assert.equal(name.length, 253);
  return name;
}

/** An assistant of which nothing could be longer, but for ways that are not told. */
function longEntry(letter: string, number: number): object {
  return entry(String(number).padStart(64, 'a'), {
    limits: { requests: 10_000_000, sessions: 10_000_000, megabytes: 1_000_000, searches: 100_000 },
    recognised_by: Array.from({ length: 11 }, (_, way) => ({
      user_agent: letter.repeat(64),
      reverse_dns: Array.from({ length: 4 }, (_, name) => longName(letter, way * 4 + name)),
    })),
  });
}

test('whatever an owner writes, a record is no longer than a reader takes, and holds as many changes as fit', () => {
  const [before, after] = ['b', 'c'].map(
    (letter) =>
      registryOf(...Array.from({ length: 60 }, (_, number) => longEntry(letter, number))).assistants,
  );
  assert.ok(before && after);
  for (const records of [registryChanges([], before), registryChanges(before, after)]) {
    assert.equal(new Set(records.flat().map(({ assistant }) => assistant)).size, 60);
    assert.equal(records[0]?.[0]?.ways?.added.at(-1), 'and 1 more');
    for (const changes of records) {
      const { text } = chainedLine(NEW_CHAIN, { at: 0, kind: 'registry', changes, start: true });
      assert.ok(Buffer.byteLength(text) < MAX_LINE_BYTES / 2, `${text.length} bytes`);
    }
    assert.ok(records.length < 10);
  }
});

test('a usual registry is one record', () => {
  const entries = Array.from({ length: 200 }, (_, number) => entry(`a${number}`));
  assert.deepEqual(
    registryChanges([], registryOf(...entries).assistants).map((changes) => changes.length),
    [200],
  );
});
