import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  FIELDS,
  fieldOrder,
  isPayloadField,
  membersFor,
  PAYLOAD_FIELDS,
  SEARCH_FIELDS,
} from './payload-fields.ts';
import { type WholeStay, wholeStayExample, wholeStayHint } from './whole-stay.ts';

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

const direct: WholeStay = {
  searchUrl: '/ai/v1/search',
  session: 'ses_a',
  order: fieldOrder(['direct']),
  view: 'full',
};

const example = { place: 'porto-pt', checkIn: '2027-05-08', checkOut: '2027-05-11' };

const START = '/ai/v1/search?session=ses_a';

test('the example is an address as it may be called', () => {
  const { searchParams } = new URL(wholeStayExample(direct, example), 'https://stay.example');
  assert.deepEqual(Object.fromEntries(searchParams), {
    session: 'ses_a',
    destination: 'porto-pt',
    check_in_day: '2027-05-08',
    check_out: '2027-05-11',
    guests: '2',
  });
  const sourced = wholeStayExample({ ...direct, order: fieldOrder([]), view: 'compact' }, example);
  assert.equal(
    sourced,
    `${START}&brand_locked=false&destination=porto-pt&check_in_day=2027-05-08&check_out=2027-05-11&guests=2&view=compact`,
    'every brand is searched, because the brand may have nothing in that place',
  );
});

test('the hint is one sentence with an example, and says whom to count', () => {
  assert.equal(
    wholeStayHint(direct.order, example),
    'The whole stay can be given in one request: fill in url_template, for example with destination=porto-pt&check_in_day=2027-05-08&check_out=2027-05-11&guests=2. guests: Every person counts, children and infants too.',
  );
  assert.match(
    wholeStayHint(fieldOrder(['single_location']), example),
    /with brand_locked=false&check_in_day=2027-05-08&check_out=2027-05-11&guests=2\./,
  );
});
