import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Day,
  firstDayOf,
  formatDay,
  type Month,
  monthOf,
  parseDay,
  parseMonth,
} from '../../stay/day.ts';

import type { TextStyle } from '../terminal.ts';
import {
  afterKey,
  type DayPicker,
  openPicker,
  type PickerKey,
  pickerLines,
  withOfferedDays,
} from './day-prompt.ts';

const day = (text: string): Day => parseDay(text) ?? assert.fail(text);
const month = (text: string): Month => parseMonth(text) ?? assert.fail(text);
const KEYS: readonly PickerKey[] = ['left', 'right', 'up', 'down', 'pageup', 'pagedown', 'home', 'end'];

/** May with two weeks and a gap, and July with one day; June has nothing. */
function spring(target = '2027-05-03'): DayPicker {
  const may = ['03', '04', '05', '10', '12', '24', '31'].map((date) => day(`2027-05-${date}`));
  const picker = openPicker({
    months: [month('2027-05'), month('2027-07')],
    target: day(target),
    today: day('2027-05-01'),
    arrival: null,
  });
  return withOfferedDays(withOfferedDays(picker, month('2027-05'), may.toReversed()), month('2027-07'), [
    day('2027-07-20'),
  ]);
}

const press = (picker: DayPicker, ...keys: readonly PickerKey[]) => keys.reduce(afterKey, picker);
const at = ({ day: found }: DayPicker) => (found === null ? null : formatDay(found));

describe('choosing a day', () => {
  it('begins on the offered day that is nearest to the wanted one', () => {
    assert.equal(at(spring()), '2027-05-03');
    assert.equal(at(spring('2027-05-17')), '2027-05-12');
    assert.equal(at(spring('2027-05-18')), '2027-05-12', 'the earlier of two');
    assert.equal(at(spring('2027-05-19')), '2027-05-24');
    assert.equal(at(spring('2027-06-02')), '2027-07-20', 'a month without days is passed over');
    assert.equal(at(spring('2029-01-01')), '2027-07-20');
    assert.equal(at(spring('2026-01-01')), '2027-05-03');
  });

  it('walks over offered days alone, also into the next month and back', () => {
    assert.equal(at(press(spring(), 'right')), '2027-05-04');
    assert.equal(at(press(spring(), 'right', 'right', 'right')), '2027-05-10');
    assert.equal(at(press(spring(), 'end', 'right')), '2027-07-20');
    assert.equal(at(press(spring(), 'end', 'right', 'left')), '2027-05-31');
    assert.equal(at(press(spring(), 'left')), '2027-05-03', 'there is nothing before');
    assert.equal(at(press(spring(), 'end', 'right', 'right')), '2027-07-20', 'there is nothing after');
  });

  it('goes by weeks, and further where the day of the week is not on offer', () => {
    assert.equal(at(press(spring(), 'down')), '2027-05-10');
    assert.equal(at(press(spring(), 'down', 'down')), '2027-05-24');
    assert.equal(at(press(spring(), 'down', 'down', 'up')), '2027-05-12');
    assert.equal(at(press(spring('2027-05-05'), 'up')), '2027-05-03');
    assert.equal(at(press(spring('2027-05-31'), 'down')), '2027-07-20');
  });

  it('turns pages by month, near the same date', () => {
    assert.equal(at(press(spring(), 'pagedown')), '2027-07-20');
    assert.equal(at(press(spring('2027-05-31'), 'pagedown', 'pageup')), '2027-05-24');
    assert.deepEqual(press(spring(), 'pageup'), spring());
    assert.equal(at(press(spring(), 'end')), '2027-05-31');
    assert.equal(at(press(spring('2027-05-24'), 'home')), '2027-05-03');
  });

  it('waits in a month that is being read, and can leave it', () => {
    const unsearchable = { ...spring(), offered: new Map([[month('2027-05'), [day('2027-05-03')]]]) };
    const waiting = press(unsearchable, 'right');
    assert.deepEqual([waiting.month, waiting.day], [month('2027-07'), null]);
    for (const key of ['left', 'right', 'up', 'down', 'home', 'end'] as const) {
      assert.equal(press(waiting, key).month, month('2027-07'), key);
      assert.equal(at(press(waiting, key)), null, key);
    }
    assert.equal(at(press(waiting, 'pageup')), '2027-05-03');
    const july = ['2027-07-09', '2027-07-20'].map(day);
    assert.equal(at(withOfferedDays(waiting, month('2027-07'), july)), '2027-07-09');
    assert.equal(at(withOfferedDays(press(waiting, 'pageup'), month('2027-07'), july)), '2027-05-03');
    assert.equal(at(withOfferedDays(waiting, month('2027-07'), [])), null);
  });

  it('refuses to open where no month is on offer', () => {
    assert.throws(() => openPicker({ months: [], target: 0, today: 0, arrival: null }), RangeError);
  });

  it('only ever stands on an offered day of the month that is shown, whatever is pressed; right alone reaches them all', () => {
    const first = day('2027-01-01');
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: first, max: first + 400 }), { minLength: 1, maxLength: 60 }),
        fc.array(fc.constantFrom(...KEYS), { maxLength: 40 }),
        fc.integer({ min: first - 50, max: first + 450 }),
        (days, keys, target) => {
          const sorted = days.toSorted((one, other) => one - other);
          const months = [...new Set(sorted.map(monthOf))];
          const opened = openPicker({ months, target, today: first, arrival: null });
          const read = months.reduce(
            (picker, one) =>
              withOfferedDays(
                picker,
                one,
                sorted.filter((each) => monthOf(each) === one),
              ),
            opened,
          );
          const reached = press(read, ...keys);
          assert.ok(reached.day !== null && days.includes(reached.day));
          assert.equal(monthOf(reached.day), reached.month);
          let walking = press({ ...read, month: months[0] ?? 0, target: first, day: sorted[0] ?? 0 }, 'home');
          for (const expected of sorted) {
            assert.equal(walking.day, expected);
            walking = press(walking, 'right');
          }
          assert.ok(firstDayOf(reached.month) <= reached.day);
        },
      ),
    );
  });
});

