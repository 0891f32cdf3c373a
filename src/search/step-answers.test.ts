import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { createPlainAvailabilityIndex } from '../../test/support/plain-availability-index.ts';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { sampleSession } from '../../test/support/sample-session.ts';
import { searchStage, stagedSession } from '../../test/support/search-stage.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { Payload } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { parseDay } from '../stay/day.ts';
import { createLinks } from './answers/links.ts';
import { type AnswerForm, NO_SIDE_EFFECTS } from './answers/side-effects.ts';
import { stepAnswer } from './answers/step-answer.ts';
import type { SearchFacts } from './payload.ts';
import { currentStep, isDeadEnd, type Step, searchStep } from './step.ts';
import { createRepeatedSteps, withProposal } from './step-answers.ts';

const now = Date.parse('2027-03-01T12:00:00Z');

const today = parseDay('2027-03-01') ?? 0;

const network = sampleNetwork(['acme', 'other']);

const POST: AnswerForm = { method: 'POST', view: 'full' };

const GET: AnswerForm = { method: 'GET', view: 'full' };

const fresh: Session = { ...sampleSession('id'), source: 'acme' };

const links = createLinks(null);

const textOf = (step: Step, form: AnswerForm, token: string, revision: number) =>
  JSON.stringify(stepAnswer(step, NO_SIDE_EFFECTS, { links, network, ...form, token, revision }));

function setUp() {
  const index = createPlainAvailabilityIndex(network);
  const facts: SearchFacts = { index, network, unready: [], now };
  const render = createRepeatedSteps(links);
  function put(brand: string, reference: string, maxGuests: number): void {
    const calendar = emptyCalendar(today, 60);
    calendar.available.fill(1);
    index.put(sampleProperty({ brand, reference, maxGuests }), calendar);
  }
  put('acme', 'small', 2);
  put('other', 'large', 6);
  return { index, facts, render, put };
}

test('sessions at the same step share it and its text, each with its own token', () => {
  const { facts, render } = setUp();
  const other = { ...fresh, id: 'other', revision: 5 };
  const [first, second] = [render(fresh, POST, facts), render(other, POST, facts)];
  assert.equal(first.step, second.step);
  assert.equal(first.text, second.text);
  assert.equal(first.text?.('a', 0).text, textOf(first.step, POST, 'a', 0));
  assert.equal(second.text?.('b', 5).text, textOf(first.step, POST, 'b', 5));
});

test('no two different steps share an entry: all that they show is compared', () => {
  const { facts, render } = setUp();
  const result = { answersPayload: false, amenityOffers: [] };
  const states: readonly Session[] = [
    fresh,
    { ...fresh, source: null },
    { ...fresh, source: 'other' },
    { ...fresh, onlyPlace: 'lisbon-pt' },
    { ...fresh, payload: { brand_locked: true } },
    { ...fresh, payload: { brand_locked: false } },
    { ...fresh, payload: { guests: '1' } },
    { ...fresh, amenities: ['pool'] },
    { ...fresh, amenities: ['wifi', 'pool'] },
    { ...fresh, amenities: ['wifi,pool'] },
    { ...fresh, result },
    { ...fresh, result, amenities: ['pool'] },
  ];
  const forms: readonly AnswerForm[] = [POST, GET, { method: 'POST', view: 'compact' }];
  // Twice, so that each is also read after all the others were stored.
  for (const round of [1, 2]) {
    for (const form of forms) {
      for (const session of states) {
        const { step, text } = render(session, form, facts);
        assert.deepEqual(step, currentStep(session, facts), `round ${round}`);
        assert.equal(text?.('a', 3).text, isDeadEnd(step) ? undefined : textOf(step, form, 'a', 3));
      }
    }
  }
});

test('a step is the same for sessions that differ in what it does not show', () => {
  const { facts, render } = setUp();
  const { step } = render({ ...fresh, payload: { brand_locked: true } }, POST, facts);
  const other = { ...fresh, id: 'other', assistant: 'other', revision: 9, payload: { brand_locked: true } };
  assert.equal(render(other, POST, facts).step, step);
});

test('a step is what the index says now, not what it said before', () => {
  const { index, facts, render, put } = setUp();
  const session = { ...fresh, payload: { brand_locked: false } };
  assert.deepEqual(render(session, POST, facts).step.allowed.guests?.length, 6);
  index.remove('other:large');
  assert.deepEqual(render(session, POST, facts).step.allowed.guests?.length, 2);
  put('other', 'larger', 8);
  assert.deepEqual(render(session, POST, facts).step.allowed.guests?.length, 8);
});

test('days that have passed are not offered any more', () => {
  const { facts, render } = setUp();
  const session = { ...fresh, payload: { brand_locked: true, check_in_month: '2027-03' } };
  const daysAt = (instant: number) =>
    render(session, POST, { ...facts, now: instant }).step.allowed.check_in_day?.[0];
  assert.equal(daysAt(now), '2027-03-01');
  assert.equal(daysAt(now + 86_400_000), '2027-03-02');
});

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
