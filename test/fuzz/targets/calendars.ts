import assert from 'node:assert/strict';
import { formatDay } from '../../../src/stay/day.ts';
import { TODAY } from '../../support/network.ts';
import type { FuzzTarget, Timed } from '../fuzz-target.ts';
import type { InputRandom } from '../input-random.ts';
import { mutatedJson } from '../mutate-json.ts';
import { ASKED, calendarsFrom, HORIZON } from '../readers.ts';
import { spelledJson } from '../spell-json.ts';

const day = (after: number) => formatDay(TODAY + after);
const VALID_ANSWER = {
  calendars: ASKED.map((property, index) => ({
    property,
    periods: [
      { from: day(-3), to: day(20), available: true, price: '50.00', minimum_stay: 1 + index },
      { from: day(20), to: day(30), available: false, closed_to_departure: true },
      {
        from: day(30),
        to: day(900),
        available: true,
        maximum_stay: 14,
        closed_to_arrival: true,
        price: '70',
      },
    ],
  })),
};

/** Calendars as operators publish them. */
export const calendars: FuzzTarget = {
  name: 'calendars',
  weight: 10,
  maxCpuMs: 25,
  inputsPerOpening: 100_000,
  open: async () => ({ run: readOne, close: async () => undefined }),
};

function readOne(random: InputRandom, timed: Timed): void {
  const answer = spelledJson(mutatedJson(VALID_ANSWER, random), random);
  const readings = timed(() => calendarsFrom(answer), answer.length);
  if (!readings) return;
  assert.deepEqual([...readings.keys()], ASKED);
  for (const reading of readings.values()) {
    if (reading.kind === 'invalid') {
      assert.ok(reading.faults.length > 0 && reading.faults.every(({ reason }) => reason.length < 200));
      for (const { value = '' } of reading.faults) assert.match(value, /^[^\p{C}]{0,80}$/u);
      continue;
    }
    const { firstDay, available, minimumStay, maximumStay, closedToArrival, closedToDeparture, price } =
      reading.value;
    assert.equal(firstDay, HORIZON.from);
    for (const column of [available, minimumStay, maximumStay, closedToArrival, closedToDeparture, price]) {
      assert.equal(column.length, HORIZON.nights);
    }
    assert.ok(minimumStay.every((nights) => nights >= 1));
    for (const flags of [available, closedToArrival, closedToDeparture])
      assert.ok(flags.every((flag) => flag <= 1));
  }
}
