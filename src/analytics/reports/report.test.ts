import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDay } from '../../stay/day.ts';
import { hourOf, startOfHour } from '../count.ts';
import { hoursOf, periodsOf } from './report.ts';

const now = Date.UTC(2026, 10, 17, 11, 20);
const time = { now, sessionMinutes: 30 };

describe('the periods of a range', () => {
  it('are hours for a day, and none in the future', () => {
    const today = { from: '2026-11-17', to: '2026-11-17' };
    const { column, segments } = periodsOf(today, { from: 0, to: hourOf(now) }, time);
    assert.equal(column.unit, 'instant');
    assert.deepEqual(
      segments.map(({ period, isOver }) => [new Date(period).getUTCHours(), isOver]),
      Array.from({ length: 12 }, (_, hour) => [hour, hour < 10]),
    );
  });

  it('tell a session that can go on from one that cannot', () => {
    const today = { from: '2026-11-17', to: '2026-11-17' };
    const isOverAt = (minute: number) =>
      periodsOf(
        today,
        { from: 0, to: 0 },
        { ...time, now: Date.UTC(2026, 10, 17, 11, minute) },
      ).segments.find(({ period }) => period === Date.UTC(2026, 10, 17, 10))?.isOver;
    assert.equal(isOverAt(29), false);
    assert.equal(isOverAt(30), true);
  });

  it('are none where nothing was counted, or all is to come', () => {
    assert.deepEqual(periodsOf({ from: '2026-11-17', to: '2026-11-17' }, null, time).segments, []);
    assert.deepEqual(
      periodsOf({ from: '2026-11-18', to: '2026-11-19' }, { from: 0, to: hourOf(now) }, time).segments,
      [],
    );
  });

  it('hold every hour once that can have a count, in order, whatever the range', () => {
    const today = Math.floor(hourOf(now) / 24);
    fc.assert(
      fc.property(
        fc.integer({ min: -500, max: 3 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: -600 * 24, max: 0 }),
        fc.integer({ min: 0, max: 600 * 24 }),
        fc.integer({ min: 1, max: 1440 }),
        (first, days, since, counted, sessionMinutes) => {
          const range = { from: formatDay(today + first), to: formatDay(today + first + days) };
          const span = { from: hourOf(now) + since, to: hourOf(now) + Math.min(since + counted, 5) };
          const { segments } = periodsOf(range, span, { now, sessionMinutes });
          const { from, to } = hoursOf(range);
          const hours = segments.flatMap(({ from: one, to: other }) =>
            Array.from({ length: other - one + 1 }, (_, at) => one + at),
          );
          const expected = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter(
            (hour) => hour >= span.from && hour <= Math.max(hourOf(now), span.to),
          );
          assert.deepEqual(hours.slice(hours.length - expected.length), expected);
          for (const segment of segments) {
            for (const hour of [segment.from, segment.to]) {
              const hasEnded = startOfHour(hour + 1) + sessionMinutes * 60_000 <= now;
              assert.equal(segment.isOver, hasEnded);
            }
          }
        },
      ),
    );
  });
});