const plain = { styled: (_: TextStyle, text: string) => text };
const named = { styled: (style: TextStyle, text: string) => `{${style} ${text}}` };

function may({ arrival = null, target = '2027-05-08' }: { arrival?: string | null; target?: string } = {}) {
  const picker = openPicker({
    months: [month('2027-05'), month('2027-06')],
    target: day(target),
    today: day('2027-05-05'),
    arrival: arrival === null ? null : day(arrival),
  });
  const dates = ['05', '06', '08', '09', '10', '11', '12', '22', '31'];
  return withOfferedDays(
    picker,
    month('2027-05'),
    dates.map((date) => day(`2027-05-${date}`)),
  );
}

describe('the month on the screen', () => {
  it('shows what is on offer, today and what is chosen, also without colours', () => {
    assert.deepEqual(pickerLines(may(), plain), [
      '          May 2027         ›',
      ' Mo  Tu  We  Th  Fr  Sa  Su',
      '                      ·   ·',
      '  ·   ·   5*  6   · [ 8]  9',
      ' 10  11  12   ·   ·   ·   ·',
      '  ·   ·   ·   ·   ·  22   ·',
      '  ·   ·   ·   ·   ·   ·   ·',
      ' 31',
      '',
      'Sat 8 May 2027',
      'arrows day · PgUp/PgDn month · Enter choose · Ctrl-C quit',
    ]);
  });

  it('shows the nights from the arrival on, and counts them', () => {
    const lines = pickerLines(may({ arrival: '2027-05-08', target: '2027-05-11' }), plain);
    assert.deepEqual(lines.slice(3, 5), ['  ·   ·   5*  6   · ( 8── 9─', '─10─[11] 12   ·   ·   ·   ·']);
    assert.equal(lines.at(-2), 'Tue 11 May 2027 · 3 nights');
    const single = pickerLines(may({ arrival: '2027-05-08', target: '2027-05-09' }), plain);
    assert.equal(single.at(-2), 'Sun 9 May 2027 · 1 night');
  });

  it('dims what is not on offer, and keeps its number, where there are colours', () => {
    const [, , firstWeek = '', secondWeek = ''] = pickerLines(may(), named);
    assert.match(firstWeek, /\{faint {2}1\}.*\{faint {2}2\}/);
    assert.match(secondWeek, /\{faint {2}3\}.* 5\*.*\{faint {2}7\} \{strong \[ 8\]\} {2}9/);
  });

  it('says that the days of another month are being read, or that it has none', () => {
    const unsearchable = afterKey(may(), 'pagedown');
    assert.deepEqual(
      [pickerLines(unsearchable, plain).at(0), pickerLines(unsearchable, plain).at(-2)],
      ['‹        June 2027', 'Reading the days …'],
    );
    const none = withOfferedDays(unsearchable, month('2027-06'), []);
    assert.equal(pickerLines(none, plain).at(-2), 'No day of this month is on offer.');
  });

  it('marks today when it is chosen', () => {
    assert.equal(pickerLines(may({ target: '2027-05-01' }), plain).at(-2), 'Wed 5 May 2027 · today');
  });

  it('has no line that is wider than sixty columns', () => {
    for (const line of pickerLines(may({ arrival: '2027-05-05', target: '2027-05-31' }), plain)) {
      assert.ok(line.length <= 60, line);
    }
  });
});
