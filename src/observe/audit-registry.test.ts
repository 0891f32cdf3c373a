import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryOf } from '../../test/support/registry-of.ts';
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

test('the largest registry is told in records that are each far smaller than what a reader takes for a line', () => {
  const long = (position: number) => `https://a.example/${position}${'x'.repeat(1_900)}`;
  const ways = Array.from({ length: 100 }, (_, position) => ({
    user_agent: 'gecko',
    ranges_url: long(position),
  }));
  const entries = Array.from({ length: 1_000 }, (_, number) => entry(`a${number}`, { recognised_by: ways }));
  const records = registryChanges([], registryOf(...entries).assistants);
  assert.equal(records.length, 20);
  assert.deepEqual(records[0]?.[0]?.ways?.added.at(-1), 'and 90 more');
  for (const record of records) assert.ok(JSON.stringify(record).length < 256 * 1024);
});
