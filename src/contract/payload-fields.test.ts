import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { FIELDS, isPayloadField, membersFor, PAYLOAD_FIELDS, SEARCH_FIELDS } from './payload-fields.ts';

const STAY = ['destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'];

test('fields are asked for in this order, and amenities refine what is complete', () => {
  assert.deepEqual(PAYLOAD_FIELDS, ['brand_locked', ...STAY]);
  assert.deepEqual(SEARCH_FIELDS, ['brand_locked', ...STAY, 'amenities']);
});

test('the payload holds the fields of the search, and no other name is one', () => {
  for (const field of ['brand_locked', ...STAY]) assert.equal(isPayloadField(field), true, field);
  for (const name of ['amenities', 'source', '', '__proto__', 'constructor', 'toString', 'Guests']) {
    assert.equal(isPayloadField(name), false, name);
  }
});

test('each part is a schema of optional members', () => {
  for (const part of ['request', 'received', 'offered'] as const) {
    const members = membersFor(part);
    assert.deepEqual(Object.keys(members), ['brand_locked', ...STAY, 'amenities']);
    assert.ok(Value.Check(Type.Object(members), {}), `${part} without any`);
  }
});

test('a request may carry more forms of a value than are received and offered', () => {
  const takes = (part: 'request' | 'received' | 'offered', value: object) =>
    Value.Check(Type.Object(membersFor(part)), value);
  for (const value of [
    { brand_locked: 'true' },
    { brand_locked: 'false' },
    { guests: 2 },
    { guests: '2' },
    { amenities: 'pool' },
    { amenities: ['pool'] },
  ]) {
    assert.equal(takes('request', value), true, JSON.stringify(value));
  }
  for (const value of [{ brand_locked: 'yes' }, { amenities: ['pool', 'wifi'] }, { guests: 1.5 }]) {
    assert.equal(takes('request', value), false, JSON.stringify(value));
  }
  assert.equal(takes('received', { brand_locked: true, guests: '2', amenities: ['pool', 'wifi'] }), true);
  for (const value of [{ brand_locked: 'true' }, { guests: 2 }, { amenities: 'pool' }]) {
    assert.equal(takes('received', value), false, JSON.stringify(value));
  }
  const offered = {
    brand_locked: [{ value: false, description: 'Every brand.' }],
    guests: ['1', '2'],
    amenities: [{ value: 'pool', match_count: 1, of: 2 }],
  };
  assert.equal(takes('offered', offered), true);
  assert.equal(takes('offered', { amenities: ['pool'] }), false);
});

test('a name that callers use by mistake stands for one field, and is the name of none', () => {
  const plain = (name: string) => name.replaceAll('_', '');
  for (const field of SEARCH_FIELDS) {
    for (const name of FIELDS[field].alsoCalled) {
      const others = SEARCH_FIELDS.filter((other) => other !== field).flatMap((other) => [
        other,
        ...FIELDS[other].alsoCalled,
      ]);
      assert.ok(!others.map(plain).includes(plain(name)), name);
      assert.match(name, /^[a-z]+(?:_[a-z]+)*$/);
    }
  }
  assert.ok(FIELDS.check_in_day.alsoCalled.includes('check_in'));
});

test('a field that another one sets comes before it and is its prerequisite', () => {
  for (const field of PAYLOAD_FIELDS) {
    const { setBy } = FIELDS[field];
    if (setBy === null) continue;
    assert.ok(isPayloadField(setBy));
    assert.equal(FIELDS[setBy].dependsOn, field);
    assert.ok(PAYLOAD_FIELDS.indexOf(field) < PAYLOAD_FIELDS.indexOf(setBy));
  }
  assert.equal(FIELDS.check_in_month.setBy, 'check_in_day');
});
