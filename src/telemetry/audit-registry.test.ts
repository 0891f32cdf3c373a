import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryOf } from '../../test/support/registry-of.ts';
import { chainedLine, MAX_LINE_BYTES, NEW_CHAIN } from './audit/chained-line.ts';
import { registryChanges } from './audit-registry.ts';

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
