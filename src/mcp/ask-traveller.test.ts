import assert from 'node:assert/strict';
import { test } from 'node:test';
import { travellerForm } from './ask-traveller.ts';
import type { AskingBody } from './question-answer.ts';

/** Of a step only what a form is made from. */
function asking(members: object): AskingBody {
  return {
    error: 'incomplete_payload',
    received: {},
    allowed_values: {},
    missing_fields: [],
    ...members,
  } as never;
}

test('everything that is missing is asked for in one form, and a day stands for its month', () => {
  const form = travellerForm(
    asking({
      missing_fields: ['destination', 'check_in_month', 'check_in_day', 'check_out', 'guests'],
      allowed_values: {
        destination: ['lisbon-pt', 'porto-pt'],
        check_in_month: ['2027-05'],
        guests: ['1', '2'],
      },
      places: { 'lisbon-pt': { name: 'Lisbon', kind: 'city', within: null } },
    }),
  );
  assert.deepEqual(form?.requestedSchema.required, ['destination', 'check_in_day', 'check_out', 'guests']);
  const { destination, check_in_day, guests } = form?.requestedSchema.properties ?? {};
  assert.deepEqual(destination && 'oneOf' in destination && destination.oneOf, [
    { const: 'lisbon-pt', title: 'Lisbon' },
    { const: 'porto-pt', title: 'porto-pt' },
  ]);
  assert.equal(check_in_day && 'format' in check_in_day && check_in_day.format, 'date');
  assert.ok(guests && 'oneOf' in guests);
  assert.equal(form?.message, 'Please give: where to, arrival, departure, guests.');
});

test('a long list is typed, not chosen from', () => {
  const destination = Array.from({ length: 61 }, (_, at) => `place-${at}`);
  const form = travellerForm(asking({ missing_fields: ['destination'], allowed_values: { destination } }));
  assert.equal('oneOf' in (form?.requestedSchema.properties.destination ?? {}), false);
});

test('nothing is asked when only filters are left', () => {
  assert.equal(travellerForm(asking({ missing_fields: ['amenities'] })), null);
});
