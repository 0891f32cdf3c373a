import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { parseMonth } from '../../stay/month.ts';
import type { TextStyle } from '../terminal.ts';
import { afterKey, openPicker, withOfferedDays } from './day-picker.ts';
import { pickerLines } from './day-picker-lines.ts';

const day = (text: string) => parseDay(text) ?? assert.fail(text);
const month = (text: string) => parseMonth(text) ?? assert.fail(text);
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
