import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Cell, Report, ReportTable } from '../analytics/reports/report.ts';
import { reportText } from './report-text.ts';
import { displayWidth } from './terminal.ts';

const plain = { styled: (_: string, text: string) => text };

function reportWith(...sections: readonly ReportTable[]): Report {
  return { id: 'demand', title: 'Demand', about: 'What was asked for.', tiles: [], sections };
}

const table = (columns: readonly string[], rows: readonly (readonly Cell[])[]): ReportTable => ({
  id: 'table',
  title: 'A table',
  columns: columns.map((label, at) => ({ id: `c${at}`, label, unit: at === 0 ? 'text' : 'number' })),
  rows,
  whenEmpty: 'Nothing was found, and this says why.',
});

const linesOf = (section: ReportTable) => reportText(reportWith(section), plain, true).split('\n').slice(4);

describe('a report in the terminal', () => {
  it('has figures in columns, with a bar where a chart is meant', () => {
    const section: ReportTable = {
      ...table(
        ['Place', 'Wishes', 'Found'],
        [
          ['Lisbon', 1200, 3],
          ['Faro', 600, 0],
          ['Évora', 1, 0],
          ['Porto', 0, 0],
        ],
      ),
      chart: { kind: 'bars', columns: ['c1'] },
    };
    assert.deepEqual(linesOf(section), [
      'A table',
      '  Place   Wishes  Found',
      `  Lisbon   1,200      3  ${'█'.repeat(24)}`,
      `  Faro       600      0  ${'█'.repeat(12)}`,
      '  Évora        1      0  █',
      '  Porto        0      0',
    ]);
  });

  it('breaks heads before it gives up columns, and then puts what a row says below its name', () => {
    const heads = Array.from({ length: 9 }, (_, at) => `Number of column ${at}`);
    const row = ['Lisbon', ...heads.map((_, at) => at)];
    assert.deepEqual(linesOf(table(['Place', ...heads], [row])).slice(1, 5), [
      `          ${heads.map(() => 'Number').join('  ')}`,
      `          ${heads.map(() => '    of').join('  ')}`,
      `          ${heads.map(() => 'column').join('  ')}`,
      `  Place   ${heads.map((_, at) => `     ${at}`).join('  ')}`,
    ]);
    const many = Array.from({ length: 12 }, (_, at) => `Column ${at}`);
    assert.deepEqual(linesOf(table(['Place', ...many], [['Lisbon', 5, ...many.slice(1).map(() => null)]])), [
      'A table',
      '  Lisbon',
      '    Column 0: 5',
    ]);
  });

  it('leaves out what is nothing in a map of many months', () => {
    const months = Array.from({ length: 20 }, (_, at) => `Month ${at}`);
    const row = ['Lisbon', ...months.map((_, at) => (at % 10 === 0 ? at + 1 : 0))];
    const section: ReportTable = { ...table(['Place', ...months], [row]), chart: { kind: 'heat' } };
    assert.deepEqual(linesOf(section).slice(1), ['  Lisbon', '    Month 0: 1 · Month 10: 11']);
  });

  it('shows the end of a time and the beginning of a list, and says what it leaves out', () => {
    const rows = Array.from({ length: 40 }, (_, at): Cell[] => [`row ${at}`, at]);
    const list = linesOf(table(['Row', 'Number'], rows)).join('\n');
    assert.match(list, /row 0 [\s\S]*row 30 .*\n {2}… and 9 more: --csv --table table lists them all$/);
    const time = linesOf({
      ...table(['Row', 'Number'], rows),
      chart: { kind: 'series', columns: ['c1'] },
    }).join('\n');
    assert.match(time, /row 9 [\s\S]*row 39 /);
    assert.doesNotMatch(time, /row 8 /);
  });

  it('says why a table is empty, unless nothing at all was counted', () => {
    const report = reportWith(table(['Place', 'Wishes'], []));
    assert.match(reportText(report, plain, true), /A table\n {2}Nothing was found, and this says why\.$/);
    assert.doesNotMatch(reportText(report, plain, false), /A table/);
  });

  it('is never wider than 80 columns, whatever is in it', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'ab é京🏠-'), maxLength: 120 }),
      fc.constantFrom('Lisbon', '', 'a'.repeat(90)),
    );
    const cell = fc.oneof(text, fc.integer({ min: 0, max: 10 ** 9 }), fc.constant(null));
    const section = fc
      .tuple(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom('bars', 'heat', null),
      )
      .chain(([columns, rows, kind]) =>
        fc.record({
          labels: fc.array(fc.constantFrom('Place', 'Share not found', 'May 2027'), {
            minLength: columns,
            maxLength: columns,
          }),
          rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
            minLength: rows,
            maxLength: rows,
          }),
          kind: fc.constant(kind),
        }),
      );
    fc.assert(
      fc.property(section, ({ labels, rows, kind }) => {
        const chart =
          kind === 'bars'
            ? ({ kind, columns: ['c0'] } as const)
            : kind === 'heat'
              ? ({ kind } as const)
              : undefined;
        const lines = linesOf({ ...table(labels, rows), ...(chart ? { chart } : {}) });
        for (const line of lines) assert.ok(displayWidth(line) <= 80, `too wide: ${line}`);
      }),
    );
  });
});
