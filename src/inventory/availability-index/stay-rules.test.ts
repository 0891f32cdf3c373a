import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyCalendar } from '../calendar.ts';
import { createArena } from './arena.ts';
import { instantiateKernel } from './kernel/kernel.ts';
import { createStayRules, MAX_RULES_OF_HOME, withFewRules } from './stay-rules.ts';

const arena = createArena();
const stayRulesOf = createStayRules(arena, instantiateKernel(arena.memory));

describe('the rules of a calendar', () => {
  it('have the most frequent stays as the usual ones, and the smaller of equally frequent ones', () => {
    const calendar = emptyCalendar(20_000, 6);
    calendar.minimumStay.set([3, 3, 2, 2, 0, 1]);
    calendar.maximumStay.set([0, 9, 9, 9, 0, 7]);
    const { usualMinimum, usualMaximum, rules, ruleOf, arePlain } = stayRulesOf(calendar);
    assert.deepEqual([usualMinimum, usualMaximum, arePlain], [1, 9, false]);
    assert.deepEqual(
      [...ruleOf].map((rule) => rules[rule]?.minimumStay),
      [3, 3, 2, 2, 1, 1],
    );
  });

  it('are plain when every night has the same stays and every day is open', () => {
    const calendar = emptyCalendar(20_000, 6);
    calendar.minimumStay.fill(4);
    assert.equal(stayRulesOf(calendar).arePlain, true);
    assert.equal(stayRulesOf(emptyCalendar(20_000, 0)).arePlain, true);
    for (const column of ['closedToArrival', 'closedToDeparture'] as const) {
      calendar[column][5] = 1;
      assert.equal(stayRulesOf(calendar).arePlain, false);
      calendar[column].fill(0);
    }
  });

  it('are left as they are while they are few', () => {
    const calendar = emptyCalendar(20_000, 540);
    for (let night = 0; night < 540; night++) calendar.minimumStay[night] = 1 + (night % MAX_RULES_OF_HOME);
    const rules = stayRulesOf(calendar);
    assert.equal(rules.rules.length, MAX_RULES_OF_HOME);
    assert.equal(withFewRules(calendar, rules), calendar);
  });

  it('close the nights with the rarer ones where they are many, and leave the calendar that was given', () => {
    const calendar = emptyCalendar(20_000, 540);
    for (let night = 0; night < 540; night++) calendar.minimumStay[night] = night < 300 ? 2 : night;
    const few = withFewRules(calendar, stayRulesOf(calendar));
    assert.equal(stayRulesOf(few).rules.length, MAX_RULES_OF_HOME);
    assert.deepEqual([...few.minimumStay.subarray(0, 300)], Array(300).fill(2));
    assert.equal(few.closedToArrival.subarray(0, 300).includes(1), false);
    const open = [...few.closedToArrival].filter((closed) => closed === 0).length;
    assert.equal(open, 300 + MAX_RULES_OF_HOME - 2, 'the most frequent rule, and as many others as fit');
    assert.equal(calendar.closedToArrival.includes(1), false);
  });
});
