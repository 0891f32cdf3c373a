import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from './rejection.ts';
import { createRejectionReport } from './rejections-report.ts';

const bad = (reference: string, reason = 'is bad'): Rejection => ({
  reference,
  field: 'name',
  rule: 'wrong_type',
  reason,
});
const repaired = (reference: string): Rejection => ({
  ...bad(reference),
  rule: 'carries_contact',
  repaired: true,
});

test('the first thousand are listed, the others counted', () => {
  const report = createRejectionReport();
  report.add(Array.from({ length: 999 }, (_, at) => bad(String(at))));
  report.add([bad('last'), bad('too late')], 40);
  report.add([bad('later')]);
  const { rejections, notListed } = report.all();
  assert.equal(rejections.length, 1000);
  assert.equal(rejections.at(-1)?.reference, 'last');
  assert.equal(notListed, 42);
});

test('of repaired homes beyond the thousand none counts as held back', () => {
  const report = createRejectionReport();
  report.add(Array.from({ length: 1500 }, (_, at) => repaired(String(at))));
  report.add([bad('not on offer')]);
  const { rejections, notListed } = report.all();
  assert.deepEqual([rejections.length, rejections[0]?.repaired, notListed], [1000, true, 1]);
});

test('all are counted by their rule, also those that another report did not list', () => {
  const page = createRejectionReport();
  page.add(Array.from({ length: 1500 }, (_, at) => repaired(String(at))));
  page.add([bad('not on offer')]);
  const whole = createRejectionReport();
  whole.add([bad('first'), repaired('second')]);
  const { rejections, notListed, counts } = page.all();
  whole.add(rejections, notListed, counts);
  assert.deepEqual(whole.all().counts, {
    wrong_type: { refused: 2, repaired: 0 },
    carries_contact: { refused: 0, repaired: 1501 },
  });
  assert.equal(whole.all().notListed, 1);
});

test('a reason is short, however long an operator makes it', () => {
  const report = createRejectionReport();
  report.add([{ ...bad('a', 'r'.repeat(5000)), field: 'f'.repeat(5000) }, bad('b')]);
  const [first, second] = report.all().rejections;
  assert.equal(first?.reason.length, 300);
  assert.equal(first?.field.length, 300);
  assert.deepEqual(second, bad('b'));
});

test('nothing in a report can steer a terminal', () => {
  const report = createRejectionReport();
  report.add([{ ...bad('\u001b[2Jcasa\n2'), field: 'amenities/\u202ea' }]);
  const [held] = report.all().rejections;
  assert.deepEqual([held?.reference, held?.field], ['\\u{1b}[2Jcasa\\n2', 'amenities/\\u{202e}a']);
});
