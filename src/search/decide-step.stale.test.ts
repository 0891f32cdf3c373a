import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANYWHERE,
  afterTheHouseIsBooked,
  answered,
  asked,
  decide,
  firstFault,
  NOTHING_CLEARED,
  OLD_RESULT,
  PORTO,
  session,
} from '../../test/support/decisions.ts';
import { NOW, searchStage, THREE_HOMES } from '../../test/support/search-stage.ts';
import { currentStep, isDeadEnd } from './step.ts';

describe('when the inventory has changed since', () => {
  it('a value that fits without the stale ones is taken, and those are cleared', () => {
    const { facts } = afterTheHouseIsBooked();
    const { guests: _, ...open } = PORTO;
    const decision = decide(asked(open), { guests: 2 }, facts);
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.session.payload, {
      brand_locked: true,
      destination: 'porto-pt',
      check_in_month: '2027-03',
      guests: '2',
    });
    assert.deepEqual(decision.cleared, { fields: ['check_in_day', 'check_out'], amenities: [] });
  });

  it('what the request gives anew is not named as cleared', () => {
    const { facts } = afterTheHouseIsBooked();
    const decision = decide(asked(PORTO), { check_in_day: '2027-03-02', guests: 3 }, facts);
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.cleared, { fields: ['check_out'], amenities: [] });
    assert.deepEqual(
      [decision.session.payload.check_in_day, decision.session.payload.guests],
      ['2027-03-02', '3'],
    );
  });

  it('a change keeps every value that fits it, also one that no longer fitted the old choice', () => {
    const { facts } = afterTheHouseIsBooked();
    const decision = decide(asked(PORTO), { destination: 'lisbon-pt' }, facts);
    assert.ok(decision.kind === 'quote');
    assert.deepEqual(decision.session.payload, { ...PORTO, destination: 'lisbon-pt' });
    assert.deepEqual(decision.cleared, NOTHING_CLEARED);
  });

  it('a repeated value is refused when it is no longer on offer', () => {
    const { facts } = afterTheHouseIsBooked();
    const decision = decide(asked(PORTO), { check_in_day: '2027-03-05' }, facts);
    const { field, reason, suggestions } = firstFault(decision);
    assert.deepEqual([field, reason], ['check_in_day', { code: 'nothing_free' }]);
    assert.deepEqual(suggestions[0], '2027-03-04');
    assert.ok(decision.kind === 'refused');
    assert.deepEqual(decision.cleared.fields, ['check_in_day', 'check_out']);
  });

  it('a current result stands although its stay is gone, until the request changes something', () => {
    const { facts } = afterTheHouseIsBooked();
    const state = answered(PORTO);
    assert.equal(decide(state, { guests: 2 }, facts).kind, 'answered');
    for (const values of [{ check_out: 'never' }, { check_out: 'never', guests: 2 }]) {
      const refused = decide(state, values, facts);
      assert.ok(refused.kind === 'refused');
      assert.equal(refused.session, state);
      assert.deepEqual(refused.cleared, NOTHING_CLEARED);
    }
    const changed = decide(state, { guests: 3 }, facts);
    assert.ok(changed.kind === 'incomplete');
    assert.deepEqual(changed.cleared.fields, ['check_in_day', 'check_out']);
    assert.deepEqual(changed.session.result, OLD_RESULT);
  });

  it('nothing changes when an answer is repeated whose own prerequisite is disputed', () => {
    const { facts } = afterTheHouseIsBooked();
    const state = asked(PORTO);
    const decision = decide(state, { brand_locked: 'maybe', destination: 'porto-pt' }, facts);
    assert.equal(firstFault(decision).field, 'brand_locked');
    assert.equal(decision.session, state);
  });

  it('filters that are taken off do not keep answers that are stale', () => {
    const { facts } = afterTheHouseIsBooked();
    const decision = decide(asked(PORTO, { amenities: ['pool'] }), { amenities: [] }, facts);
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.session.amenities, []);
    assert.equal(decision.session.payload.check_in_day, undefined);
    assert.deepEqual(decision.cleared, { fields: ['check_in_day', 'check_out'], amenities: [] });
  });

  it('an amenity is not judged by answers that are stale', () => {
    const { facts } = afterTheHouseIsBooked();
    const state = asked(PORTO, { amenities: ['wifi'] });
    const decision = decide(state, { amenities: 'pool' }, facts);
    assert.equal(firstFault(decision).code, 'refine_not_available');
    assert.equal(decision.session, state);
    assert.ok(decision.kind === 'refused');
    assert.deepEqual(decision.cleared, { fields: ['check_in_day', 'check_out'], amenities: [] });
  });

  it('filters that no match has any more go with the next value, also one that is received already', () => {
    const { index, facts } = searchStage();
    index.remove('other:villa');
    for (const values of [{ guests: 2 }, { guests: 1 }]) {
      const decision = decide(asked(ANYWHERE, { amenities: ['hot_tub', 'pool'] }), values, facts);
      assert.ok(decision.kind === 'quote');
      assert.deepEqual(decision.criteria.amenities, ['pool']);
      assert.deepEqual(decision.cleared, { fields: ['amenities'], amenities: ['hot_tub'] });
    }
  });

  it('an offered filter that no match has any more is named as gone, and the search is quoted anew without it', () => {
    const { index, facts } = searchStage();
    index.remove('other:villa');
    index.remove('acme:house');
    for (const amenities of [[], ['wifi']]) {
      const decision = decide(answered(ANYWHERE, { amenities }), { amenities: 'pool' }, facts);
      assert.ok(decision.kind === 'quote');
      assert.deepEqual(decision.criteria.amenities, amenities);
      assert.deepEqual(decision.cleared, { fields: ['amenities'], amenities: ['pool'] });
      assert.equal(decision.session.result?.answersPayload, false);
    }
  });

  it('a refused request that changes nothing names no filter as lost', () => {
    const { index, facts } = searchStage();
    index.remove('other:villa');
    const state = asked(ANYWHERE, { amenities: ['hot_tub'] });
    const decision = decide(state, { guests: 'two' }, facts);
    assert.ok(decision.kind === 'refused');
    assert.equal(decision.session, state);
    assert.deepEqual(decision.cleared, NOTHING_CLEARED);
  });

  it('a network with nothing to book offers nothing', () => {
    const { index, facts } = searchStage();
    assert.ok(!isDeadEnd(currentStep(session, facts)));
    for (const { brand, reference } of THREE_HOMES) index.remove(`${brand}:${reference}`);
    assert.ok(isDeadEnd(currentStep(decide(session, {}, facts).session, facts)));
  });

  it('days that have passed are stale', () => {
    const { facts } = searchStage();
    const decision = decide(asked(PORTO), {}, { ...facts, now: NOW + 6 * 86_400_000 });
    assert.ok(decision.kind === 'incomplete');
    assert.deepEqual(decision.cleared.fields, ['check_in_day', 'check_out']);
  });
});
