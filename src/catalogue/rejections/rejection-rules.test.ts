import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REJECTION_RULES } from './rejection-rules.ts';

/** Operators filter by these, so a code is added and never changed. */
const CODES = [
  'missing_member',
  'wrong_type',
  'wrong_format',
  'unknown_choice',
  'out_of_range',
  'too_long',
  'empty_text',
  'too_few_entries',
  'too_many_entries',
  'too_complex',
  'too_many_faults',
  'unknown_place',
  'other_currency',
  'other_brand',
  'listed_twice',
  'not_in_catalogue',
  'over_budget',
  'addresses_assistant',
  'texts_address_assistant',
  'carries_address',
  'carries_contact',
  'nested_markup',
  'label_not_shown',
  'address_incomplete',
  'address_not_https',
  'address_with_credentials',
  'address_not_registered',
  'address_numeric_host',
  'address_undecodable',
  'address_encoded_repeatedly',
  'address_for_assistants',
  'address_with_fragment',
  'address_odd_character',
  'address_too_long',
  'address_too_many_words',
  'address_off_pattern',
  'no_usable_image',
  'amenity_key',
  'unknown_amenity',
  'rating_above_scale',
  'contradicts_itself',
  'calendar_missing',
  'calendar_twice',
  'calendar_overlap',
  'feed_unreadable',
  'feed_lost_nights',
  'calendar_uneven',
  'too_many_stay_rules',
  'no_such_day',
  'period_backwards',
  'price_too_fine',
  'not_json',
  'misplaced_header',
  'broken_row',
  'night_twice',
  'no_price',
];

describe('the rules of what is held back', () => {
  it('keep their codes', () => {
    assert.deepEqual(Object.keys(REJECTION_RULES), CODES);
  });

  it('say in sentences what they mean and what to do', () => {
    for (const [rule, { means, remedy }] of Object.entries(REJECTION_RULES)) {
      for (const text of [means, remedy]) assert.match(text, /^[A-Z][^|\n]+\.$/, rule);
    }
  });

  it('each hold something back', () => {
    const source = fileURLToPath(new URL('../..', import.meta.url));
    const code = globSync('**/*.ts', { cwd: source })
      .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('held-back-rules.ts'))
      .map((file) => readFileSync(`${source}/${file}`, 'utf8'))
      .join('\n');
    for (const rule of CODES) assert.match(code, new RegExp(`['"]${rule}['"]|\\b${rule}:`), rule);
  });
});
