import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Step } from '../search/step.ts';
import type { AnswerAbout } from '../search/written-answers.ts';
import { createLinks } from './links.ts';
import { stepAnswer } from './step-answer.ts';
import { createStepText } from './step-text.ts';

const links = createLinks('https://stay.example');
const months: Step = {
  received: { source: 'acme', destination: 'lisbon-pt' },
  missing: ['check_in_month', 'guests'],
  allowed: { check_in_month: ['2027-03', '2027-04'], guests: ['1', '2', '3'] },
  truncated: null,
  order: ['destination', 'check_in_month', 'guests'],
  dependsOn: {},
  next: 'check_in_month',
};
const amenities: Step = {
  ...months,
  received: { destination: 'lisbon-pt', amenities: ['wifi'] },
  missing: ['amenities'],
  allowed: { amenities: [{ value: 'pool', match_count: 1, of: 2 }] },
  next: 'amenities',
};

describe('the text of a step', () => {
  it('is the same as if it were written anew, whoever asks and however often', () => {
    const stepText = createStepText(links);
    for (const step of [months, amenities]) {
      for (const about of [
        asker('ses_a', 0, 'POST'),
        asker('ses_b', 1, 'POST'),
        asker('ses_c', 12, 'GET'),
        asker('ses_d', 123, 'GET'),
        asker('ses_a', 4, 'POST'),
      ]) {
        assert.equal(stepText(step, [], about), JSON.stringify(stepAnswer(step, [], { ...about, links })));
      }
    }
  });

  it('is another as soon as anything about the step is', () => {
    const stepText = createStepText(links);
    const others: Step[] = [
      { ...months, allowed: { ...months.allowed, guests: ['1', '2', '3', '4'] } },
      { ...months, allowed: { ...months.allowed, check_in_month: ['2027-03', '2027-05'] } },
      { ...months, allowed: { check_in_month: ['2027-03', '2027-04'] } },
      { ...months, truncated: { shown: 200, total: 201 } },
      { ...months, order: ['brand_locked', 'destination', 'check_in_month', 'guests'] },
      { ...months, next: 'guests' },
      { ...months, received: { destination: 'lisbon-pt' } },
    ];
    const about = asker('ses_a', 3, 'POST');
    for (const other of others) {
      for (const step of [months, months, months, other, other, other]) {
        assert.equal(stepText(step, [], about), JSON.stringify(stepAnswer(step, [], { ...about, links })));
      }
    }
  });

  it('names the cleared fields of the one whose they were, and of nobody else', () => {
    const stepText = createStepText(links);
    for (const cleared of [['guests'], [], ['check_out'], []] as const) {
      const about = asker('ses_a', 3, 'POST');
      const { cleared_fields } = JSON.parse(stepText(months, cleared, about));
      assert.deepEqual(cleared_fields ?? [], cleared);
    }
  });
});

function asker(token: string, revision: number, method: string): AnswerAbout {
  const session = {
    id: 'id',
    assistant: 'local',
    source: null,
    onlyPlace: null,
    apiVersion: '2026-11-01',
    openedAt: 0,
    expiresAt: 1,
    revision,
    payload: {},
    result: null,
  };
  return { token, method, session };
}
