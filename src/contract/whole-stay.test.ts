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
const example = { place: 'porto-pt', checkIn: '2027-05-08', checkOut: '2027-05-11' };
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

test('a field that another one sets is not in it', () => {
  assert.match(
    wholeStayHint(['check_in_month', 'check_in_day'], example),
    /for example with check_in_day=2027-05-08\.$/,
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
