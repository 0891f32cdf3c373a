import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyCalendar } from '../calendar.ts';
import { countRules, MAX_RULES_OF_HOME, withFewRules } from './few-rules.ts';

describe('the rules of a calendar', () => {
  it('are left as they are while they are few', () => {
    const calendar = emptyCalendar(20_000, 540);
    for (let night = 0; night < 540; night++) calendar.minimumStay[night] = 1 + (night % MAX_RULES_OF_HOME);
    assert.equal(countRules(calendar), MAX_RULES_OF_HOME);
    assert.equal(withFewRules(calendar), calendar);
  });

  it('close the nights with the rarer ones where they are many, and leave the calendar that was given', () => {
    const calendar = emptyCalendar(20_000, 540);
    for (let night = 0; night < 540; night++) calendar.minimumStay[night] = night < 300 ? 2 : night;
    const few = withFewRules(calendar);
    assert.equal(countRules(few), MAX_RULES_OF_HOME);
    assert.deepEqual([...few.minimumStay.subarray(0, 300)], Array(300).fill(2));
    assert.equal(few.closedToArrival.subarray(0, 300).includes(1), false);
    const open = [...few.closedToArrival].filter((closed) => closed === 0).length;
    assert.equal(open, 300 + MAX_RULES_OF_HOME - 2, 'the most frequent rule, and as many others as fit');
    assert.equal(calendar.closedToArrival.includes(1), false);
  });
});
