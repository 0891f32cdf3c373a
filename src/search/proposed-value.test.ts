import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchStage, stagedSession } from '../../test/support/search-stage.ts';
import type { Payload } from '../contract/payload-fields.ts';
import { searchStep } from './step.ts';
import { withProposal } from './step-answers.ts';

const STAY: Payload = {
  brand_locked: false,
  destination: 'lisbon-pt',
  check_in_month: '2027-03',
  check_in_day: '2027-03-05',
  check_out: '2027-03-12',
  guests: '6',
};

function proposedAfter(before: Payload, payload: Payload): string | undefined {
  const { facts } = searchStage();
  const session = stagedSession({ payload });
  return withProposal(searchStep(session, payload, facts), before, session, facts).proposed;
}

describe('a step that asks again for an answer that was cleared', () => {
  it('proposes the party nearest to the one that was lost', () => {
    const { guests: _party, ...open } = STAY;
    assert.equal(proposedAfter(STAY, { ...open, destination: 'porto-pt' }), '4', 'Porto sleeps four');
  });

  it('proposes a departure after as many nights as before', () => {
    const { check_out: _departure, ...open } = STAY;
    const later = { ...open, check_in_month: '2027-04', check_in_day: '2027-04-20' };
    assert.equal(proposedAfter(STAY, later), '2027-04-27');
    assert.equal(
      proposedAfter(STAY, { ...later, check_in_month: '2027-06', check_in_day: '2027-06-07' }),
      '2027-06-09',
    );
  });

  it('proposes nothing where nothing was lost, or nothing is near', () => {
    const { guests: _party, ...open } = STAY;
    assert.equal(proposedAfter(open, open), undefined);
    assert.equal(proposedAfter({ destination: 'nowhere' }, { brand_locked: false }), undefined);
    assert.equal(proposedAfter(STAY, STAY), undefined, 'nothing is asked for');
  });
});
