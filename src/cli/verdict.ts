import { table } from './table.ts';
import type { Terminal, TextStyle } from './terminal.ts';

/** What a check has found about one thing. */
export type BrandVerdict = {
  /** What was looked at: `credentials`, `calendar`, … */
  readonly check: string;
  readonly verdict: 'passed' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  /** What to do about it; null when there is nothing to do. */
  readonly advice: string | null;
  readonly milliseconds: number | null;
};

const MARKS = {
  passed: ['✔', 'good'],
  warning: ['!', 'warning'],
  failed: ['✖', 'bad'],
  skipped: ['-', 'faint'],
} as const satisfies Record<BrandVerdict['verdict'], readonly [string, TextStyle]>;

export function verdictMark(verdict: BrandVerdict['verdict'], { styled }: Pick<Terminal, 'styled'>): string {
  const [mark, style] = MARKS[verdict];
  return styled(style, mark);
}

export function verdictTable(verdicts: readonly BrandVerdict[], terminal: Pick<Terminal, 'styled'>): string {
  return table(
    verdicts.map(({ check, verdict, found, advice, milliseconds }) => {
      const time = milliseconds === null ? '' : `${Math.round(milliseconds)} ms`;
      return [verdictMark(verdict, terminal), check, time, advice === null ? found : `${found}\n→ ${advice}`];
    }),
  );
}

export function hasFailed(verdicts: readonly BrandVerdict[]): boolean {
  return verdicts.some(({ verdict }) => verdict === 'failed');
}
