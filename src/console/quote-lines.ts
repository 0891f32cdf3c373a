import type { ReportTable } from '../activity/reports/report.ts';
import type { IssuedQuote } from '../sessions/session-store.ts';
import { toDecimal } from '../stay/money.ts';

/** The lines of all these quotes as one table. Those whose lines are not known have none in it. */
export function quoteLines(quotes: readonly IssuedQuote[]): Pick<ReportTable, 'columns' | 'rows'> {
  return {
    columns: [
      { id: 'nxq', label: 'Quote', unit: 'text' },
      { id: 'property', label: 'Property', unit: 'text' },
      { id: 'line', label: 'Line', unit: 'text' },
      { id: 'amount', label: 'Amount', unit: 'amount' },
      { id: 'currency', label: 'Currency', unit: 'text' },
    ],
    rows: quotes.flatMap(({ nxq, property, currency, details }) =>
      (details?.lines ?? []).map(({ label, amount }) => [
        nxq,
        property,
        label,
        toDecimal(amount, currency),
        currency,
      ]),
    ),
  };
}
