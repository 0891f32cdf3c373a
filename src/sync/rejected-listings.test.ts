import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { REJECTION_RULES } from '../catalogue/rejections/rejection-rules.ts';
import { listRejections } from './operator-controls.ts';

const refused = (reference: string): Rejection => ({
  reference,
  field: '',
  rule: 'other_currency',
  reason: 'is in another currency',
  value: 'USD',
});
const repaired = (reference: string): Rejection => ({
  reference,
  field: 'images/0/url',
  rule: 'wrong_format',
  reason: 'is no address',
  repaired: true,
});

test('what costs a home comes before what costs a part of one, each with what to do about it', () => {
  const { rejections, unlistedRejections } = listRejections({
    rejections: [repaired('a'), refused('b')],
    notListed: 0,
  });
  assert.deepEqual(rejections, [
    {
      reference: 'b',
      field: 'listing',
      rule: 'other_currency',
      value: 'USD',
      remedy: REJECTION_RULES.other_currency.remedy,
      isRepaired: false,
    },
    {
      reference: 'a',
      field: 'images/0/url',
      rule: 'wrong_format',
      value: null,
      remedy: REJECTION_RULES.wrong_format.remedy,
      isRepaired: true,
    },
  ]);
  assert.equal(unlistedRejections, 0);
});

test('five hundred are listed and the others counted, also those that the report does not list', () => {
  const many = Array.from({ length: 620 }, (_, at) => refused(String(at)));
  const { rejections, unlistedRejections } = listRejections({ rejections: many, notListed: 30 });
  assert.deepEqual([rejections.length, unlistedRejections], [500, 150]);
});
