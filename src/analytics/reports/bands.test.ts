import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Bands,
  bandCell,
  bandLabels,
  DRIFT_BANDS,
  LEAD_BANDS,
  TIME_BANDS,
  WAIT_BANDS,
} from './bands.ts';

const textsOf = (bands: Bands) => bandLabels(bands).map((label) => bandCell(label, bands).text);
const idsOf = (bands: Bands) => bandLabels(bands).map((label) => bandCell(label, bands).id);

describe('bands', () => {
  it('are read as ranges, each with what the one before it has not', () => {
    assert.deepEqual(textsOf(TIME_BANDS).slice(0, 5), [
      'under 100 ms',
      '100 to 250 ms',
      '250 to 500 ms',
      '500 ms to 1 s',
      '1 to 2 s',
    ]);
    assert.deepEqual(textsOf(TIME_BANDS).slice(-3), ['2 to 5 min', '5 to 15 min', 'more than 15 min']);
    assert.deepEqual(textsOf(WAIT_BANDS), [
      'under 15 min',
      '15 min to 1 h',
      '1 to 6 h',
      '6 to 24 h',
      '24 h to 3 days',
      '3 to 7 days',
      'more than 7 days',
    ]);
  });

  it('have each whole day in one of them', () => {
    assert.deepEqual(textsOf(LEAD_BANDS).slice(0, 3), ['up to 1 day', '2 to 3 days', '4 to 7 days']);
    assert.deepEqual(textsOf(LEAD_BANDS).slice(-2), ['181 to 365 days', 'more than 365 days']);
  });

  it('say which quotes were almost as expected', () => {
    assert.deepEqual(textsOf(DRIFT_BANDS), [
      '-20% or lower',
      '-20% to -5%',
      '-5% to -1%',
      'within ±1%',
      '+1% to +5%',
      '+5% to +20%',
      'more than +20%',
    ]);
  });

  it('are known to programs by what is stored of them, whatever their words', () => {
    assert.deepEqual(idsOf(LEAD_BANDS).slice(0, 2), ['up_to_1_d', 'up_to_3_d']);
    assert.deepEqual(idsOf(DRIFT_BANDS).slice(-4), ['up_to_10', 'up_to_50', 'up_to_200', 'more']);
    assert.deepEqual(idsOf(WAIT_BANDS).slice(0, 2), ['up_to_0.25_h', 'up_to_1_h']);
  });
});
