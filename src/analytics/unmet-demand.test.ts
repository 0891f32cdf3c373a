import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleCriteria } from '../../test/support/sample-comparison.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { ReasonCode } from '../contract/refusal-reasons.ts';
import type { CarriedOut } from '../search/search-observer.ts';
import { createUnmetWishes } from './unmet-demand.ts';

const NOW = Date.UTC(2027, 2, 1, 12);
const YEAR_MS = 365 * 86_400_000;
const NO_WAY_ON = { accepted: [], corrections: [], clearing: [], carried: [] };

const facts = {
  destination: fc.constantFrom('', 'Lisbon', 'Lisbn', 'Atlantis', 'Avalon'),
  check_in_month: fc.constantFrom('', '2027-05', '2028-01'),
  check_in_day: fc.constantFrom('', '2027-05-08', '2027-06-08', '05/06/2027'),
  onlyPlace: fc.constantFrom(null, 'lisbon-pt'),
  standing: fc.constantFrom({}, { destination: 'portugal' }, { check_in_month: '2027-07' }),
  isPaused: fc.boolean(),
  isJustRefused: fc.boolean(),
  code: fc.constantFrom('invalid_value' as const, 'unknown_field' as const),
  field: fc.constantFrom('destination', 'check_in_month', 'check_in_day', 'guests'),
  reason: fc.constantFrom<ReasonCode>('not_on_network', 'nothing_free', 'minimum_stay'),
  suggestions: fc.constantFrom([], ['lisbon-pt']),
  years: fc.nat(2),
};
type Facts = {
  [Name in keyof typeof facts]: (typeof facts)[Name] extends fc.Arbitrary<infer Value> ? Value : never;
};

function stepOf({ onlyPlace, standing, isPaused, isJustRefused, ...asked }: Facts): CarriedOut {
  const { code, field, reason, suggestions } = asked;
  const session = { ...sampleSession('s'), onlyPlace };
  const supplied = (['destination', 'check_in_month', 'check_in_day'] as const).flatMap((name) =>
    asked[name] === '' ? [] : [{ field: name, raw: asked[name] }],
  );
  const details = { candidates: [], didYouMean: null };
  return {
    before: session,
    after: { ...session, payload: standing },
    supplied,
    refusal: {
      ...NO_WAY_ON,
      faults: [
        { code, field, reason: { code: reason }, suggestions, ...details },
        { code, field: 'check_in_day', reason: { code: 'nothing_free' }, suggestions: [], ...details },
      ],
    },
    isPaused,
    search: isJustRefused
      ? { criteria: sampleCriteria, milliseconds: 1, outcome: { kind: 'just_refused' } }
      : null,
  };
}

test('what is remembered of a request changes nothing of what another one asked for', () => {
  const network = sampleNetwork([]);
  const names = Object.keys(facts) as (keyof Facts)[];
  fc.assert(
    fc.property(fc.record(facts), fc.record(facts), fc.constantFrom(...names), (one, other, name) => {
      const remembering = createUnmetWishes(network);
      const tell = (asked: Facts, unmet = remembering) => unmet(stepOf(asked), NOW + asked.years * YEAR_MS);
      tell(one);
      // The most alike requests are those that differ in one fact.
      const changed = { ...one, [name]: other[name] };
      assert.deepEqual(tell(changed), tell(changed, createUnmetWishes(network)));
    }),
  );
});
