import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleOption } from '../../test/support/sample-comparison.ts';
import { sampleResultBody } from '../../test/support/sample-result-body.ts';
import type { Comparison } from '../search/comparison.ts';
import { notesForModels } from './comparison-answer.ts';

/** What only the interface has. */
const NOT_FOR_TOOLS = /available_requests|operator_text|coverage|selection|next_request|search request/;

const coverage = { brand: 'casas', asked: 2, quoted: 1, unavailable: 0, failed: 0, implausible: 0 };

test('notes point to nothing that a tool does not have, and keep the rest', () => {
  const sets: readonly Partial<Comparison>[] = [
    {},
    { totalMatches: 9, pricedMatches: 3 },
    { coverage: [{ ...coverage, failed: 1 }] },
    { coverage: [{ ...coverage, implausible: 1 }] },
    { unpublishedAmenities: 2 },
    { options: [], totalMatches: 0, pricedMatches: 0 },
    {
      options: [],
      totalMatches: 0,
      pricedMatches: 0,
      alternatives: { guests: [[{ field: 'guests', value: '2' }]] },
    },
    { options: [sampleOption({ quote: { dueOnSite: 500 } })] },
  ];
  for (const facts of sets) {
    const { notes } = sampleResultBody(facts);
    const said = notesForModels(notes);
    assert.doesNotMatch(said, NOT_FOR_TOOLS, said);
    assert.ok(said.length > 20, said);
    assert.match(notes, NOT_FOR_TOOLS);
  }
});

test('a brand that was silent can be asked again with a tool', () => {
  const { notes } = sampleResultBody({ coverage: [{ ...coverage, failed: 1 }] });
  assert.match(notesForModels(notes), /search_stays with the session and the same guests asks once more\./);
});
