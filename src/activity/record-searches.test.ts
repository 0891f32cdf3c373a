import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { CarriedOut } from '../search/search-observer.ts';
import { MAX_COUNTED, NOTHING_COUNTED, type SessionTally } from '../sessions/session-tally.ts';
import { createSearchRecorder } from './record-searches.ts';
import type { CountActivity } from './sums.ts';

const NOW = Date.UTC(2027, 2, 1, 12);

function aStage({ count, tally = NOTHING_COUNTED }: { count?: CountActivity; tally?: SessionTally } = {}) {
  const counted: string[] = [];
  const noted: SessionTally[] = [];
  const faults: unknown[] = [];
  const recordCount: CountActivity =
    count ??
    ((measure, { facet = '', reason = '' }, amounts) => {
      counted.push(`${measure} ${facet} ${reason} ${amounts?.count ?? 1}`);
    });
  const recorder = createSearchRecorder({
    count: recordCount,
    tallies: {
      of: () => noted.at(-1) ?? tally,
      note(_session, changed, firsts) {
        noted.push(changed);
        for (const { measure, labels, hour } of firsts) recordCount(measure, labels, { hour });
      },
    },
    network: sampleNetwork(['acme']),
    clock: { now: () => NOW },
    onFault: (fault) => void faults.push(fault),
  });
  return { counted, noted, faults, recorder };
}

const fault = { suggestions: [], candidates: [], didYouMean: null };
const session = { ...sampleSession('s'), assistant: 'claude', source: null, payload: {} };

function refusedStep(written: string): CarriedOut {
  const notThere = { ...fault, code: 'invalid_value', field: 'destination' } as const;
  return {
    before: session,
    after: session,
    supplied: [{ field: 'destination', raw: written }],
    refusal: {
      faults: [{ ...notThere, reason: { code: 'not_on_network' } }],
      accepted: [],
      corrections: [],
      clearing: [],
      carried: [],
    },
    search: null,
  };
}

describe('of searches is counted', () => {
  it('where a session stands, with its last refusal there', () => {
    const { counted, noted, recorder } = aStage();
    recorder.opened(session);
    recorder.carriedOut(refusedStep('Atlantis'));
    recorder.carriedOut(refusedStep('Atlantis'));
    recorder.carriedOut({
      before: session,
      after: { ...session, payload: { destination: 'lisbon-pt' } },
      supplied: [],
      refusal: null,
      search: null,
    });
    assert.deepEqual(counted, [
      'sessions   1',
      'standings destination  1',
      'wishes  not_on_network 1',
      'missing_places atlantis  1',
      'standings destination  -1',
      'standings check_in_month  1',
    ]);
    assert.deepEqual(
      noted.map(({ stage, refusal }) => `${stage} ${refusal}`),
      ['destination destination:not_on_network', ' '],
    );
  });

  it('no more of a session than its tally holds', () => {
    const { counted, noted, recorder } = aStage();
    for (let at = 0; at < 2 * MAX_COUNTED; at += 1) {
      recorder.carriedOut(
        refusedStep(`Place ${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`),
      );
    }
    assert.equal(noted.at(-1)?.counted.length, MAX_COUNTED);
    assert.equal(counted.filter((text) => text.startsWith('missing_places')).length, MAX_COUNTED - 1);
    assert.equal(noted.length, MAX_COUNTED - 1, 'what changes nothing is not noted');
  });

  it('nothing of the owner’s own trials', () => {
    const { counted, recorder } = aStage();
    const own = { ...session, assistant: 'console' };
    recorder.opened(own);
    recorder.carriedOut({ ...refusedStep('Atlantis'), before: own, after: own });
    assert.deepEqual(counted, []);
  });

  it('nothing that a defect stands in the way of, and no request fails by it', () => {
    const { faults, recorder } = aStage({
      count() {
        throw new Error('a defect');
      },
    });
    recorder.opened(session);
    recorder.carriedOut(refusedStep('Atlantis'));
    assert.equal(faults.length, 2);
  });

  it('of homes that are paused, once for each stay that they are wanted for', () => {
    const { counted, noted, recorder } = aStage();
    const sourced = { ...session, source: 'acme', payload: { brand_locked: true } };
    const asked = (supplied: CarriedOut['supplied']): CarriedOut => {
      return { before: sourced, after: sourced, supplied, refusal: null, isPaused: true, search: null };
    };
    const stay = [
      { field: 'destination', raw: 'Lisbon' },
      { field: 'check_in_day', raw: '2027-05-08' },
    ] as const;
    recorder.carriedOut(asked(stay));
    recorder.carriedOut(asked(stay));
    recorder.carriedOut(asked([{ field: 'guests', raw: 2 }]));
    assert.deepEqual(counted, ['wishes 2027-05 paused 1', 'wishes  paused 1']);
    assert.deepEqual(noted.at(-1)?.refusal, 'paused');
  });
});
