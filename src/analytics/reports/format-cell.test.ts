import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatCell, formatRow, plainCell, tableCsv } from './format-cell.ts';
import type { Cell, Unit } from './report.ts';

describe('a cell for people', () => {
  const cases: readonly (readonly [Cell, Unit, string])[] = [
    [null, 'number', '–'],
    [null, 'text', '–'],
    [Number.NaN, 'number', '–'],
    ['Lisbon', 'text', 'Lisbon'],
    [3, 'text', '3'],
    [0, 'number', '0'],
    [12_345, 'number', '12,345'],
    [1.25, 'number', '1.3'],
    [0.1234, 'share', '12.3%'],
    [0, 'share', '0%'],
    [1, 'share', '100%'],
    [12, 'permille', '+1.2%'],
    [-12.4, 'permille', '-1.2%'],
    [0, 'permille', '0%'],
    [-0.01, 'permille', '0%'],
    [0.01, 'permille', '0%'],
    [0.5, 'permille', '+0.1%'],
    [1234, 'amount', '1,234'],
    [1234.5, 'amount', '1,234.50'],
    [0.125, 'amount', '0.125'],
    [0, 'milliseconds', '0 ms'],
    [249.6, 'milliseconds', '250 ms'],
    [1250, 'milliseconds', '1.3 s'],
    [61_000, 'milliseconds', '1 min 1 s'],
    [119_900, 'milliseconds', '2 min'],
    [3_600_000, 'milliseconds', '1 h'],
    [3_660_000, 'milliseconds', '1 h 1 min'],
    [172_800_000, 'milliseconds', '2 days'],
    [0, 'age', 'under 1 s'],
    [678, 'age', 'under 1 s'],
    [1678, 'age', '1 s'],
    [59_999, 'age', '59 s'],
    [7_260_000, 'age', '2 h 1 min'],
    [Date.UTC(2026, 10, 17, 9, 5), 'instant', '2026-11-17 09:05'],
    [Date.UTC(2026, 10, 17), 'day', '2026-11-17'],
    ['2027-05', 'month', 'May 2027'],
    ['2027-13', 'month', '2027-13'],
    ['', 'month', ''],
    [{ id: 'other_months', text: 'other months' }, 'month', 'other months'],
    [{ id: 'lisbon-pt', text: 'Lisbon' }, 'named', 'Lisbon'],
    [{ id: 1000, text: 'up to 1 s' }, 'milliseconds', 'up to 1 s'],
  ];
  it('is written with its unit', () => {
    for (const [value, unit, text] of cases) {
      assert.equal(formatCell(value, unit), text, `${JSON.stringify(value)} as ${unit} is ${text}`);
    }
  });
});

describe('a row for people', () => {
  it('has amounts with the decimals of its currency, zero and whole ones too', () => {
    const columns = [
      { id: 'currency', label: 'Currency', unit: 'text' },
      { id: 'amount', label: 'Amount', unit: 'amount' },
      { id: 'cancelled', label: 'Cancelled', unit: 'amount' },
      { id: 'bookings', label: 'Bookings', unit: 'number' },
    ] as const;
    for (const [row, texts] of [
      [
        ['EUR', 6234.06, 0, 3],
        ['EUR', '6,234.06', '0.00', '3'],
      ],
      [
        ['EUR', 1368, null, 3],
        ['EUR', '1,368.00', '–', '3'],
      ],
      [
        ['JPY', 41_000, 0, 3],
        ['JPY', '41,000', '0', '3'],
      ],
      [
        ['KWD', 1.5, 0, 3],
        ['KWD', '1.500', '0.000', '3'],
      ],
      [
        ['?', 1.5, 0, 3],
        ['?', '1.50', '0.00', '3'],
      ],
    ] as const)
      assert.deepEqual(formatRow(columns, row), texts);
  });
});

const column = (id: string, unit: Unit) => ({ id, label: `The ${id}`, unit });

describe('a table as CSV', () => {
  it('has a header and a line for each row, with plain numbers', () => {
    const units = ['text', 'number', 'share', 'permille', 'instant', 'day', 'milliseconds'] as const;
    assert.equal(
      tableCsv({
        columns: units.map((unit) => column(unit, unit)),
        rows: [
          ['a, "b"', 12_345, 0.5, -12.25, Date.UTC(2026, 10, 17, 9), Date.UTC(2026, 10, 17), 634],
          [null, null, null, null, null, null, null],
        ],
      }),
      [
        'The text,The number,The share,The permille (thousandths),The instant,The day,The milliseconds (ms)',
        '"a, ""b""",12345,0.5,-12.25,2026-11-17T09:00:00.000Z,2026-11-17,634',
        ',,,,,,',
        '',
      ].join('\r\n'),
    );
    assert.equal(tableCsv({ columns: [column('place', 'text')], rows: [] }), 'The place\r\n');
  });

  it('has the words of the page, where programs go by an identifier', () => {
    const silent = { id: 'operators_silent', text: 'operators did not answer' };
    const formula = { id: 'x', text: '=1+1' };
    assert.equal(
      tableCsv({ columns: [column('reason', 'named')], rows: [[silent], [formula], [null]] }),
      "The reason\r\noperators did not answer\r\n'=1+1\r\n\r\n",
    );
    assert.deepEqual(
      [silent, { id: null, text: 'none' }, { id: 1000, text: 'up to 1 s' }, null].map((cell) =>
        plainCell(cell, 'named'),
      ),
      ['operators_silent', null, 1000, null],
    );
  });

  it('writes no number with an exponent', () => {
    const write = (value: number) => tableCsv({ columns: [column('n', 'number')], rows: [[value]] });
    assert.equal(write(1e21), 'The n\r\n1000000000000000000000\r\n');
    assert.equal(write(-1e-7), 'The n\r\n-0.0000001\r\n');
    assert.equal(write(Number.NaN), 'The n\r\n\r\n');
  });

  it('holds no formula, whatever was counted', () => {
    const text = fc.string({ unit: fc.constantFrom(...'",;|\t\r\n\'=+-@a ') });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const csv = tableCsv({
          columns: [column('a', 'text'), column('b', 'text')],
          rows: [[one, other]],
        });
        for (const separator of [';', '|', '\t', ',']) {
          for (const cell of csv.split(/[\r\n]/).flatMap((line) => line.split(separator))) {
            assert.doesNotMatch(cell.replace(/^[\s"]+/, ''), /^[=+\-@]/);
          }
        }
      }),
    );
  });
});
