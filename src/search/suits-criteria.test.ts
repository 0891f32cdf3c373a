import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCriteria } from '../../test/support/sample-comparison.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { searchStage } from '../../test/support/search-stage.ts';
import type { Property } from '../catalogue/catalogue.ts';
import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import { suitsCriteria } from './comparison.ts';

const { network } = searchStage();
const suits = (listing: Partial<Property>, criteria: Partial<CompleteCriteria> = {}) =>
  suitsCriteria(
    sampleProperty({ brand: 'acme', reference: '1', maxGuests: 2, ...listing }),
    { ...sampleCriteria, ...criteria },
    network,
  );

test('a listing suits what it says of itself now', () => {
  assert.ok(suits({}));
  assert.ok(suits({}, { place: 'portugal', amenities: ['wifi'] }));
  assert.ok(!suits({ maxGuests: 1 }), 'too small');
  assert.ok(!suits({ place: 'porto-pt' }), 'elsewhere');
  assert.ok(suits({ place: 'porto-pt' }, { place: 'portugal' }));
  assert.ok(!suits({ place: 'nowhere' }, { place: 'portugal' }));
  assert.ok(!suits({ currency: 'USD' }), 'not comparable');
  assert.ok(!suits({ amenities: null }, { amenities: ['wifi'] }));
  assert.ok(!suits({ amenities: { wifi: 'Wi-Fi' } }, { amenities: ['wifi', 'toString'] }));
});
