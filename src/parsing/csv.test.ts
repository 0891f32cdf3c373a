import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CsvFailure, type CsvRecord, createCsvParser, createCsvTable } from './csv.ts';

function recordsOf(text: string, sizes: readonly number[] = [text.length || 1]): CsvRecord[] {
  const parser = createCsvParser();
  const records: CsvRecord[] = [];
  for (let from = 0, turn = 0; from < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    records.push(...parser.push(text.slice(from, from + size)));
    from += size;
  }
  return [...records, ...parser.end()];
}

/** Sign by sign, with everything in memory. */
function plainRecords(text: string): CsvRecord[] | 'unclosed' {
  const records: CsvRecord[] = [];
  let [line, start, cells, cell] = [1, 1, [] as string[], ''];
  let state: 'start' | 'bare' | 'quoted' | 'closed' = 'start';
  let [isBroken, wasQuoted] = [false, false];
  const endCell = () => {
    cells.push(cell);
    [cell, state] = ['', 'start'];
  };
  const endRecord = () => {
    if (cell.endsWith('\r') && state !== 'closed') cell = cell.slice(0, -1);
    endCell();
    if (cells.length > 1 || cells[0] !== '' || wasQuoted) records.push({ line: start, cells, isBroken });
    [cells, isBroken, wasQuoted] = [[], false, false];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (state === 'quoted') {
      if (sign === '\n') line += 1;
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else state = 'closed';
    } else if (sign === ',') endCell();
    else if (sign === '\n') {
      endRecord();
      line += 1;
      start = line;
    } else if (state === 'closed') {
      const endsLine = sign === '\r' && (text[at + 1] === '\n' || at + 1 === text.length);
      if (!endsLine) isBroken = true;
    } else if (state === 'start' && sign === '"') [state, wasQuoted] = ['quoted', true];
    else [cell, state] = [cell + sign, 'bare'];
  }
  if (state === 'quoted') return 'unclosed';
  if (cell !== '' || cells.length > 0 || state === 'closed') endRecord();
  return records;
}

describe('records of a CSV file', () => {
  it('are the same in whatever pieces they come, and what the plain reader finds', () => {
    const signs = fc.array(
      fc.constantFrom('a', 'b', ',', ',', '"', '"', '""', '\n', '\r\n', '\r', '漢', '🏡'),
    );
    let closed = 0;
    fc.assert(
      fc.property(signs, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (parts, sizes) => {
        const text = parts.join('');
        const expected = plainRecords(text);
        if (expected === 'unclosed') {
          assert.throws(() => recordsOf(text, sizes), CsvFailure);
          return;
        }
        closed += 1;
        const withoutBroken = (records: readonly CsvRecord[]) =>
          records.map((record) => (record.isBroken ? { ...record, cells: [] } : record));
        assert.deepEqual(withoutBroken(recordsOf(text, sizes)), withoutBroken(expected));
      }),
    );
    assert.ok(closed > 10);
  });

  it('begin at the line that an editor shows', () => {
    assert.deepEqual(
      recordsOf('id,name\n1,"two\nlines"\n\n2,"three\r\n\r\nlines"\n3,x').map(({ line }) => line),
      [1, 2, 5, 8],
    );
  });

  it('are not read on without end behind a quote that is never closed', () => {
    const parser = createCsvParser();
    parser.push('id,name\n1,fine\n2,"open');
    assert.throws(() => {
      for (let piece = 0; piece < 100; piece += 1) parser.push('x'.repeat(64 * 1024));
    }, /the record at line 3 is longer than 1048576 characters/);
    assert.throws(() => recordsOf('id\n"a'), /the quote in line 2 is not closed/);
  });
});

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
