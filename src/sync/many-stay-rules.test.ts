import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allFree,
  catalogueOf,
  never,
  setUpSynchroniser as setUp,
  TODAY,
} from '../../test/support/sample-synchroniser.ts';
import { createScriptedSystem } from '../../test/support/scripted-booking-system.ts';
import { MAX_HOMES_WITH_MANY_RULES } from './brand-offer.ts';

const RULES = 200;

test('homes with many stay rules are taken whole, and those beyond the limit of a brand are held back by name', async () => {
  const homes = Array.from({ length: MAX_HOMES_WITH_MANY_RULES + 1 }, (_, number) => String(number));
  let plain = new Set<string>();
  const system = createScriptedSystem('sol', {
    catalogue: async () => catalogueOf('sol', homes),
    calendars: async (asked, horizon) => {
      const free = allFree(asked, horizon);
      for (const [reference, reading] of free) {
        if (reading.kind === 'invalid' || plain.has(reference)) continue;
        for (let night = 0; night < RULES; night += 1) reading.value.maximumStay[night] = night + 1;
      }
      return free;
    },
  });
  const { clock, index, synchroniser } = setUp([system]);
  await synchroniser.refreshAll(never);
  const rejections = synchroniser.status()[0]?.rejections ?? [];
  assert.equal(rejections.length, 1);
  const [{ reference = '', rule, reason } = {}] = rejections;
  assert.equal(rule, 'too_many_stay_rules');
  // The nights after them have no limit.
  assert.match(reason ?? '', new RegExp(`^has ${RULES + 1} different rules of stays, and 1000 homes`));
  assert.deepEqual(
    homes.filter((home) => !index.isFree(`sol:${home}`, TODAY)),
    [reference],
  );

  // Another home with fewer rules makes room for it.
  plain = new Set(homes.filter((home) => home !== reference).slice(0, 1));
  for (let round = 0; round < 2; round += 1) {
    await clock.advance(1);
    await synchroniser.refreshAll(never);
  }
  assert.deepEqual(synchroniser.status()[0]?.rejections, []);
  assert.ok(index.isFree(`sol:${reference}`, TODAY));
});
