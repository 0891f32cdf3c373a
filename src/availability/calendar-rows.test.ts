import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { createArena } from './arena.ts';
import { createStayRules } from './calendar-rows.ts';
import { instantiateKernel } from './kernel/kernel.ts';

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
});
