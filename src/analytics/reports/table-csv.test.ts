import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Unit } from './report.ts';
import { plainCell, tableCsv } from './table-csv.ts';

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
