import type { Figure } from './figure.ts';

const HEADS = ['what', 'figure', 'p99', 'baseline', 'ratio', 'goal', ''] as const;
/** Text is read from the left, numbers from the right. */
const IS_TEXT = [true, false, false, false, false, false, true];

function cellsOf({ what, figure, p99, baseline, ratio, goal, isMet }: Figure): readonly string[] {
  const verdict = isMet === null ? '' : isMet ? 'met' : 'MISSED';
  return [what, figure, p99 ?? '', baseline ?? '', ratio ?? '', goal ?? '', verdict];
}

/** For a terminal. */
export function plainTable(figures: readonly Figure[]): string {
  const rows = [HEADS, ...figures.map(cellsOf)];
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          IS_TEXT[column] ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function markdownTable(figures: readonly Figure[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const rule = `|${IS_TEXT.map((isText) => (isText ? '---' : '---:')).join('|')}|`;
  return [line(HEADS), rule, ...figures.map((one) => line(emphasised(cellsOf(one))))].join('\n');
}

function emphasised(cells: readonly string[]): readonly string[] {
  return cells.map((cell, column) => (HEADS[column] === 'ratio' && cell !== '' ? `**${cell}**` : cell));
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
