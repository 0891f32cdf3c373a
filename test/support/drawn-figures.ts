import { formatCell, formatRow } from '../../src/analytics/reports/format-cell.ts';
import type { Report } from '../../src/analytics/reports/report.ts';

/** What a person reads on a page of the console: the tiles, and the cells of each table row by row. */
export type DrawnFigures = {
  readonly tiles: readonly string[];
  readonly tables: Readonly<Record<string, readonly (readonly string[])[]>>;
};

export function figuresOnPage(page: string): DrawnFigures {
  const tables = [...page.matchAll(/<section class="card[^"]*" id="part-([^"]+)"(.*?)<\/section>/gs)].map(
    ([, id = '', section = '']) => [id, rowsIn(section)],
  );
  return {
    tiles: [...page.matchAll(/<dd class="figure">(.*?)<\/dd>/gs)].map(([, text = '']) => plainText(text)),
    tables: Object.fromEntries(tables),
  };
}

/** The same as a report says it. */
export function figuresToDraw({ tiles, sections }: Report): DrawnFigures {
  return {
    tiles: tiles.map(({ value, unit }) => formatCell(value, unit)),
    tables: Object.fromEntries(
      sections.map(({ id, columns, rows }) => [id, rows.map((row) => formatRow(columns, row))]),
    ),
  };
}

function rowsIn(section: string): readonly (readonly string[])[] {
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(section) ?? [];
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd]\b[^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plainText(cell)),
  );
}

function plainText(html: string): string {
  const text = html.replace(/<svg.*?<\/svg>/gs, '').replace(/<[^>]*>/g, '');
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).trim();
}
