import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOrder } from './payload-fields.ts';
import { type WholeStay, wholeStayExample, wholeStayHint, wholeStayTemplate } from './whole-stay.ts';

const direct: WholeStay = {
  searchUrl: '/ai/v1/search',
  session: 'ses_a',
  order: fieldOrder(['direct']),
  view: 'full',
};
const START = '/ai/v1/search?session=ses_a';

test('the template names every field to give; the month comes with the day', () => {
  assert.equal(
    wholeStayTemplate(direct),
    `${START}&destination={destination}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}`,
  );
  assert.equal(
    wholeStayTemplate({ ...direct, order: fieldOrder(['single_location']) }),
    `${START}&brand_locked={brand_locked}&check_in_day={check_in_day}&check_out={check_out}&guests={guests}`,
  );
});

test('the view is named unless it is the full one', () => {
  assert.equal(
    wholeStayTemplate({ ...direct, view: 'compact' }),
    `${wholeStayTemplate(direct)}&view=compact`,
  );
});

test('the example is an address as it may be called', () => {
  const { searchParams } = new URL(wholeStayExample(direct), 'https://stay.example');
  assert.deepEqual(Object.fromEntries(searchParams), {
    session: 'ses_a',
    destination: 'lisbon-pt',
    check_in_day: '2027-05-08',
    check_out: '2027-05-15',
    guests: '2',
  });
});

test('the hint is one sentence with an example', () => {
  assert.equal(
    wholeStayHint(direct.order),
    'The whole stay can be given in one request: fill in url_template, for example with destination=lisbon-pt&check_in_day=2027-05-08&check_out=2027-05-15&guests=2.',
  );
});
