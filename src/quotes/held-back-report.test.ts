import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldBackReport } from './held-back-report.ts';

const bad = (reference: string, reason = 'is bad') => ({ reference, field: 'name', reason });

test('the first thousand are listed, the others counted', () => {
  const report = createHeldBackReport();
  report.add(Array.from({ length: 999 }, (_, at) => bad(String(at))));
  report.add([bad('last'), bad('too late')], 40);
  report.add([bad('later')]);
  const { heldBack, notListed } = report.all();
  assert.equal(heldBack.length, 1000);
  assert.equal(heldBack.at(-1)?.reference, 'last');
  assert.equal(notListed, 42);
});

test('of repaired homes beyond the thousand none counts as held back', () => {
  const report = createHeldBackReport();
  report.add(Array.from({ length: 1500 }, (_, at) => ({ ...bad(String(at)), repaired: true as const })));
  report.add([bad('not on offer')]);
  const { heldBack, notListed } = report.all();
  assert.deepEqual([heldBack.length, heldBack[0]?.repaired, notListed], [1000, true, 1]);
});

test('a reason is short, however long an operator makes it', () => {
  const report = createHeldBackReport();
  report.add([{ reference: 'a', field: 'f'.repeat(5000), reason: 'r'.repeat(5000) }, bad('b')]);
  const [first, second] = report.all().heldBack;
  assert.equal(first?.reason.length, 300);
  assert.equal(first?.field.length, 300);
  assert.deepEqual(second, bad('b'));
});
