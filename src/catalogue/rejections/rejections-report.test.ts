import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeldBack } from './rejection.ts';
import { createHeldBackReport } from './rejections-report.ts';

const bad = (reference: string, reason = 'is bad'): HeldBack => ({
  reference,
  field: 'name',
  rule: 'wrong_type',
  reason,
});
const repaired = (reference: string): HeldBack => ({
  ...bad(reference),
  rule: 'carries_contact',
  repaired: true,
});

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
  report.add(Array.from({ length: 1500 }, (_, at) => repaired(String(at))));
  report.add([bad('not on offer')]);
  const { heldBack, notListed } = report.all();
  assert.deepEqual([heldBack.length, heldBack[0]?.repaired, notListed], [1000, true, 1]);
});

test('all are counted by their rule, also those that another report did not list', () => {
  const page = createHeldBackReport();
  page.add(Array.from({ length: 1500 }, (_, at) => repaired(String(at))));
  page.add([bad('not on offer')]);
  const whole = createHeldBackReport();
  whole.add([bad('first'), repaired('second')]);
  const { heldBack, notListed, counts } = page.all();
  whole.add(heldBack, notListed, counts);
  assert.deepEqual(whole.all().counts, {
    wrong_type: { refused: 2, repaired: 0 },
    carries_contact: { refused: 0, repaired: 1501 },
  });
  assert.equal(whole.all().notListed, 1);
});

test('a reason is short, however long an operator makes it', () => {
  const report = createHeldBackReport();
  report.add([{ ...bad('a', 'r'.repeat(5000)), field: 'f'.repeat(5000) }, bad('b')]);
  const [first, second] = report.all().heldBack;
  assert.equal(first?.reason.length, 300);
  assert.equal(first?.field.length, 300);
  assert.deepEqual(second, bad('b'));
});

test('nothing in a report can steer a terminal', () => {
  const report = createHeldBackReport();
  report.add([{ ...bad('\u001b[2Jcasa\n2'), field: 'amenities/\u202ea' }]);
  const [held] = report.all().heldBack;
  assert.deepEqual([held?.reference, held?.field], ['\\u{1b}[2Jcasa\\n2', 'amenities/\\u{202e}a']);
});
