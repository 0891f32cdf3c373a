import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCardPayload } from '../../../../test/support/sample-card-payload.ts';
import { readToolResult } from './read-tool-result.ts';

const payload = sampleCardPayload();
const view = { sort: 'rating', max_total: null, free_cancellation: false, max_options: 5 };
const structured = {
  rank: 1,
  property_id: 'casas:1',
  name: 'House 1',
  brand: 'Casas de Lisboa',
  location: 'Alfama, Lisbon',
  total: 300,
  nightly_average: 100,
  max_guests: 4,
  bedrooms: 2,
  bathrooms: 1,
  rating: { score: 4.5, scale: 5, review_count: 12 },
  free_cancellation_until: null,
  refundable: null,
  booking_mode: 'instant',
  url: 'https://casas.example/1',
};
const content = [
  { type: 'text', text: 'From when?' },
  { type: 'image' },
  { type: 'text', text: 'Say a day.' },
];

test('the comparison beside the result is taken, with what was asked for', () => {
  const read = readToolResult({ content, _meta: { 'staywire/comparison': payload, 'staywire/view': view } });
  assert.ok(read.kind === 'comparison');
  assert.deepEqual(read.view, view);
  assert.equal(read.currency, 'EUR');
  assert.deepEqual(
    read.stays.map(({ id, total, picture }) => ({ id, total, picture: picture?.url })),
    [{ id: 'casas:1', total: 300, picture: 'https://casas.example/1.jpg' }],
  );
});

test('a set without options is a comparison too', () => {
  const read = readToolResult({
    content,
    _meta: { 'staywire/comparison': sampleCardPayload({ options: [] }) },
  });
  assert.ok(read.kind === 'comparison' && read.stays.length === 0 && read.view === null);
});

test('a host that drops _meta leaves the structured content to draw from', () => {
  const read = readToolResult({
    content,
    structuredContent: { comparison: { currency: 'EUR', options: [structured] } },
  });
  assert.ok(read.kind === 'comparison' && read.payload === null);
  assert.deepEqual(
    read.stays.map(({ id, total, maxGuests, amenities, quote }) => ({
      id,
      total,
      maxGuests,
      amenities,
      quote,
    })),
    [{ id: 'casas:1', total: 300, maxGuests: 4, amenities: 'left_out', quote: null }],
  );
});

test('a set that is here in part says how large it is, and how to get the rest', () => {
  const set = { currency: 'EUR', options: [structured], options_in_set: 20, view };
  const read = readToolResult({ content, structuredContent: { session: 'ses_a', comparison: set } });
  assert.ok(read.kind === 'comparison');
  assert.equal(read.inSet, 20);
  assert.deepEqual(read.view, view);
  assert.deepEqual(read.calls, {
    details: { session: 'ses_a', sort: 'rating', free_cancellation: false, max_options: 5, for_card: true },
    more: { session: 'ses_a', max_options: 20, for_card: true },
  });
});

test('a question and a refusal are read from their members, never from the text for the model', () => {
  const question = { field: 'guests', asks: 'People who stay.', offered: [], offered_in_all: 0 };
  const refusals = [{ field: 'check_out', error: 'invalid_value', message: 'It is in the past.' }];
  const asked = { outcome: 'question', session: 'ses_a', question };
  assert.deepEqual(readToolResult({ content, structuredContent: asked }), {
    kind: 'question',
    isRefused: false,
    refusals: [],
    question,
  });
  assert.deepEqual(readToolResult({ content, structuredContent: { outcome: 'refused', refusals } }), {
    kind: 'question',
    isRefused: true,
    refusals,
    question: undefined,
  });
  assert.deepEqual(readToolResult({ content, structuredContent: { outcome: 'problem' } }), {
    kind: 'problem',
  });
  assert.deepEqual(readToolResult({ content }), { kind: 'nothing' });
});

test('what is broken is nothing rather than an error', () => {
  for (const broken of [
    null,
    'text',
    {},
    { _meta: { 'staywire/comparison': { results: 3 } }, content: 'x' },
  ]) {
    assert.deepEqual(readToolResult(broken), { kind: 'nothing' });
  }
});
