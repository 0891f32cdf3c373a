import { createReports } from './create-reports.ts';
import type { Report } from './report.ts';
import { REPORT_IDS } from './reports.ts';

/** What every figure means, in the reports' own words, as a part of a page. */
export async function figuresSection(): Promise<string> {
  const make = createReports({
    activity: { read: async () => [], span: async () => null },
    outcomes: { read: async () => [] },
    network: { brands: new Map(), places: new Map() },
    health: async () => [],
    assistants: () => [],
    sessionMinutes: 30,
    clock: { now: () => 0 },
  });
  const range = { from: '1970-01-01', to: '1970-01-01' };
  const parts: string[] = [];
  for (const id of REPORT_IDS) {
    const whole = await make(id, { ...range, brand: null });
    parts.push(described(whole, await make(id, { ...range, brand: 'a brand' })));
  }
  return parts.join('\n\n');
}

function described(whole: Report, part: Report): string {
  const figures = [...whole.tiles, ...added(whole.tiles, part.tiles)];
  const tables = [...whole.sections, ...added(whole.sections, part.sections)];
  return [
    `### ${whole.id}`,
    '',
    whole.about,
    '',
    '| figure | | what it means |',
    '|---|---|---|',
    ...figures.map(({ id, label, note = '' }) => `| \`${id}\` | ${label} | ${note} |`),
    '',
    '| table | | what it holds | columns |',
    '|---|---|---|---|',
    ...tables.map(({ id, title, note = '', columns }) => {
      const heads = columns.map((column) => `\`${column.id}\``).join(', ');
      return `| \`${id}\` | ${title} | ${note} | ${heads} |`;
    }),
  ].join('\n');
}

/** What there is only in the part of a brand. */
function added<Entry extends { readonly id: string }>(
  whole: readonly Entry[],
  part: readonly Entry[],
): readonly Entry[] {
  return part.filter(({ id }) => !whole.some((one) => one.id === id));
}
