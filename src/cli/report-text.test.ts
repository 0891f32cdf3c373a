import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cell, Report, ReportTable } from '../analytics/reports/report.ts';
import { reportText } from './report-text.ts';

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
  it('has figures in columns', () => {
    const rows = [
      ['Lisbon', 1200, 3],
      ['Évora', 1, 0],
    ];
    assert.deepEqual(linesOf(table(['Place', 'Wishes', 'Found'], rows)), [
      'A table',
      '  Place   Wishes  Found',
      '  Lisbon   1,200      3',
      '  Évora        1      0',
    ]);
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

  it('puts what a row says below its first cell where the columns are too many', () => {
    const columns = ['Place', ...Array.from({ length: 12 }, (_, at) => `Column ${at}`)];
    const lines = linesOf(table(columns, [['Lisbon', ...columns.slice(1).map((_, at) => at)]]));
    assert.deepEqual(lines.slice(0, 2), ['A table', '  Lisbon']);
    for (const line of lines) assert.ok(line.length <= 80, `too wide: ${line}`);
    assert.match(lines.slice(2).join(' '), /Column 0: 0 · Column 1: 1 · .*Column 11: 11$/);
  });
});
