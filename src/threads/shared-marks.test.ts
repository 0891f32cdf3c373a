import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeAllMarks, createSharedMarks, newMarkTable } from './shared-tables.ts';

it('tells every thread of a change, and whoever makes it whether it was the only one', () => {
  const table = newMarkTable();
  const [one, other] = [createSharedMarks(table), createSharedMarks(table)];
  const earlier = one.of('s');
  assert.equal(other.of('s'), earlier);
  assert.equal(one.change('s', earlier), other.of('s'));
  assert.notEqual(other.of('s'), earlier);
  assert.equal(other.change('s', earlier), undefined);
});

it('goes on from its highest number', () => {
  const table = newMarkTable().fill(0x7fff_ffff);
  const marks = createSharedMarks(table);
  assert.equal(marks.change('s', marks.of('s')), marks.of('s'));
});

it('changes all marks at once', () => {
  const table = newMarkTable();
  const marks = createSharedMarks(table);
  const earlier = ['a', 'b', 'c'].map(marks.of);
  changeAllMarks(table);
  for (const [at, session] of ['a', 'b', 'c'].entries()) assert.notEqual(marks.of(session), earlier[at]);
});
