import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CsvFailure, createCsvTable } from './csv.ts';

const tableOf = (required: readonly string[] = []) =>
  createCsvTable({ file: 'a.csv', required, faultOf: (reason) => `the row ${reason}` });

describe('a table in CSV', () => {
  it('finds cells by the names of their columns, in whatever pieces it comes', () => {
    const table = tableOf(['b', 'a']);
    const text = 'A, b ,c\r\n1," 2 ",3\n4,5,6';
    const rows = [...text].flatMap((sign) => table.push(sign));
    const all = [...rows, ...table.end()];
    assert.deepEqual(
      all.map(({ line, cell, fault }) => [line, cell('a'), cell('b'), cell('other'), fault]),
      [
        [2, '1', '2', '', null],
        [3, '4', '5', '', null],
      ],
    );
  });

  it('says of a row what is wrong with it, and reads on', () => {
    const table = tableOf();
    const rows = [...table.push('a,b\n1\n"1"x,2\n1,2\n'), ...table.end()];
    assert.deepEqual(
      rows.map(({ line, fault }) => [line, fault]),
      [
        [2, 'the row has 1 cells where the header has 2'],
        [3, 'the row has text behind the closing quote of a cell'],
        [4, null],
      ],
    );
  });

  it('is refused with the name of its file when it is none', () => {
    assert.throws(() => tableOf().end(), new CsvFailure('a.csv is empty'));
    assert.throws(() => tableOf(['x', 'y']).push('x\n'), new CsvFailure('a.csv:1: there is no column y'));
    const unclosed = tableOf();
    unclosed.push('a\n"1');
    assert.throws(() => unclosed.end(), /^CsvFailure: a\.csv: the quote in line 2 is not closed$/);
  });
});
