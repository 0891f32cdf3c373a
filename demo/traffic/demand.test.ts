import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDay } from '../../src/stay/day.ts';
import { BRANDS } from '../brands.ts';
import { BEHAVIOURS } from './behaviour.ts';
import { demandOf } from './demand.ts';

const TODAY = parseDay('2026-11-17') ?? 0;
const many = (seed: string, count: number) =>
  Array.from({ length: count }, (_, at) => demandOf(seed, at, TODAY));

test('the same seed plays the same wishes, and another one others', () => {
  assert.deepEqual(many('demo', 200), many('demo', 200));
  assert.notDeepEqual(many('demo', 200), many('other', 200));
});

test('the shares of the assistants add up, and each comes as often as its share says', () => {
  const shares = BEHAVIOURS.reduce((sum, { share }) => sum + share, 0);
  assert.ok(Math.abs(shares - 1) < 1e-9);
  const wishes = many('demo', 4000);
  for (const { assistant, share } of BEHAVIOURS) {
    const own = wishes.filter(({ behaviour }) => behaviour.assistant.id === assistant.id).length;
    assert.ok(Math.abs(own / wishes.length - share) < 0.03, `${assistant.id}: ${own}`);
  }
});

test('a wish is a stay of real days, mostly one that the network can fulfil', () => {
  const wishes = many('demo', 2000);
  for (const { values, entry } of wishes) {
    const [checkIn, checkOut] = [parseDay(values.check_in_day), parseDay(values.check_out)];
    assert.ok(checkIn !== undefined && checkOut !== undefined && checkIn >= TODAY && checkOut > checkIn);
    assert.equal(values.check_in_month, values.check_in_day.slice(0, 7));
    assert.ok(Number(values.guests) >= 1);
    assert.ok(values.destination.length >= 2, JSON.stringify(values));
    assert.ok(entry === null || BRANDS.some(({ source }) => source === entry.source));
  }
  const asked = new Set(wishes.map(({ values }) => values.destination));
  for (const place of ['Lisbon', 'Amsterdam', 'Reykjavik', 'Portugal']) assert.ok(asked.has(place), place);
  const beyond = wishes.filter(({ values }) => (parseDay(values.check_in_day) ?? 0) > TODAY + 540).length;
  assert.ok(beyond > 0 && beyond < wishes.length / 20);
});
