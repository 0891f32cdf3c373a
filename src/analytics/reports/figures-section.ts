import { NOTHING_MOST_COUNTED } from '../activity-store.ts';
import { createReports } from './create-reports.ts';
import { type Column, REPORT_IDS, type Report } from './report.ts';

/** The section of the documentation that explains every figure, in the reports' own words. */
export async function figuresSection(): Promise<string> {
  const make = createReports({
    activity: { read: async () => [], mostCounted: async () => NOTHING_MOST_COUNTED, span: async () => null },
    outcomes: { read: async () => [] },
    network: { brands: new Map(), places: new Map() },
    health: async () => [],
    assistants: () => [],
    sessionMinutes: 30,
    clock: { now: () => 0 },
  });
  const from = '1970-01-01';
  const parts: string[] = [];
  for (const id of REPORT_IDS) {
    const ofRanges: Report[] = [];
    for (const to of LAST_DAYS) ofRanges.push(await make(id, { from, to, brand: null }));
    parts.push(described(ofRanges, await make(id, { from, to: from, brand: 'a brand' })));
  }
  return parts.join('\n\n');
}

/** A day, some days and some months, because the columns of a table over time depend on the length. */
const LAST_DAYS = ['1970-01-01', '1970-01-07', '1970-12-31'];

function described(ofRanges: readonly Report[], part: Report): string {
  const [whole = part] = ofRanges;
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
      const variants = ofRanges.flatMap(({ sections }) => sections.filter((one) => one.id === id));
      const heads = columns
        .map((column, at) =>
          headsOf(
            column,
            variants.map((one) => one.columns[at]),
          ),
        )
        .join(', ');
      return `| \`${id}\` | ${title} | ${note} | ${heads} |`;
    }),
  ].join('\n');
}

/** All headings of a column, marked if it has identifiers with their words. */
function headsOf(column: Column, others: readonly (Column | undefined)[]): string {
  const ids = new Set([column, ...others].flatMap((one) => (one ? [one.id] : [])));
  return [...ids].map((id) => `\`${id}\`${column.unit === 'named' ? '†' : ''}`).join(' or ');
}

/** Entries that only a brand's report has. */
function added<Entry extends { readonly id: string }>(
  whole: readonly Entry[],
  part: readonly Entry[],
): readonly Entry[] {
  return part.filter(({ id }) => !whole.some((one) => one.id === id));
}
