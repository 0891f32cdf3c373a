import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeldBack } from '../catalogue/rejections/rejection.ts';
import { HELD_BACK_RULES } from '../catalogue/rejections/rejection-rules.ts';
import { listHeldBack } from './operator-controls.ts';

const refused = (reference: string): HeldBack => ({
  reference,
  field: '',
  rule: 'other_currency',
  reason: 'is in another currency',
  value: 'USD',
});
const repaired = (reference: string): HeldBack => ({
  reference,
  field: 'images/0/url',
  rule: 'wrong_format',
  reason: 'is no address',
  repaired: true,
});

test('what costs a home comes before what costs a part of one, each with what to do about it', () => {
  const { heldBack, heldBackBesides } = listHeldBack({
    heldBack: [repaired('a'), refused('b')],
    notListed: 0,
  });
  assert.deepEqual(heldBack, [
    {
      reference: 'b',
      field: 'listing',
      rule: 'other_currency',
      value: 'USD',
      remedy: HELD_BACK_RULES.other_currency.remedy,
      isRepaired: false,
    },
    {
      reference: 'a',
      field: 'images/0/url',
      rule: 'wrong_format',
      value: null,
      remedy: HELD_BACK_RULES.wrong_format.remedy,
      isRepaired: true,
    },
  ]);
  assert.equal(heldBackBesides, 0);
});

test('five hundred are listed and the others counted, also those that the report does not list', () => {
  const many = Array.from({ length: 620 }, (_, at) => refused(String(at)));
  const { heldBack, heldBackBesides } = listHeldBack({ heldBack: many, notListed: 30 });
  assert.deepEqual([heldBack.length, heldBackBesides], [500, 150]);
});
